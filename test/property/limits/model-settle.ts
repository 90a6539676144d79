import type { Settlement } from '../../../src/limits/ring/ring-store.ts'
import { grainNow, recordDebt, recordRefund } from './model-ring.ts'
import { type Digits, find, type Open, pick, type World } from './model-world.ts'

interface Settled {
  readonly call: Open
  readonly settlement: Settlement
}

/** A debt that has been told before is told again, as it was. */
const debtOf = (call: Open, next: Digits): Settled => {
  if (call.debt === 0) call.debt = 1 + next(call.weight * 2)
  const { ring, index, debt } = call
  return { call, settlement: { key: ring.key, index, delta: debt, grain: grainNow(ring.limit) } }
}

const refundOf = (call: Open, next: Digits): Settled => {
  const { ring, index, weight } = call
  return { call, settlement: { key: ring.key, index, delta: -1 - next(weight), grain: grainNow(ring.limit) } }
}

/** What happens to some calls, in any order. Some are lost, and some debts will arrive again. */
const settlementsOf = (world: World, next: Digits): Settled[] => {
  const settled: Settled[] = []
  for (let count = next(3); count >= 0 && world.open.length > 0; count -= 1) {
    const call = pick(world.open, next(64))
    const kind = next(4)
    if (call === undefined) continue
    const owes = call.debt > 0 || kind === 0
    if (owes) settled.push(debtOf(call, next))
    else if (kind < 3) settled.push(refundOf(call, next))
    else world.tally.lost += 1
    // Whatever else it may do, a call gives back once.
    if (!owes || kind > 1) world.open = world.open.filter((other) => other !== call)
  }
  return settled
}

/** Settles some calls in one go. */
export const settle = (world: World, next: Digits): void => {
  const { store, time, tally } = world
  const settled = settlementsOf(world, next)
  store.settle(settled.map(({ settlement }) => settlement))
  for (const { call, settlement } of settled) {
    const { ring, place } = call
    if (settlement.delta < 0) {
      recordRefund(ring, place, -settlement.delta)
      tally.refunds += 1
    } else {
      recordDebt(find(world, ring), place, settlement.delta, settlement.grain, time)
      tally.debts += 1
    }
  }
}
