import { afterEach, expect, test } from 'bun:test'
import { ask, type BudgetWorld, createKey, openBudgetWorld } from './support/budget-world.ts'
import { runLoad, served, untilHolds } from './support/load.ts'
import { chatFor } from './support/priced-provider.ts'
import { totalOf } from './support/sums.ts'

const LOAD_MS = 6_000
const GATEWAYS = ['one', 'two']
const CLIENTS = 6

let world: BudgetWorld
afterEach(() => world.close())

test('a reset at midnight under load neither loses nor doubles: each call counts in the period in which it began', async () => {
  world = await openBudgetWorld()
  const first = await world.start('one')
  await world.start('two')
  const { key } = await createKey(first, 'counted', {
    usage_limits: { type: 'cost', credit_limit: 1_000_000, periodic_reset_days: 1 },
  })
  // Calls across midnight take long enough to end on the other side.
  world.provider.latencyMs = 100
  const midnightMs = await world.beforeMidnight(LOAD_MS / 2)
  const tally = await runLoad({
    world,
    gateways: GATEWAYS,
    clients: CLIENTS,
    isOver: () => world.now() > midnightMs + LOAD_MS / 2,
    call: (gateway, index) => ask(gateway, key, chatFor(1 + (index % 97))),
  })
  expect([...tally.statuses.keys()]).toEqual([200])

  const counts = async () => (await world.sums.counts()).filter(({ budgetId }) => budgetId === 'api_key.cost')
  await untilHolds(
    async () => ({ records: await world.sums.records(), total: totalOf(await counts()) }),
    ({ records, total }) => records.completed === served(tally) && total === records.cost,
  )
  const [before, after, ...others] = (await counts()).toSorted((one, other) => one.startMs - other.startMs)
  expect(others).toEqual([])
  expect(before?.endMs).toBe(midnightMs)
  expect(after?.startMs).toBe(midnightMs)
  expect((before?.total ?? 0n) + (after?.total ?? 0n)).toBe(world.provider.billed)
  // A call is admitted just after it has arrived: those in between are the calls of the clients, one each, at most.
  const arrivedAfter = await world.sums.records(`time >= ${midnightMs}000`)
  const arrivedBefore = await world.sums.records(`time < ${midnightMs}000`)
  expect(arrivedBefore.cost).toBeGreaterThan(0n)
  expect(arrivedAfter.cost).toBeGreaterThan(0n)
  const late = (after?.total ?? 0n) - arrivedAfter.cost
  expect(late).toBeGreaterThanOrEqual(0n)
  expect(late).toBeLessThanOrEqual(BigInt(GATEWAYS.length * CLIENTS) * 5_000_000_000n)
}, 120_000)
