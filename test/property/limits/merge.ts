import fc from 'fast-check'
import type { Ring } from '../../../src/limits/ring/ring.ts'
import { GRIDS, type WindowGrid } from '../../../src/limits/ring/units.ts'
import { hold, type RingFunctions } from './subject.ts'

const START_MS = 1_700_000_000_000

/** A step of two processes that count the same limit apart. */
const stepArbitrary = () =>
  fc.record({
    afterMs: fc.oneof(fc.nat({ max: 50 }), fc.nat({ max: 9_000 }), fc.nat({ max: 70_000 })),
    atFirst: fc.boolean(),
    weight: fc.integer({ min: 1, max: 9 }),
    grain: fc.constantFrom(1, 10),
    kind: fc.constantFrom('charge', 'charge', 'debit', 'refund'),
  })

interface Charged {
  readonly ring: Ring
  readonly index: number
  readonly weight: number
}

const bucketsOf = ({ buckets }: Ring): string => JSON.stringify([...buckets])

/**
 * I10: two rings put together, bucket by bucket, are the ring of both histories.
 * @throws Error of fast-check with the shortest history that breaks it
 */
export const runMerges = (
  functions: RingFunctions,
  { runs, seed, shrink = true }: { readonly runs: number; readonly seed?: number; readonly shrink?: boolean },
): void => {
  const grid: WindowGrid = GRIDS.rpm

  const charge = (ring: Ring, weight: number, grain: number, nowMs: number): number => {
    const claim = { limit: 20, weight, grain, shadow: true }
    return functions.commit(ring, grid, claim, functions.judge(ring, grid, claim, nowMs), nowMs).index
  }

  fc.assert(
    fc.property(fc.array(stepArbitrary(), { minLength: 1, maxLength: 60 }), (steps) => {
      const [first, second, both] = [functions.createRing(), functions.createRing(), functions.createRing()]
      const charges: Charged[] = []
      let nowMs = START_MS
      for (const { afterMs, atFirst, weight, grain, kind } of steps) {
        nowMs += afterMs
        const ring = atFirst ? first : second
        if (kind === 'charge') {
          charges.push({ ring, index: charge(ring, weight, grain, nowMs), weight })
          charge(both, weight, grain, nowMs)
        } else if (kind === 'debit') {
          functions.debit(ring, grid, weight, grain, nowMs)
          functions.debit(both, grid, weight, grain, nowMs)
        } else {
          const settled = charges.shift()
          if (settled === undefined) continue
          const given = Math.min(settled.weight, weight)
          functions.refund(settled.ring, settled.index, given)
          functions.refund(both, settled.index, given)
        }
      }
      const merged = functions.copyRing(first)
      for (const [index, weight] of second.buckets) functions.add(merged, index, weight)
      const claim = { limit: 20, weight: 1, grain: 1, shadow: false }
      const fits = [merged, both].map((ring) => functions.judge(ring, grid, claim, nowMs))
      const verdicts = [merged, both].map((ring, place) =>
        JSON.stringify(functions.describe(ring, grid, claim, fits[place] ?? 'never', nowMs)),
      )
      hold(bucketsOf(merged) === bucketsOf(both), 'I10: the same buckets', () => [bucketsOf(merged), bucketsOf(both)])
      hold(verdicts[0] === verdicts[1], 'I10: the same verdict', () => verdicts)
    }),
    { numRuns: runs, endOnFailure: !shrink, ...(seed === undefined ? {} : { seed }) },
  )
}
