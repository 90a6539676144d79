import type { Logger } from '../core/ports.ts'
import { errorFields } from '../errors/error-fields.ts'
import { ManagementForbidden, NotFound } from '../errors/gateway-error.ts'
import { errorResponse } from '../http/respond.ts'
import type { ConsoleBundle } from './bundle.ts'
import { consolePage, noConsolePage, type Prefixes, SAFE_HEADERS } from './page.ts'
import { CONSOLE_PATH, consolePaths } from './paths.ts'

/** Adds one path to the application. */
export type AddPage = (method: 'GET', path: string, handler: (request: Request) => Response | Promise<Response>) => void

export interface ConsoleDeps extends Prefixes {
  readonly open: () => Promise<ConsoleBundle>
  readonly basePath: string
  readonly log: Pick<Logger, 'error'>
}

const ASSETS = `${CONSOLE_PATH}/assets/`
const YEAR_SECONDS = 31_536_000

/** Adds the console to the application. */
export const mountConsole = (add: AddPage, { open, basePath, log, ...prefixes }: ConsoleDeps): void => {
  const serve = async (request: Request): Promise<Response> => {
    const path = new URL(request.url).pathname.slice(basePath.length)
    if (path === '' || path === '/' || path === CONSOLE_PATH) return toConsole(prefixes.prefix)
    try {
      const bundle = await open()
      return path.startsWith(ASSETS) ? asset(request, bundle, path.slice(ASSETS.length)) : consolePage(bundle, prefixes)
    } catch (thrown) {
      log.error('the console cannot be shown', errorFields(thrown))
      return noConsolePage()
    }
  }
  for (const { method, path } of consolePaths(basePath)) add(method, path, serve)
}

const toConsole = (prefix: string): Response =>
  new Response(null, {
    status: 302,
    headers: { ...SAFE_HEADERS, location: `${prefix}${CONSOLE_PATH}/`, 'cache-control': 'no-cache' },
  })

const asset = (request: Request, { files }: ConsoleBundle, name: string): Response => {
  const file = files.get(name)
  if (file === undefined) return errorResponse(new NotFound('The console has no such file.'), new Headers(SAFE_HEADERS))
  const etag = `"${name}"`
  const headers = {
    ...SAFE_HEADERS,
    'content-type': file.type,
    'cache-control': `public, max-age=${YEAR_SECONDS}, immutable`,
    vary: 'accept-encoding',
    etag,
  }
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
  if (/\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')) {
    return new Response(file.gzip, { headers: { ...headers, 'content-encoding': 'gzip' } })
  }
  return new Response(Bun.gunzipSync(file.gzip), { headers })
}

/** What a data plane answers there: its people are those of the control plane. */
export const refuseConsole =
  (basePath: string) =>
  (add: AddPage): void => {
    for (const { method, path } of consolePaths(basePath)) {
      add(method, path, () =>
        errorResponse(new ManagementForbidden('This is a data plane: the console is at its control plane.')),
      )
    }
  }
