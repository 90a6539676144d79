import type { Cluster, Redis } from 'ioredis'
import { GRIDS } from '../../../../src/limits/ring/units.ts'
import type { Driver } from './driver.ts'
import type { Subject } from './subject.ts'

/** As in `scripts/ring.lua`. */
const FIELDS = 4096

/** What is wrong in the hashes of Redis themselves: their sum is that of their buckets, and those are the driver's. */
export const findBrokenState = async (
  client: Redis | Cluster,
  { redisKeyOf }: Subject,
  driver: Driver,
  nowMs: number,
): Promise<string | undefined> => {
  const names = [...driver.rings.values()].map(({ key }) => redisKeyOf(key))
  const hashes = await Promise.all(names.map((name) => client.hgetall(name)))
  for (const [place, { key, ring }] of [...driver.rings.values()].entries()) {
    const { buckets, bucketMs } = GRIDS[key.unit]
    const { s, h, t, g: _, ...fields } = hashes[place] ?? {}
    const live = (newest: number) => [...ring.buckets].filter(([index]) => index >= newest - buckets).toSorted(byIndex)
    if (s === undefined) {
      if (live(Math.max(Math.floor(nowMs / bucketMs), ring.newest)).length === 0) continue
      return `ring ${names[place]} is gone and should hold ${Bun.inspect(live(ring.newest))}`
    }
    const held = Object.entries(fields)
      .map(([field, weight]): [number, number] => [indexOf(Number(field), Number(t)), Number(weight)])
      .toSorted(byIndex)
    const sum = held.reduce((total, [, weight]) => total + weight, 0)
    const agrees =
      Number(s) === sum &&
      held.every(([, weight]) => weight > 0) &&
      Number(h) === ring.newest &&
      (held.length === 0 || held[0]?.[0] === Number(t)) &&
      Bun.deepEquals(held, live(ring.newest))
    if (!agrees) {
      const expected = { newest: ring.newest, buckets: live(ring.newest) }
      return `ring ${names[place]} holds ${Bun.inspect({ s, h, t, sum, held })} and should hold ${Bun.inspect(expected)}`
    }
  }
  return undefined
}

const indexOf = (field: number, oldest: number): number => oldest + ((((field - oldest) % FIELDS) + FIELDS) % FIELDS)

const byIndex = ([left]: readonly [number, number], [right]: readonly [number, number]): number => left - right
