import { withRequestId } from './respond.ts'

export interface CorsSettings {
  /** `*` for every one; none: browsers get no leave. */
  readonly origins: readonly string[]
  /** `*` for whichever a page asks for. */
  readonly headers: readonly string[]
  readonly maxAgeSeconds: number
}

type Handle = (request: Request) => Promise<Response>

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'

/** Longer lists of header names are no browser's. */
const MAX_REQUESTED_CHARACTERS = 4096

const NAMES = /^[a-z0-9!#$%&'*+.^_`|~ ,-]*$/i

/**
 * Lets pages of the allowed origins read answers, and answers their preflights without a key (Fetch standard, section 3.2,
 * read 2026-11-22). Leave to send credentials is never given: sessions of browsers are for pages of Weir alone.
 * @returns `handle` itself when no origin is allowed
 */
export const withCors = (handle: Handle, { origins, headers, maxAgeSeconds }: CorsSettings): Handle => {
  if (origins.length === 0) return handle
  const isOpen = origins.includes('*')
  const listed = new Set(origins.map((origin) => origin.toLowerCase()))

  const allowed = (origin: string | null): string | undefined => {
    if (origin === null) return undefined
    if (isOpen) return '*'
    return listed.has(origin) ? origin : undefined
  }

  /** Caches must not show one origin's answer to another. */
  const mark = (response: Response, origin: string | undefined): Response => {
    if (!isOpen) response.headers.append('vary', 'Origin')
    if (origin === undefined) return response
    response.headers.set('access-control-allow-origin', origin)
    response.headers.set('access-control-expose-headers', '*')
    return response
  }

  const preflight = (request: Request, origin: string): Response => {
    const asked = request.headers.get('access-control-request-headers') ?? ''
    const isReadable = asked.length <= MAX_REQUESTED_CHARACTERS && NAMES.test(asked)
    const names = headers.includes('*') ? (isReadable ? asked : '') : headers.join(', ')
    return withRequestId(
      new Response(null, {
        status: 204,
        headers: {
          'access-control-allow-origin': origin,
          'access-control-allow-methods': METHODS,
          ...(names === '' ? {} : { 'access-control-allow-headers': names }),
          'access-control-max-age': String(maxAgeSeconds),
          vary: 'Origin, Access-Control-Request-Headers',
        },
      }),
    )
  }

  return async (request) => {
    const origin = allowed(request.headers.get('origin'))
    const isPreflight = request.method === 'OPTIONS' && request.headers.has('access-control-request-method')
    if (origin !== undefined && isPreflight) return preflight(request, origin)
    return mark(await handle(request), origin)
  }
}
