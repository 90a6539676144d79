import { createMemoryStore } from '../../../../src/limits/ring/memory-store.ts'
import type { RingKey } from '../../../../src/limits/ring/ring-store.ts'
import { GRIDS } from '../../../../src/limits/ring/units.ts'
import type { Driver, Reference } from './driver.ts'

const NO_CHUNK = { index: 0, weight: 0 }

/**
 * The store in memory, with rings merged through its `seed`. Only where the clock never steps back.
 * @param driver has just done the same: it says which generations are those of Redis
 */
export const createMemoryReference = (now: () => number, driver: Pick<Driver, 'notes'>): Reference => {
  const store = createMemoryStore({ now })
  const nothing = { limit: 1, grain: 1, wanted: 0, share: 1, inHand: 0, last: NO_CHUNK, leaseMs: 0, generation: '' }
  const generationOf = (key: RingKey): string => store.lease({ ...nothing, key }).generation
  return {
    admit: (charges) => store.admit(charges),
    peek: (charges) => store.peek(charges),
    lease(asks, backs) {
      const { known, generations } = driver.notes
      for (const [place, back] of backs.entries()) {
        if (known[place] === true) store.giveBack({ ...back, generation: generationOf(back.key) })
      }
      return asks.map((ask, place) => {
        const isKnown = known[backs.length + place] === true
        const generation = isKnown ? generationOf(ask.key) : 'another'
        return { ...store.lease({ ...ask, generation }), generation: generations[place] ?? '' }
      })
    },
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
