/**
 * One process of the race: `bun race-worker.ts <options as JSON>`. Prints a `RaceResult` as JSON.
 * Each worker charges some key, again and again, and where the race says so gives part of it back.
 */
import { Redis } from 'ioredis'
import { createLimitStore } from '../../../../src/limits/away/shared-limit-store.ts'
import { createRedisStore } from '../../../../src/limits/redis/redis-store.ts'
import { createMemoryStore } from '../../../../src/limits/ring/memory-store.ts'
import { goneAt } from '../../../../src/limits/ring/ring.ts'
import { GRIDS, grainOf } from '../../../../src/limits/ring/units.ts'
import type { RaceOptions } from './race.ts'
import type { RaceEvent } from './race-log.ts'
import { createRandom } from './random.ts'

const options: RaceOptions & { readonly seed: number; readonly processes: number } = JSON.parse(process.argv[2] ?? '')
const client = new Redis(options.redisUrl)
const { processes, leases } = options
const store = createLimitStore({
  memory: createMemoryStore({ now: Date.now }),
  shared: createRedisStore({ client, kind: 'single' }),
  clock: { now: Date.now, monotonicMs: () => performance.now() },
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  // A busy machine is no reason to count alone.
  deadlineMs: 60_000,
  replicas: () => processes,
  leases,
})
/** As the engine has them: one object for each. */
const keys = Array.from({ length: options.keys }, (_, place) => ({
  workspaceId: options.workspaceId,
  limitId: 'race',
  unit: options.unit,
  group: `key-${place}`,
  label: '',
}))
const events: RaceEvent[] = []
let refused = 0
let covered = 0

/** Milliseconds for which all processes call, and for which all rest. */
const BUSY_MS = 600
const REST_MS = 500
const isResting = (): boolean => leases && Date.now() % (BUSY_MS + REST_MS) > BUSY_MS

const work = async (worker: number): Promise<void> => {
  const random = createRandom(options.seed * 1_000 + worker)
  const endMs = performance.now() + options.seconds * 1_000
  while (performance.now() < endMs) {
    if (isResting()) {
      await Bun.sleep(5)
      continue
    }
    const place = random.below(options.keys)
    const weight = random.between(1, options.heaviest)
    const key = keys[place]
    if (key === undefined) continue
    const grain = grainOf(options.unit, options.limit, false)
    const beforeMs = Date.now()
    const admission = store.admit([
      { key, limit: options.limit, weight, grain, shadow: false, onStoreFailure: 'closed' },
    ])
    const isCovered = !(admission instanceof Promise)
    const isExact = Date.now() === beforeMs
    const { admitted, verdicts } = await admission
    const [verdict] = verdicts
    if (!admitted || verdict === undefined) {
      refused += 1
      continue
    }
    const { index, resetMs } = verdict
    const used = options.refunds ? random.between(0, weight) : weight
    const atMs = isCovered ? beforeMs : goneAt(index, GRIDS[options.unit]) - resetMs
    // Of a covered call in which the clock went on nobody knows when it was: it is left out.
    if (!isCovered || isExact) events.push({ place, atMs, weight: used })
    if (isCovered) covered += 1
    if (used < weight) store.settle([{ key, index, delta: used - weight, grain }], 'shared')
    // Nothing else would run where one call after the other is covered.
    if (isCovered && random.once(20)) await Bun.sleep(0)
  }
}

await Promise.all(Array.from({ length: options.workers }, (_, worker) => work(worker)))
await store.close()
client.disconnect()
await Bun.write(Bun.stdout, JSON.stringify({ events, refused, covered }))
