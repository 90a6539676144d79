import { enumerate } from './enumerate.ts'
import { enumerateLeases, QUICK_LEASE_WORLDS } from './lease-worlds.ts'
import { runMerges } from './merge.ts'
import { checkRoom } from './room.ts'
import { runModels } from './run-models.ts'
import type { MemoryStoreFunctions, RingFunctions } from './subject.ts'
import { QUICK_WORLDS } from './worlds.ts'

/** Always the same, so that a fault that is seen is seen each time. */
const SEED = 4_711

/**
 * A small part of each proof, in the order of their speed: enough to see any of the seeded faults.
 * @throws Error when an invariant does not hold
 */
export const runQuickSuite = (ring: RingFunctions, memoryStore: MemoryStoreFunctions): void => {
  checkRoom(memoryStore)
  for (const world of QUICK_WORLDS) enumerate(ring, world)
  for (const world of QUICK_LEASE_WORLDS) enumerateLeases(ring, world)
  runMerges(ring, { runs: 50, seed: SEED, shrink: false })
  runModels(memoryStore, { runs: 100, leaps: false, seed: SEED, shrink: false })
  runModels(memoryStore, { runs: 20, leaps: true, seed: SEED, shrink: false })
}
