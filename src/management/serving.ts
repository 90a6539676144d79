import { consolePaths } from '../console/paths.ts'
import type { Endpoint } from '../core/endpoint.ts'
import type { RefusedBelow } from '../http/known-paths.ts'
import { appPaths } from './apps/paths.ts'
import { METRICS_PATH, type ReadMetrics, serveMetrics } from './metrics.ts'
import { type AddPath, mountManagement, pathsOf } from './mount.ts'
import { DOCS_PATH, OPENAPI_PATH } from './openapi/paths.ts'
import { createDocumentation } from './openapi/serve.ts'
import type { AnyRoute } from './route.ts'
import type { ManagementDeps } from './run-route.ts'
import { SCIM_PATH } from './scim/answer.ts'
import { scimErrors } from './scim/errors.ts'
import { signInPaths } from './sign-in/paths.ts'
import { oauthTokenPaths } from './tokens/oauth-handler.ts'

/** A path that the application serves besides the calls to models. */
export interface ServedPath {
  readonly method: string
  readonly path: string
  /** What guards it, for `weir routes`. */
  readonly guard: string
  /** No client of an API means it: other methods are answered as if nothing was there. */
  readonly isForPeople?: boolean
}

/** The stored side of the application: its routes, the token exchange and the documentation. */
export interface ManagementServing {
  readonly paths: readonly ServedPath[]
  /** What is refused below these paths is in a form of its own. */
  readonly refusals: readonly RefusedBelow[]
  mount(add: AddPath): void
}

export interface ServingOptions {
  readonly routes: readonly AnyRoute[]
  /** What data planes call: served, and no part of the interface. */
  readonly links?: readonly AnyRoute[]
  readonly basePath: string
  readonly version: string
  /** Kinds of call that are served, for the documentation. */
  readonly endpoints: readonly Endpoint[]
  readonly deps: ManagementDeps
  readonly exchangeToken: (request: Request) => Promise<Response>
  /** The numbers of this process. */
  readonly metrics: ReadMetrics
  /** Adds the ways to sign in and out. */
  readonly signIn: (add: AddPath) => void
  /** Adds the console. */
  readonly console: (add: AddPath) => void
}

/** Every path of the stored side, with what guards it. */
export const servedPaths = (
  routes: readonly AnyRoute[],
  basePath: string,
  links: readonly AnyRoute[] = [],
): readonly ServedPath[] => [
  ...oauthTokenPaths(basePath).map((path) => ({ method: 'POST', path, guard: 'the key in the request' })),
  ...signInPaths(basePath),
  ...appPaths(basePath),
  ...consolePaths(basePath),
  { method: 'GET', path: `${basePath}${OPENAPI_PATH}`, guard: 'public' },
  { method: 'GET', path: `${basePath}${DOCS_PATH}`, guard: 'public' },
  { method: 'GET', path: `${basePath}${METRICS_PATH}`, guard: 'token > organisation_settings.read (organisation)' },
  ...routes.flatMap((route) =>
    pathsOf(route, basePath).map((path) => ({ method: route.method, path, guard: guardOf(route) })),
  ),
  ...links.flatMap((route) =>
    pathsOf(route, basePath).map((path) => ({
      method: route.method,
      path,
      guard: 'credentials of a deployment > schema',
    })),
  ),
]

const guardOf = ({ isPublic, scopes, plane, changes }: AnyRoute): string =>
  isPublic === true
    ? 'public'
    : `token > ${scopes.join(' or ') || 'any'} (${plane}) > schema${changes ? ' > transaction and audit' : ''}`

export const createServing = ({
  routes,
  links = [],
  basePath,
  version,
  endpoints,
  deps,
  exchangeToken,
  metrics,
  signIn,
  console,
}: ServingOptions): ManagementServing => {
  const documentation = createDocumentation(routes, { version, basePath, endpoints })
  return {
    paths: servedPaths(routes, basePath, links),
    refusals: [{ path: `${basePath}${SCIM_PATH}`, errors: scimErrors }],
    mount(add) {
      mountManagement(add, [...routes, ...links], basePath, deps)
      for (const path of oauthTokenPaths(basePath)) add('POST', path, exchangeToken)
      signIn(add)
      console(add)
      add('GET', `${basePath}${OPENAPI_PATH}`, documentation.document)
      add('GET', `${basePath}${DOCS_PATH}`, documentation.page)
      add('GET', `${basePath}${METRICS_PATH}`, serveMetrics(metrics, deps))
    },
  }
}
