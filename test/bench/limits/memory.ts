import type { Redis } from 'ioredis'
import { redisKeyOf } from '../../../src/limits/redis/redis-keys.ts'
import type { RedisStore } from '../../../src/limits/redis/redis-store.ts'
import { GRIDS, type LimitUnit } from '../../../src/limits/ring/units.ts'
import { chargeOf, groupOf } from './charges.ts'

export interface RingSize {
  readonly name: string
  readonly bytes: number
  readonly encoding: string
}

/** Bytes of one ring that holds `weight` in each of `buckets` buckets. */
const measureRing = async (
  client: Redis,
  store: RedisStore,
  { unit, grain, buckets, weight }: { unit: LimitUnit; grain: number; buckets: number; weight: number },
): Promise<RingSize> => {
  const { key } = chargeOf(0, { unit, group: groupOf(buckets) })
  const current = Math.floor(Date.now() / GRIDS[unit].bucketMs)
  const index = current - (current % grain) + grain - 1
  // In the order of time, as calls would have come.
  const filled = Array.from({ length: buckets }, (_, place): [number, number] => [
    index - (buckets - 1 - place) * grain,
    weight,
  ])
  await store.merge([{ key, grain, buckets: filled }])
  const name = redisKeyOf(key)
  const held = Object.keys(await client.hgetall(name)).length - 3
  const size = {
    name: `${unit}, ${held} buckets of ${weight}`,
    bytes: Number(await client.memory('USAGE', name)),
    encoding: String(await client.object('ENCODING', name)),
  }
  await store.reset(key)
  return size
}

export const measureLight = (client: Redis, store: RedisStore): Promise<RingSize> =>
  measureRing(client, store, { unit: 'rpm', grain: 1, buckets: 1, weight: 1 })

/** Rings as full as units allow, the largest first. Of a second, most would have left again before it is looked at. */
export const measureFull = async (client: Redis, store: RedisStore): Promise<RingSize[]> => {
  const sizes = [
    await measureRing(client, store, { unit: 'rpm', grain: 10, buckets: 61, weight: 123_456 }),
    await measureRing(client, store, { unit: 'rpm', grain: 1, buckets: 100, weight: 1 }),
    await measureRing(client, store, { unit: 'rpd', grain: 10, buckets: 97, weight: 123_456_789 }),
    await measureRing(client, store, { unit: 'rpw', grain: 10, buckets: 85, weight: 123_456_789 }),
  ]
  return sizes.toSorted((left, right) => right.bytes - left.bytes)
}
