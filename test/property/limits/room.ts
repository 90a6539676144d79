import type { MemoryStore } from '../../../src/limits/ring/memory-store.ts'
import type { Charge } from '../../../src/limits/ring/ring-store.ts'
import { GRIDS, type LimitUnit } from '../../../src/limits/ring/units.ts'
import { hold, type MemoryStoreFunctions } from './subject.ts'

const START_MS = 1_700_000_000_000

const chargeOf = (group: string, unit: LimitUnit): Charge => ({
  key: { workspaceId: 'w', limitId: 'l', unit, group, label: group },
  limit: 5,
  weight: 1,
  grain: 1,
  shadow: false,
})

const usedOf = (store: MemoryStore, charge: Charge): number | undefined =>
  store.peek([{ ...charge, weight: 0 }]).verdicts[0]?.used

/** Which rings a memory store drops, and which it must not. @throws Broken */
export const checkRoom = ({ createMemoryStore }: MemoryStoreFunctions): void => {
  let nowMs = START_MS
  const now = () => nowMs

  const crowded = createMemoryStore({ now, maximumRings: 3 })
  const [day, minute, week, hour] = [
    chargeOf('a', 'rpd'),
    chargeOf('b', 'rpm'),
    chargeOf('c', 'rpw'),
    chargeOf('d', 'rph'),
  ]
  for (const charge of [day, minute, week]) crowded.admit([charge])
  hold(crowded.size === 3 && crowded.forgotten === 0, 'nothing is forgotten while there is room', () => crowded)
  crowded.admit([hour])
  hold(crowded.size === 3 && crowded.forgotten === 1, 'one makes room', () => crowded)
  hold(usedOf(crowded, minute) === 0, 'it is the one that ends first', () => usedOf(crowded, minute))
  for (const charge of [day, week, hour]) hold(usedOf(crowded, charge) === 1, 'and no other', () => charge)
  crowded.admit([hour, minute])
  for (const charge of [hour, minute])
    hold((usedOf(crowded, charge) ?? 0) > 0, 'no ring of the call itself', () => charge)
  hold(usedOf(crowded, day) === 0, 'but the one that ends first of the others', () => usedOf(crowded, day))

  const quiet = createMemoryStore({ now })
  for (let group = 0; group < 100; group += 1) quiet.admit([chargeOf(`${group}`, 'rps')])
  nowMs += GRIDS.rps.windowMs + GRIDS.rps.bucketMs
  quiet.admit([day])
  hold(quiet.size === 101, 'rings are kept for a while after they are empty', () => quiet.size)
  nowMs += 2_000
  for (let call = 0; call < 60; call += 1) quiet.peek([day])
  hold(quiet.size === 101, 'a look drops nothing', () => quiet.size)
  for (let call = 0; call < 60; call += 1) quiet.admit([{ ...day, shadow: true }])
  hold(quiet.size === 1 && quiet.forgotten === 0, 'what is over is dropped bit by bit', () => quiet.size)

  const returning = createMemoryStore({ now })
  returning.admit([minute])
  nowMs += 10 * GRIDS.rpm.windowMs
  returning.admit([day, minute])
  hold(usedOf(returning, minute) === 1, 'a ring that was over is not lost to the call that uses it', () => minute)

  const adjusted = createMemoryStore({ now })
  const current = Math.floor(nowMs / GRIDS.rpm.bucketMs)
  adjusted.adjust(minute.key, current - 5, 3)
  adjusted.adjust(minute.key, current - 8, 1)
  hold(usedOf(adjusted, minute) === 4, 'what is added to a bucket is counted', () => usedOf(adjusted, minute))
  nowMs = (current - 8 + GRIDS.rpm.buckets + 1) * GRIDS.rpm.bucketMs
  hold(usedOf(adjusted, minute) === 3, 'and leaves with its bucket', () => usedOf(adjusted, minute))

  const restarted = createMemoryStore({ now })
  const index = restarted.admit([{ ...minute, weight: 4 }]).verdicts[0]?.index ?? 0
  restarted.reset(minute.key)
  restarted.admit([minute])
  restarted.settle([{ key: minute.key, index, delta: -3, grain: 1 }])
  hold(usedOf(restarted, minute) === 0, 'a refund from before a reset takes no more than there is', () =>
    usedOf(restarted, minute),
  )
}
