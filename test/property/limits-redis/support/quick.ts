import type { Cluster, Redis } from 'ioredis'
import { findLiveFault } from './live.ts'
import type { Subject } from './subject.ts'
import { type Fault, findFault } from './world.ts'

/** Even ones have a clock that never steps back. */
const SEEDS = [2, 3, 4, 5, 6, 7, 8, 9] as const
const OPERATIONS = 1_600

/** A small part of the differential test, with all that it looks for: enough to see any of the seeded faults. */
export const findQuickFault = async (client: Redis, cluster: Cluster, subject: Subject): Promise<Fault | undefined> => {
  const live = await findLiveFault(client, cluster, subject)
  if (live !== undefined) return live
  for (const seed of SEEDS) {
    const fault = await findFault({ client, subject, seed, operations: OPERATIONS })
    if (fault !== undefined) return fault
  }
  return undefined
}
