import { type CallServer, listen } from '../../../../src/cli/listen.ts'
import { createWeir, type Weir } from '../../../../src/compose/weir.ts'
import type { SignInInput } from '../../../../src/config/sign-in.ts'
import { openStore, type Store } from '../../../../src/store/db.ts'
import { temporaryFolder } from '../../../../src/store/testing.ts'
import { testConfig } from '../../../support/gateway.ts'
import { type PrivateDatabase, privateDatabase } from '../../../support/services.ts'
import { type Browser, openBrowser } from './browser.ts'

export const ADMIN_KEY = 'admin-key-of-the-sign-in-tests-0123456789'
export const API_KEY = 'api-key-of-the-sign-in-tests-0123456789ab'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body, read as JSON. */
  readonly body: Readonly<Record<string, unknown>>
}

/** A text of an answer. */
export const textIn = ({ body, text }: Pick<Answer, 'body' | 'text'>, name: string): string => {
  const value = body[name]
  if (typeof value !== 'string') throw new Error(`no ${name} in ${text}`)
  return value
}

/** Somebody at a browser, who may have a session. */
export interface Visitor {
  readonly browser: Browser
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
}

export interface CallOptions {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Another gateway than the first. */
  readonly at?: string
  /** False: the CSRF token stays away. */
  readonly csrf?: boolean
}

/** Two gateways on one Postgres, which browsers reach as one: as the first. */
export interface Scene {
  readonly url: string
  readonly otherUrl: string
  readonly store: Store
  /** What the gateways logged. */
  readonly lines: string[]
  /** Starts both, once their addresses are known. */
  start(signIn: SignInInput): Promise<void>
  visitor(address?: string): Visitor
  close(): Promise<void>
}

export const openScene = async (): Promise<Scene> => {
  const database: PrivateDatabase = await privateDatabase()
  const folders = [temporaryFolder(), temporaryFolder()]
  const weirs: (Weir | undefined)[] = []
  const lines: string[] = []
  const servers: CallServer[] = [0, 1].map((index) =>
    listen(
      testConfig().server,
      () => (request) => weirs[index]?.handle(request) ?? new Response(null, { status: 503 }),
    ),
  )
  const [url = '', otherUrl = ''] = servers.map(({ port }) => `http://127.0.0.1:${port}`)
  const store = await openStore({ dataDir: folders[0]?.path ?? '', databaseUrl: database.url })
  const log = (message: string, fields: unknown = {}): void => {
    lines.push(`${message} ${JSON.stringify(fields)}`)
  }

  return {
    url,
    otherUrl,
    store,
    lines,
    async start(signIn) {
      for (const [index, { path }] of folders.entries()) {
        weirs[index] = await createWeir({
          folder: path,
          env: {
            ...{ DATABASE_URL: database.url, WEIR_MASTER_KEY: 'a passphrase for tests, long enough to be one' },
            ...{ WEIR_ADMIN_KEY: ADMIN_KEY, WEIR_API_KEY: API_KEY, WEIR_DATA_DIR: path },
          },
          config: { server: { publicUrl: url }, egress: { trustedHosts: ['127.0.0.1'] }, signIn },
          log: { info: () => undefined, warn: log, error: log },
          addressOf: (request) => request.headers.get('x-test-address') ?? undefined,
        })
      }
    },
    visitor(address) {
      const browser = openBrowser(address)
      let csrfToken: string | undefined
      const call: Visitor['call'] = async (method, path, { body, headers = {}, at = url, csrf = true } = {}) => {
        const isChange = method !== 'GET'
        // A page of the gateway would know it.
        if (isChange && csrf) csrfToken = await tokenOf(browser, url)
        // Cookies know no port: what one gateway set, the other gets.
        for (const [name, value] of browser.cookies(url)) (browser.cookies(at) as Map<string, string>).set(name, value)
        const response = await browser.send(`${at}${path}`, {
          method,
          headers: {
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...(isChange && csrf && csrfToken !== undefined ? { 'x-gateway-csrf': csrfToken } : {}),
            ...headers,
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        const text = await response.text()
        return { status: response.status, headers: response.headers, text, body: parse(text) }
      }
      return { browser, call }
    },
    async close() {
      for (const server of servers) await server.stop(true)
      for (const weir of weirs) await weir?.close()
      await store.close()
      await database.drop()
      for (const folder of folders) folder.remove()
    },
  }
}

const tokenOf = async (browser: Browser, url: string): Promise<string | undefined> => {
  const response = await browser.send(`${url}/v2/session`)
  const { csrf_token: token } = (await response.json()) as { readonly csrf_token?: string }
  return token
}

const parse = (text: string): Answer['body'] => {
  try {
    return JSON.parse(text) as Answer['body']
  } catch {
    return {}
  }
}
