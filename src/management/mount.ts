import { shownBy } from './preconditions/shown-by.ts'
import type { AnyRoute, ManagementRoot, Method } from './route.ts'
import { type ManagementDeps, runRoute } from './run-route.ts'

/** Every management path is served below each of these: the plane of a route decides who may call it, not its root. */
export const MANAGEMENT_ROOTS: readonly ManagementRoot[] = ['/v1', '/v2', '/admin/v2']

/** Where a route is served: each of its paths below each root. */
export const pathsOf = (route: AnyRoute, basePath: string): readonly string[] =>
  [route.path, ...(route.aliases ?? [])].flatMap((path) =>
    (route.roots ?? MANAGEMENT_ROOTS).map((root) => `${basePath}${root}${path}`),
  )

/** The path by which people know a route: with its root where it stands below one alone, as others may have the same path. */
export const namePath = ({ path, roots = [] }: Pick<AnyRoute, 'path' | 'roots'>): string =>
  roots.length === 1 ? `${roots[0]}${path}` : path

/** Adds one path to the application; the body is left to the handler. */
export type AddPath = (
  method: Method,
  path: string,
  handler: (request: Request, params: Readonly<Record<string, string>>) => Response | Promise<Response>,
) => void

/**
 * Adds the routes to the application. Their bodies are read and checked by `runRoute`, not by the framework, which would
 * drop unknown keys.
 */
export const mountManagement = (
  add: AddPath,
  routes: readonly AnyRoute[],
  basePath: string,
  deps: ManagementDeps,
): void => {
  for (const route of routes) {
    const shown = shownBy(route, routes)
    for (const path of pathsOf(route, basePath)) {
      add(route.method, path, (request, params) => runRoute(route, request, params, deps, shown))
    }
  }
}
