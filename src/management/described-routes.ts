import type { AnyRoute } from './route.ts'
import { managementRoutes } from './routes.ts'

const notServed = (): never => {
  throw new Error('these routes are only described, not served')
}

/**
 * The management routes without a store: for what names or documents them, not for calls.
 * @param now lets those run that list what is stored, as they need no more than that
 */
export const describedRoutes = (now: () => number = notServed): readonly AnyRoute[] =>
  managementRoutes({
    clock: { now },
    now,
    randomId: notServed,
    providers: notServed,
    checkCustomHost: notServed,
    secretBox: { seal: notServed, open: notServed },
    secretReferenceExists: notServed,
    dryRunRoute: notServed,
    endpointTypes: notServed,
    limits: { usage: notServed, ownedUsage: notServed, reset: notServed, dryRunLimits: notServed },
  })
