import type { ManagementDeps } from '../run-route.ts'

/** Requests that come from one address, as they were sent. */
export const arrivesFrom =
  (address: string): ManagementDeps['arrivalOf'] =>
  ({ url }) => ({ origin: new URL(url).origin, address })
