import { afterEach, describe, expect, test } from 'bun:test'
import { ask, type BudgetWorld, createBudget, createKey, openBudgetWorld } from './support/budget-world.ts'
import { runChaos, runLoad, seeded, served, untilHolds } from './support/load.ts'
import { chatFor } from './support/priced-provider.ts'
import { totalOf } from './support/sums.ts'

/** Calls in all: `BUDGET_CALLS=100000` for the long run. */
const CALLS = Number(process.env.BUDGET_CALLS ?? 4_000)
/** On a busy machine fewer are made in the time that there is. */
const MOST_MS = CALLS > 4_000 ? 1_800_000 : 12_000
const GATEWAYS = ['one', 'two']
const USERS = ['anna', 'ben', 'cleo']

let world: BudgetWorld
afterEach(() => world.close())

describe.each(['soft', 'reserve'] as const)('two processes that are killed at random (%s)', (enforcement) => {
  test(
    'have counted exactly what the records say, by user, in dollars, tokens and calls',
    async () => {
      world = await openBudgetWorld()
      const first = await world.start('one')
      await world.start('two')
      const byUser = { group_by: [{ key: 'metadata._user' }], enforcement }
      const dollars = await createBudget(first, { ...byUser, type: 'cost', credit_limit: 9_000_000 })
      const tokens = await createBudget(first, { ...byUser, type: 'tokens', credit_limit: 1e15 })
      const requests = await createBudget(first, { ...byUser, type: 'requests', credit_limit: 1e15 })
      const { key } = await createKey(first, 'counted', {
        usage_limits: { type: 'cost', credit_limit: 9_000_000, enforcement },
      })
      // Until a policy is known everywhere calls are not counted by it.
      await Bun.sleep(1_500)

      let made = 0
      const startMs = performance.now()
      const isOver = (): boolean => made >= CALLS || performance.now() - startMs > MOST_MS
      const deaths = runChaos({ world, gateways: GATEWAYS, random: seeded(7), longestLifeMs: 3_000, isOver })
      const tally = await runLoad({
        world,
        gateways: GATEWAYS,
        clients: 8,
        isOver,
        async call(gateway, index) {
          const reply = await ask(
            gateway,
            key,
            // Odd numbers, so that nothing comes out even; a third of all are streams.
            chatFor(1 + (index % 97), index % 3 === 0 ? { stream: true, stream_options: { include_usage: true } } : {}),
            { 'x-gateway-metadata': JSON.stringify({ _user: USERS[index % USERS.length] }) },
          )
          made++
          return reply
        },
      })
      expect(await deaths).toBeGreaterThan(0)
      expect([...tally.statuses.keys()]).toEqual([200])

      // Everything that a client has seen the end of is kept, and counts and records come together.
      await untilHolds(
        async () => ({ records: await world.sums.records(), total: totalOf(await countsOf(dollars)) }),
        ({ records, total }) => records.completed >= served(tally) && total === records.cost,
      )
      for (const name of GATEWAYS) await world.stop(name)
      const records = await world.sums.records()
      expect(records.completed).toBeGreaterThanOrEqual(served(tally))
      expect(records.cost).toBeGreaterThan(0n)
      const counts = await world.sums.counts()
      for (const user of USERS) {
        const own = await world.sums.records(`metadata->>'_user' = '${user}'`)
        const counted = (budgetId: string): bigint =>
          totalOf(counts.filter((count) => count.budgetId === budgetId && count.label.includes(user)))
        expect(counted(dollars)).toBe(own.cost)
        expect(counted(tokens)).toBe(own.tokens)
        expect(counted(requests)).toBe(BigInt(own.completed + (enforcement === 'reserve' ? own.interrupted : 0)))
      }
      expect(totalOf(counts.filter(({ budgetId }) => budgetId === 'api_key.cost'))).toBe(records.cost)
    },
    MOST_MS + 100_000,
  )
})

const countsOf = async (budgetId: string) => (await world.sums.counts()).filter((count) => count.budgetId === budgetId)
