import { InvalidRequest, MethodNotAllowed, NotFound } from '../errors/gateway-error.ts'
import { errorResponse } from './respond.ts'
import { type RunningRoute, routeHeaders } from './running-route.ts'

export interface KnownPath {
  /** Parts of the path; those that begin with a colon stand for anything, `*` for any rest. */
  readonly segments: readonly string[]
  readonly method: string
  /** Absent: not one of the routes of calls. */
  readonly route?: RunningRoute
}

/** @param paths whole, with the operator's prefix; `*` at the end stands for any rest */
export const knownPaths = (
  paths: readonly (RunningRoute | { readonly method: string; readonly path: string })[],
): readonly KnownPath[] =>
  paths.map((place) => ({
    method: place.method,
    ...('chain' in place ? { route: place } : {}),
    segments: place.path.split('/'),
  }))

const fits = ({ segments }: KnownPath, parts: readonly string[]): boolean =>
  (segments.at(-1) === '*' ? segments.length <= parts.length : segments.length === parts.length) &&
  segments.every(
    (segment, index) => segment === '*' || (segment.startsWith(':') ? parts[index] !== '' : segment === parts[index]),
  )

/** Where the client sent no host, or none that can be one, the URL of the request is none either (RFC 9112, section 3.2). */
export const badHost = ({ url }: Request): Response | undefined =>
  URL.canParse(url) ? undefined : errorResponse(new InvalidRequest('The `Host` header of the request names no host.'))

/** Undefined for a path that is nobody's. */
export const wrongMethod = (request: Request, known: readonly KnownPath[]): Response | undefined => {
  const path = pathOf(request)
  const parts = path.split('/')
  const there = known.filter((each) => fits(each, parts))
  const allow = [...new Set(there.map(({ method }) => method))]
  if (allow.length === 0 || allow.includes(request.method)) return undefined
  const error = new MethodNotAllowed(`${request.method} is not allowed here: use ${allow.join(' or ')}.`, { allow })
  // A route that is on its way out says so on every answer.
  const headers = there.flatMap(({ route }) => (route === undefined ? [] : routeHeaders(route, path)))
  return errorResponse(error, new Headers(Object.fromEntries(headers)))
}

/** What is answered for a path that no route takes: where Weir is meant, it says which address to use. */
export const missing = (request: Request, known: readonly KnownPath[], basePath: string): Response => {
  const mistake = badHost(request) ?? wrongMethod(request, known)
  if (mistake !== undefined) return mistake
  const root = `${basePath}/v1`
  const meant = `${root}${withoutRoots(pathOf(request), basePath)}`
  const isKnown = known.some((each) => fits(each, meant.split('/')))
  const hint = isKnown ? `use \`${meant}\`` : `calls to models are served below \`${root}\``
  return errorResponse(new NotFound(`Not Found: ${hint}.`))
}

const pathOf = ({ url }: Request): string => new URL(url).pathname.replace(/(.)\/$/, '$1')

/** What is left of a path without all that clients put in front of one: prefixes and versions. */
const withoutRoots = (path: string, basePath: string): string => {
  const rest = basePath !== '' && path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path
  return rest.replace(/^(?:\/(?:api|openai|v1|v2))+(?=\/)/, '')
}
