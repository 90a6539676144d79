import { afterEach, expect, test } from 'bun:test'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { send } from '../management/support/http.ts'
import { type OwnPostgres, startOwnPostgres } from '../management/support/own-postgres.ts'
import { ask, type BudgetWorld, createKey, openBudgetWorld } from './support/budget-world.ts'
import { runLoad, served, untilHolds } from './support/load.ts'
import { chatFor, costOf } from './support/priced-provider.ts'
import { totalOf } from './support/sums.ts'

/** 10⁻¹² dollars. */
const DOLLAR = 1_000_000_000_000n
const TOKENS = 10
const CLIENTS = 6

let world: BudgetWorld
let database: OwnPostgres
let folder: string
afterEach(async () => {
  await world.close()
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

test('without Postgres budgets hold from memory, and say so; afterwards all is counted', async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-away-'))
  await chmod(folder, 0o711)
  database = await startOwnPostgres(join(folder, 'postgres'))
  world = await openBudgetWorld({ databaseUrl: database.url })
  const gateway = await world.start('one')
  const { key } = await createKey(gateway, 'spending', { usage_limits: { type: 'cost', credit_limit: 1 } })
  const load = (isOver: () => boolean) =>
    runLoad({
      world,
      gateways: ['one'],
      clients: CLIENTS,
      isOver,
      call: async (at) => {
        const reply = await ask(at, key, chatFor(TOKENS))
        if (reply.status !== 200) refused = true
        return reply
      },
    })
  const ready = async (): Promise<Readonly<Record<string, unknown>>> => {
    const { body } = await send(`${gateway.url}/readyz`)
    return { ...(body.budgets as object) }
  }
  let refused = false
  const half = DOLLAR / 2n
  const before = await load(() => world.provider.billed > half || refused)
  expect(refused).toBe(false)
  expect(await ready()).toMatchObject({ ok: true })

  await database.kill()
  const during = await load(() => refused)
  expect([...during.statuses.keys()].toSorted()).toEqual([200, 412])
  const over = world.provider.billed - DOLLAR
  expect(over).toBeGreaterThanOrEqual(0n)
  expect(over).toBeLessThanOrEqual(BigInt(CLIENTS) * costOf(TOKENS))
  await untilHolds(ready, ({ ok }) => ok === false)
  expect((await ask(gateway, key, chatFor(TOKENS))).status).toBe(412)

  await database.restart()
  await untilHolds(ready, ({ ok }) => ok === true, 60_000)
  const count = async () => totalOf((await world.sums.counts()).filter(({ budgetId }) => budgetId === 'api_key.cost'))
  await untilHolds(count, (total) => total === world.provider.billed, 60_000)
  await untilHolds(
    () => world.sums.records(),
    ({ cost }) => cost === world.provider.billed,
    60_000,
  )
  expect((await world.sums.records()).completed).toBe(served(before) + served(during))
  expect((await ask(gateway, key, chatFor(TOKENS))).status).toBe(412)
}, 180_000)
