import type { AnyRoute } from '../route.ts'

/**
 * The route whose tag a call of this one meets or gives: that which shows the object of the same path. Of a creation it is
 * the one that shows what was made, where the answer shows that too.
 */
export const shownBy = (route: AnyRoute, routes: readonly AnyRoute[]): AnyRoute | undefined =>
  route.etag === true
    ? route
    : routes.find(
        (other) => other.etag === true && isSameRoot(route, other) && (isOf(route, other) || isMade(route, other)),
      )

/** Whether a change of that route is one of what the other shows. */
export const isOf = ({ path, changes }: AnyRoute, shown: AnyRoute | undefined): boolean =>
  changes && path === shown?.path

/** Whether both answer with the same. */
export const showsSame = ({ response }: AnyRoute, shown: AnyRoute | undefined): boolean => response === shown?.response

const isMade = (route: AnyRoute, other: AnyRoute): boolean =>
  route.method === 'POST' && route.changes && showsSame(route, other) && /^\/:[^/]+$/.test(behind(route, other))

const behind = ({ path }: AnyRoute, other: AnyRoute): string =>
  other.path.startsWith(path) ? other.path.slice(path.length) : ''

/** Two routes may have one path below different roots. */
const isSameRoot = ({ roots = [] }: AnyRoute, other: AnyRoute): boolean => roots.join() === (other.roots ?? []).join()
