/**
 * One process of the race: `bun race-worker.ts <options as JSON>`. Prints a `RaceResult` as JSON.
 * Each worker charges some key, again and again, and where the race says so gives part of it back.
 */
import { Redis } from 'ioredis'
import { createRedisStore } from '../../../../src/limits/redis/redis-store.ts'
import { goneAt } from '../../../../src/limits/ring/ring.ts'
import { GRIDS, grainOf } from '../../../../src/limits/ring/units.ts'
import type { RaceOptions } from './race.ts'
import type { RaceEvent } from './race-log.ts'
import { createRandom } from './random.ts'

const options: RaceOptions & { readonly seed: number } = JSON.parse(process.argv[2] ?? '')
const client = new Redis(options.redisUrl)
const store = createRedisStore({ client, kind: 'single' })
const events: RaceEvent[] = []
let refused = 0

const work = async (worker: number): Promise<void> => {
  const random = createRandom(options.seed * 1_000 + worker)
  const endMs = performance.now() + options.seconds * 1_000
  while (performance.now() < endMs) {
    const place = random.below(options.keys)
    const weight = random.between(1, options.heaviest)
    const key = {
      workspaceId: options.workspaceId,
      limitId: 'race',
      unit: options.unit,
      group: `key-${place}`,
      label: '',
    }
    const grain = grainOf(options.unit, options.limit, false)
    const { admitted, verdicts } = await store.admit([{ key, limit: options.limit, weight, grain, shadow: false }])
    const [verdict] = verdicts
    if (!admitted || verdict === undefined) {
      refused += 1
      continue
    }
    const { index, resetMs } = verdict
    const used = options.refunds ? random.between(0, weight) : weight
    events.push({ place, atMs: goneAt(index, GRIDS[options.unit]) - resetMs, weight: used })
    if (used < weight) await store.settle([{ key, index, delta: used - weight, grain }])
  }
}

await Promise.all(Array.from({ length: options.workers }, (_, worker) => work(worker)))
client.disconnect()
await Bun.write(Bun.stdout, JSON.stringify({ events, refused }))
