import type { AnyRoute } from './route.ts'
import { managementRoutes } from './routes.ts'

const notServed = (): never => {
  throw new Error('these routes are only described, not served')
}

/** The management routes without a store: for what lists or documents them, not for calls. */
export const describedRoutes = (): readonly AnyRoute[] =>
  managementRoutes({
    clock: { now: notServed },
    now: notServed,
    randomId: notServed,
    providers: notServed,
    checkCustomHost: notServed,
    secretBox: { seal: notServed, open: notServed },
    secretReferenceExists: notServed,
    dryRunRoute: notServed,
    endpointTypes: notServed,
    limits: { usage: notServed, ownedUsage: notServed, reset: notServed, dryRunLimits: notServed },
  })
