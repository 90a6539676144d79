import { afterEach, describe, expect, test } from 'bun:test'
import { testServices } from '../../support/services.ts'
import { ask, type BudgetWorld, createKey, openBudgetWorld } from './support/budget-world.ts'
import { runLoad, type Tally } from './support/load.ts'
import { chatFor, costOf } from './support/priced-provider.ts'

const CLIENTS = 10
const TOKENS = 20
const COST = costOf(TOKENS)
/** 10⁻¹² dollars. */
const DOLLAR = 1_000_000_000_000n
const DOLLARS = 1

let world: BudgetWorld
afterEach(() => world.close())

interface Spent {
  readonly tally: Tally
  /** 10⁻¹² dollars that the provider was paid. */
  readonly billed: bigint
  /** Calls that were answered in the second before the limit was reached. */
  readonly lastSecond: number
}

/** Spends a budget from all gateways at once, and goes on for two seconds after the first refusal. */
const spend = async (gateways: readonly string[], enforcement: 'soft' | 'reserve'): Promise<Spent> => {
  const started = []
  for (const name of gateways) started.push(await world.start(name))
  const [first] = started
  if (first === undefined) throw new Error('no gateway')
  const { key } = await createKey(first, 'spending', {
    usage_limits: { type: 'cost', credit_limit: DOLLARS, enforcement },
  })
  world.provider.latencyMs = 50
  const answeredAt: number[] = []
  let refusedAt: number | undefined
  const tally = await runLoad({
    world,
    gateways,
    clients: CLIENTS,
    isOver: () => refusedAt !== undefined && performance.now() - refusedAt > 2_000,
    pauseMs: () => (refusedAt === undefined ? 0 : 20),
    async call(gateway) {
      const reply = await ask(gateway, key, chatFor(TOKENS))
      if (reply.status === 200) answeredAt.push(performance.now())
      else refusedAt ??= performance.now()
      return reply
    },
  })
  const reachedAt = answeredAt.toSorted((one, other) => one - other)[Number((BigInt(DOLLARS) * DOLLAR) / COST)]
  const endMs = reachedAt ?? refusedAt ?? 0
  return {
    tally,
    billed: world.provider.billed,
    lastSecond: answeredAt.filter((at) => at <= endMs && at > endMs - 1_000).length,
  }
}

const calls = (amount: bigint): number => Number(amount / COST)

describe('a soft budget', () => {
  test.each([
    ['without Redis', false],
    ['with Redis', true],
  ])(
    'of two processes is exceeded by no more than the calls in flight and those of one second: %s',
    async (name, hasRedis) => {
      world = await openBudgetWorld(hasRedis ? { redisUrl: testServices().redisUrl } : {})
      const { tally, billed, lastSecond } = await spend(['one', 'two'], 'soft')
      const over = billed - BigInt(DOLLARS) * DOLLAR
      console.info(
        `soft, ${name}: ${calls(over)} calls over; ${2 * CLIENTS} in flight, ${lastSecond} in the last second`,
      )
      expect([...tally.statuses.keys()].toSorted()).toEqual([200, 412])
      expect(over).toBeGreaterThanOrEqual(0n)
      expect(calls(over)).toBeLessThanOrEqual(2 * CLIENTS + lastSecond)
    },
    120_000,
  )
})

describe('a budget that reserves', () => {
  test.each([
    ['two processes with Redis', ['one', 'two'], 'postgres'],
    ['one process with the embedded database', ['one'], 'pglite'],
  ] as const)(
    'is never exceeded, and spent to less than one call for each client: %s',
    async (_name, gateways, store) => {
      world = await openBudgetWorld({
        store,
        ...(store === 'postgres' ? { redisUrl: testServices().redisUrl } : {}),
      })
      const { tally, billed } = await spend(gateways, 'reserve')
      expect([...tally.statuses.keys()].toSorted()).toEqual([200, 412])
      expect(billed).toBeLessThanOrEqual(BigInt(DOLLARS) * DOLLAR)
      // What a call can cost at most is more than it does cost: its tokens are estimated before.
      expect(calls(BigInt(DOLLARS) * DOLLAR - billed)).toBeLessThanOrEqual(4 * gateways.length * CLIENTS)
    },
    120_000,
  )
})
