import { afterAll, describe, expect, test } from 'bun:test'
import { connectTestRedis } from './support/services.ts'
import { SUBJECT } from './support/subject.ts'
import { findFault } from './support/world.ts'

const redis = connectTestRedis()
afterAll(() => redis.close())

const OPERATIONS_PER_WORLD = 10_000
/** `WEIR_SEED` makes a run look elsewhere. */
const FIRST_SEED = Number(process.env.WEIR_SEED ?? 1_000)
const DEADLINE_MS = 600_000

/** Worlds of each. */
const SHARES = [
  ['one server', redis.single, 92],
  ['a Cluster of three', redis.cluster, 8],
] as const

describe.each(SHARES)('on %s', (_name, client, worlds) => {
  test(
    `${worlds * OPERATIONS_PER_WORLD} operations give the replies and the state of the ring`,
    async () => {
      for (let world = 0; world < worlds; world += 1) {
        const fault = await findFault({
          client,
          subject: SUBJECT,
          seed: FIRST_SEED + world,
          operations: OPERATIONS_PER_WORLD,
        })
        expect(fault).toBeUndefined()
      }
    },
    DEADLINE_MS,
  )
})

test('together they are a million', () => {
  const worlds = SHARES.reduce((sum, [, , share]) => sum + share, 0)
  expect(worlds * OPERATIONS_PER_WORLD).toBeGreaterThanOrEqual(1_000_000)
})
