import type { Redis } from 'ioredis'
import type { LimitCharge, LimitStore } from '../../../src/limits/away/limit-store.ts'
import { createLimitStore } from '../../../src/limits/away/shared-limit-store.ts'
import { createRedisStore } from '../../../src/limits/redis/redis-store.ts'
import { createMemoryStore } from '../../../src/limits/ring/memory-store.ts'
import { claimOf, counterOf, type TestCounter } from '../../../src/limits/test-support/claims.ts'
import { chargesOf, groupOf, WORKSPACE_ID } from './charges.ts'
import { plain, type Row, us } from './table.ts'
import { readCpuSeconds } from './throughput.ts'

const CALLS = 20_000
const ROUNDS = 7
const AT_ONCE = 32
const GROUPS = 500
const LIMIT = 9_000_000_000_000_000

type Kind = 'none' | 'soft' | 'reserve'
const WEIGHTS: Readonly<Record<Kind, number>> = { none: 0, soft: 0, reserve: 1_000_000 }

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const clock = { now: Date.now, monotonicMs: () => performance.now() }

const charges: readonly (readonly LimitCharge[])[] = Array.from({ length: GROUPS }, (_, turn) =>
  chargesOf(2, { group: groupOf(turn) }).map((charge) => ({ ...charge, onStoreFailure: 'local' })),
)
const counters: readonly TestCounter[][] = Array.from({ length: GROUPS }, (_, turn) =>
  ['3c2b1a00-5d0a-4b62-9a53-0d5f6f2c1a90', 'workspace.cost'].map((budgetId) =>
    counterOf('budget', {
      key: { workspaceId: WORKSPACE_ID, budgetId, group: groupOf(turn), startMs: 1_767_225_600_000 },
      stored: 1_000_000_000,
    }),
  ),
)

/** One call: it is admitted, and at its end what it held is given back. */
const call = async (store: LimitStore, kind: Kind, turn: number): Promise<void> => {
  const charged = charges[turn % GROUPS] ?? []
  if (kind === 'none') {
    await store.admit(charged)
    return
  }
  const claimed = counters[turn % GROUPS] ?? []
  const { budgets } = await store.admit(
    charged,
    claimed.map((counter) => claimOf(counter, { limit: LIMIT, weight: WEIGHTS[kind] })),
  )
  for (const { hold } of budgets) if (hold !== undefined) store.release(hold)
}

/** Seconds of processor time that this process has used. */
const ownSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** Microseconds of processor time for each call. */
const cpuOf = async (store: LimitStore, kind: Kind, secondsUsed: () => number | Promise<number>): Promise<number> => {
  let turn = 0
  const work = async (): Promise<void> => {
    while (turn < CALLS) {
      turn += 1
      await call(store, kind, turn)
    }
  }
  const before = await secondsUsed()
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return (((await secondsUsed()) - before) * 1e6) / CALLS
}

/** The best of some rounds by turns: what else the machine does can only add to it. */
const bestOf = async (
  store: LimitStore,
  secondsUsed: () => number | Promise<number> = ownSeconds,
): Promise<Readonly<Record<Kind, number>>> => {
  const best: Record<Kind, number> = { none: Infinity, soft: Infinity, reserve: Infinity }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const kind of ['none', 'soft', 'reserve'] as const)
      best[kind] = Math.min(best[kind], await cpuOf(store, kind, secondsUsed))
  }
  return best
}

const rowsOf = (what: string, { none, soft, reserve }: Readonly<Record<Kind, number>>): Row[] => [
  plain(`${what}, two limits`, us(none)),
  ...(
    [
      ['soft', soft],
      ['reserve', reserve],
    ] as const
  ).map(([kind, spent]) => ({
    metric: `${what}, two limits and two budgets (${kind}), beyond that`,
    target: '≤ 5 µs',
    measured: us(spent - none),
    met: spent - none <= 5,
  })),
]

/** Two budgets beside two limits, of which no further round trip comes: what that adds to a call. */
export const budgetRows = async (client: Redis): Promise<Row[]> => {
  const memory = createLimitStore({ memory: createMemoryStore({ now: Date.now }), clock, log, replicas: () => 1 })
  const shared = createLimitStore({
    memory: createMemoryStore({ now: Date.now }),
    shared: createRedisStore({ client, kind: 'single' }),
    clock,
    log,
    replicas: () => 1,
    deadlineMs: 60_000,
  })
  const byItself = createRedisStore({ client, kind: 'single' })
  const alone = createLimitStore({
    memory: createMemoryStore({ now: Date.now }),
    shared: {
      ...byItself,
      admitAll: (checks) => Promise.all(checks.map(({ charges, claims }) => byItself.admit(charges, claims))),
    },
    clock,
    log,
    replicas: () => 1,
    deadlineMs: 60_000,
  })
  const rows = [
    ...rowsOf('Processor time of a call without Redis', await bestOf(memory)),
    ...rowsOf('Processor time of a call in the gateway with Redis, 32 at once', await bestOf(shared)),
    ...rowsOf('Processor time of Redis for a call by itself', await bestOf(alone, () => readCpuSeconds(client))),
  ]
  await Promise.all([shared.close(), alone.close()])
  return rows
}
