import { InvalidRequest, MethodNotAllowed, NotFound } from '../errors/gateway-error.ts'
import type { PathIndex, Place } from './path-index.ts'
import { errorResponse, type WholeForm } from './respond.ts'
import { type RunningRoute, routeHeaders } from './running-route.ts'

/** Something that is served. */
export interface ServedPlace extends Place {
  /** Plugin that brings it, or the part of the gateway. */
  readonly owner: string
  /** Present: a route of calls. */
  readonly route?: RunningRoute
  /** A page: no client of an API means it. */
  readonly isForPeople?: boolean
}

export type ServedPlaces = PathIndex<ServedPlace>

/** Paths whose clients look for refusals in a form of their own. */
export interface RefusedBelow {
  /** Whole, without a slash at its end. */
  readonly path: string
  readonly errors: WholeForm
}

/** Where the client sent no host, or none that can be one, the URL of the request is none either (RFC 9112, section 3.2). */
export const badHost = ({ url }: Request): Response | undefined =>
  URL.canParse(url) ? undefined : errorResponse(new InvalidRequest('The `Host` header of the request names no host.'))

/** Undefined for a path that is nobody's. */
export const wrongMethod = (request: Request, served: ServedPlaces, errors?: WholeForm): Response | undefined => {
  const path = pathOf(request)
  const there = meantAt(served, path)
  const allow = [...new Set(there.map(({ method }) => method))]
  if (allow.length === 0 || allow.includes(request.method)) return undefined
  const error = new MethodNotAllowed(`${request.method} is not allowed here: use ${allow.join(' or ')}.`, { allow })
  // A route that is on its way out says so on every answer.
  const headers = there.flatMap(({ route }) => (route === undefined ? [] : routeHeaders(route, path)))
  return errorResponse(error, new Headers(Object.fromEntries(headers)), { errors })
}

/** What is answered for a path that no route takes: where Weir is meant, it says which address to use. */
export const missing = (
  request: Request,
  {
    served,
    basePath,
    refusals = [],
  }: {
    readonly served: ServedPlaces
    readonly basePath: string
    readonly refusals?: readonly RefusedBelow[]
  },
): Response => {
  const bad = badHost(request)
  if (bad !== undefined) return bad
  const asked = pathOf(request)
  const errors = refusals.find(({ path }) => asked === path || asked.startsWith(`${path}/`))?.errors
  const mistake = wrongMethod(request, served, errors)
  if (mistake !== undefined) return mistake
  if (errors !== undefined) return errorResponse(new NotFound('There is no such path.'), new Headers(), { errors })
  const root = `${basePath}/v1`
  const meant = `${root}${withoutRoots(asked, basePath)}`
  const hint = meantAt(served, meant).length > 0 ? `use \`${meant}\`` : `calls to models are served below \`${root}\``
  return errorResponse(new NotFound(`Not Found: ${hint}.`))
}

/** What a client of this path means: whatever takes all methods takes everything else, and pages are for people. */
const meantAt = (served: ServedPlaces, path: string): readonly ServedPlace[] =>
  served.at(path).filter(({ method, isForPeople }) => method !== 'ALL' && isForPeople !== true)

const pathOf = ({ url }: Request): string => new URL(url).pathname.replace(/(.)\/$/, '$1')

/** What is left of a path without all that clients put in front of one: prefixes and versions. */
const withoutRoots = (path: string, basePath: string): string => {
  const rest = basePath !== '' && path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path
  return rest.replace(/^(?:\/(?:api|openai|v1|v2))+(?=\/)/, '')
}
