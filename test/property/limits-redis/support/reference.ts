import { createMemoryStore } from '../../../../src/limits/ring/memory-store.ts'
import { GRIDS } from '../../../../src/limits/ring/units.ts'
import type { Reference } from './driver.ts'

/** The store in memory, with rings merged through its `seed`. Only where the clock never steps back. */
export const createMemoryReference = (now: () => number): Reference => {
  const store = createMemoryStore({ now })
  return {
    admit: (charges) => store.admit(charges),
    peek: (charges) => store.peek(charges),
    settle: (settlements) => store.settle(settlements),
    reset: (key) => store.reset(key),
    merge(additions) {
      for (const { key, grain, buckets } of additions) {
        const grid = GRIDS[key.unit]
        const bucket = Math.floor(now() / grid.bucketMs)
        const current = bucket - (bucket % grain) + grain - 1
        for (const [index, weight] of buckets) {
          if (index >= bucket - grid.buckets) store.adjust(key, Math.min(index, current), weight)
        }
      }
    },
  }
}
