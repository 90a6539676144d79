import { NO_RECORDS } from '../core/local-stores.ts'
import { KEEP_NO_BODIES } from '../core/log-settings.ts'
import { NO_PRICES } from '../core/prices.ts'
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
    idleMs: notServed,
    randomId: notServed,
    providers: notServed,
    checkCustomHost: notServed,
    pings: { send: notServed },
    checks: { get: notServed, list: notServed },
    secretBox: { seal: notServed, open: notServed, derive: notServed },
    secretMeans: notServed,
    dryRunRoute: notServed,
    dryRunGuardrail: notServed,
    endpointTypes: notServed,
    records: {
      ask: notServed,
      find: notServed,
      page: notServed,
      bodies: notServed,
      arrivals: notServed,
      feedback: notServed,
      size: notServed,
      close: notServed,
    },
    seals: { open: notServed },
    readersOf: notServed,
    alerts: { wake: notServed },
    invites: {
      publicUrl: notServed,
      news: { tell: notServed },
      needSignIn: false,
      attempts: { take: notServed, giveBack: notServed },
    },
    tail: { listen: notServed },
    exports: {
      files: { write: notServed, read: notServed, list: notServed, remove: notServed },
      links: { sign: notServed, isGood: notServed },
      basePath: '',
      wake: notServed,
    },
    retentionDays: notServed,
    bodyRules: KEEP_NO_BODIES,
    endpoints: notServed,
    idAt: notServed,
    recorder: NO_RECORDS,
    prices: NO_PRICES,
    mcpProbe: { reach: notServed, look: notServed },
    mcpBase: '',
    limits: { usage: notServed, ownedUsage: notServed, reset: notServed, dryRunLimits: notServed },
    budgets: { usage: notServed, ownedUsage: notServed, reset: notServed, resetOwned: notServed },
  })
