import type { Cluster, Redis } from 'ioredis'
import type { RedisStore } from '../../../../src/limits/redis/redis-store.ts'
import type { LimitUnit } from '../../../../src/limits/ring/units.ts'
import { type Batch, createBatch } from './batch.ts'
import { createWorldClock } from './clock.ts'
import { createDriver, type Reference } from './driver.ts'
import { findWrongListing } from './listing.ts'
import { createOperations, type Operation, type Operations } from './operations.ts'
import { createRandom, type Random } from './random.ts'
import { createMemoryReference } from './reference.ts'
import { findBrokenState } from './state.ts'
import type { Subject } from './subject.ts'

export interface WorldOptions {
  readonly client: Redis | Cluster
  readonly subject: Subject
  readonly seed: number
  /** Calls of the store; each may charge, correct or merge several rings. */
  readonly operations: number
}

/** What does not agree, with all that is needed to see it again. */
export type Fault = string

const OPERATIONS_PER_BATCH = 400
const UNITS = ['rps', 'rpm', 'rph', 'rpd', 'rpw'] as const

/**
 * Does the same at the same times in Redis and in `ring.ts`, and compares every reply, and all state after every batch.
 *
 * Half of the worlds have a clock that never steps back. In those, keys of Redis expire, which nobody may notice, and the
 * store in memory and the list of groups have to agree too. In the others the clock is set back at will; nothing expires
 * there, as a ring that is forgotten knows no more what time it was.
 */
export const findFault = async ({ client, subject, seed, operations }: WorldOptions): Promise<Fault | undefined> => {
  const random = createRandom(seed)
  const units = someUnits(random)
  const steps = seed % 2 === 1
  const clock = createWorldClock(random, random.pick(units), steps)
  const workspaceId = `test-${crypto.randomUUID()}`
  const batch = createBatch({ client, scripts: subject.scripts, workspaceId, now: clock.now, expires: !steps })
  const store = subject.createRedisStore({ client, kind: 'cluster', run: batch.run })
  const lister = subject.createRedisStore({
    client,
    kind: 'cluster',
    async run(...script) {
      const reply = batch.run(...script)
      await batch.flush()
      return reply
    },
  })
  const driver = createDriver(clock.now, !steps)
  const source = createOperations(random, workspaceId, units, clock.now)
  const learning: Reference = {
    ...driver,
    admit(charges) {
      const admission = driver.admit(charges)
      source.learn(charges, admission)
      return admission
    },
    lease(asks, backs) {
      const grants = driver.lease(asks, backs)
      source.learnGrants(asks, grants)
      return grants
    },
  }
  const references = steps ? [learning] : [learning, createMemoryReference(clock.now, driver)]

  for (let done = 0; done < operations; done += OPERATIONS_PER_BATCH) {
    const count = Math.min(OPERATIONS_PER_BATCH, operations - done)
    const where = `world ${seed}, batch ${done / OPERATIONS_PER_BATCH}`
    const fault =
      (await findWrongReply({ store, batch, references, source, advance: clock.advance, count })) ??
      (await findBrokenState(client, subject, driver, clock.now())) ??
      (steps ? undefined : await findWrongListing(lister, driver, clock.now()))
    if (fault !== undefined) return `${where}: ${fault}`
  }
  return undefined
}

interface Round {
  readonly store: RedisStore
  readonly batch: Batch
  readonly references: readonly Reference[]
  readonly source: Operations
  readonly advance: () => void
  readonly count: number
}

const findWrongReply = async ({
  store,
  batch,
  references,
  source,
  advance,
  count,
}: Round): Promise<Fault | undefined> => {
  const asked: { operation: Operation; expected: unknown[]; reply: Promise<unknown> }[] = []
  for (let place = 0; place < count; place += 1) {
    advance()
    const operation = source.next()
    const expected = references.map((reference) => perform(reference, operation))
    const reply = Promise.resolve(perform(store, operation))
    // Looked at below, in order.
    reply.catch(() => undefined)
    asked.push({ operation, expected, reply })
  }
  await batch.flush()
  for (const [place, { operation, expected, reply }] of asked.entries()) {
    const actual = withoutBudgets(await reply.catch((error: unknown) => String(error)))
    const wrong = expected.find((one) => !Bun.deepEquals(one, actual, true))
    if (wrong !== undefined) {
      return `operation ${place}: ${Bun.inspect({ operation, expected: wrong, actual }, { depth: 6 })}`
    }
  }
  return undefined
}

/** No operation claims any. */
const withoutBudgets = (reply: unknown): unknown => {
  if (Array.isArray(reply)) return reply.map(withoutBudgets)
  if (typeof reply !== 'object' || reply === null || !('budgets' in reply)) return reply
  const { budgets: _, ...rest } = reply
  return rest
}

const perform = (target: Reference | RedisStore, operation: Operation): unknown => {
  switch (operation.kind) {
    case 'admit':
      return target.admit(operation.charges)
    case 'admit-all':
      return 'admitAll' in target
        ? target.admitAll(operation.checks.map((charges) => ({ charges, claims: [] })))
        : operation.checks.map((charges) => target.admit(charges))
    case 'peek':
      return target.peek(operation.charges)
    case 'settle':
      return target.settle(operation.settlements)
    case 'lease':
      return target.lease(operation.asks, operation.backs)
    case 'merge':
      return target.merge(operation.additions)
    case 'reset':
      return target.reset(operation.key)
  }
}

const someUnits = (random: Random): [LimitUnit, ...LimitUnit[]] => {
  const first = random.pick(UNITS)
  // Most of the time units whose windows pass at one clock: in a week nothing is left of a second.
  return random.once(2) ? [first] : [first, random.pick(UNITS)]
}
