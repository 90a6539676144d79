import type { Redis } from 'ioredis'
import type { RedisStore } from '../../../src/limits/redis/redis-store.ts'
import { chargesOf, groupOf } from './charges.ts'

const CALLS = 20_000
const AT_ONCE = 50
const GROUPS = 500

/** Microseconds that one run of the script takes inside Redis, by its own account. */
export const measureScript = async (client: Redis, once: (turn: number) => Promise<unknown>): Promise<number> => {
  let turn = 0
  const work = async (until: number): Promise<void> => {
    while (turn < until) {
      turn += 1
      await once(turn)
    }
  }
  const all = (until: number) => Promise.all(Array.from({ length: AT_ONCE }, () => work(until)))
  await all(CALLS / 10)
  await client.config('RESETSTAT')
  await all(CALLS)
  const stats = await client.info('commandstats')
  return Number(/cmdstat_evalsha:.*?usec_per_call=([\d.]+)/.exec(stats)?.[1])
}

/** Calls of `count` charges that are admitted, spread over some groups. */
export const measureAdmit = (client: Redis, store: RedisStore, count: number): Promise<number> =>
  measureScript(client, (turn) => store.admit(chargesOf(count, { group: groupOf(turn % GROUPS) })))

/** Calls of `count` charges of which the first is refused by a ring that is as full as it gets. */
export const measureRefusal = async (client: Redis, store: RedisStore, count: number): Promise<number> => {
  const group = groupOf(999_999)
  const [full, ...others] = chargesOf(count, { group, unit: 'rpw', limit: 1_000 })
  if (full === undefined) throw new Error('There are no charges')
  const bucket = Math.floor(Date.now() / 7_200_000) * 10 + 9
  const buckets = Array.from({ length: 84 }, (_, place): [number, number] => [bucket - place * 10, 20])
  await store.merge([{ key: full.key, grain: 10, buckets }])
  return measureScript(client, () => store.admit([full, ...others]))
}
