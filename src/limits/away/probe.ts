import type { Charge } from '../ring/ring-store.ts'

/**
 * A charge that nobody is refused for, in the place of a workspace: proves that its server answers and takes writes. A
 * replica, or a server without memory, answers anything else.
 */
export const probeOf = (workspaceId: string): Charge => ({
  key: { workspaceId, limitId: 'weir.probe', unit: 'rps', group: 'probe', label: '' },
  limit: Number.MAX_SAFE_INTEGER,
  weight: 1,
  grain: 1,
  shadow: true,
})
