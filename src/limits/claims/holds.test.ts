import { expect, test } from 'bun:test'
import type { BudgetHold, Counter } from '../../budgets/counter.ts'
import { claimOf, counterOf } from '../test-support/claims.ts'
import { createManualTime } from '../test-support/manual-time.ts'
import { judgeClaims } from './claims.ts'
import { createHolds } from './holds.ts'

const HOUR_MS = 3_600_000

const created = () => {
  const time = createManualTime()
  const heard: Counter[] = []
  const holds = createHolds({ monotonicMs: time.clock.monotonicMs, onRelease: (counter) => heard.push(counter) })
  const take = (counter: Counter, weight: number): BudgetHold => {
    const claims = [claimOf(counter, { weight })]
    const verdicts = judgeClaims(claims)
    holds.take(claims, verdicts)
    const hold = verdicts[0]?.hold
    if (hold === undefined) throw new Error('nothing was held')
    return hold
  }
  return { time, holds, heard, take }
}

test('what is held is given back once, in parts or whole, however often it is asked', () => {
  const { holds, heard, take } = created()
  const counter = counterOf()
  const [first, second] = [take(counter, 7), take(counter, 5)]
  expect([counter.held, holds.size]).toEqual([12, 2])
  holds.release(first, 3)
  expect([counter.held, first.weight, holds.size]).toEqual([9, 4, 2])
  holds.release(first, 100)
  holds.release(first)
  expect([counter.held, first.weight, holds.size]).toEqual([5, 0, 1])
  expect(heard).toHaveLength(2)
  for (const nothing of [0, -4, Number.NaN]) holds.release(second, nothing)
  expect([counter.held, second.weight, heard.length]).toEqual([5, 5, 2])
})

test('claims without weight and those in shadow mode hold nothing', () => {
  const { holds } = created()
  const counters = [counterOf('soft'), counterOf('shadow'), counterOf('reserve')]
  const weights = [0, 5, 5]
  const claims = counters.map((counter, place) =>
    claimOf(counter, { weight: weights[place] ?? 0, shadow: place === 1 }),
  )
  const verdicts = judgeClaims(claims)
  holds.take(claims, verdicts)
  expect(counters.map(({ held }) => held)).toEqual([0, 0, 5])
  expect(verdicts.map(({ hold }) => hold?.weight)).toEqual([undefined, undefined, 5])
})

test('a call that never ended holds nothing after an hour, and its late end gives back nothing more', async () => {
  const { time, holds, take } = created()
  const counter = counterOf()
  const old = take(counter, 7)
  await time.advance(HOUR_MS / 2)
  const young = take(counter, 5)
  await time.advance(HOUR_MS / 2 - 1)
  holds.sweep()
  expect(counter.held).toBe(12)
  await time.advance(1_000)
  holds.sweep()
  expect([counter.held, old.weight, young.weight]).toEqual([5, 0, 5])
  holds.release(old)
  expect(counter.held).toBe(5)
})

test('a sweep is bounded, and looks once a second', async () => {
  const { time, holds, take } = created()
  const counter = counterOf()
  for (let call = 0; call < 1_500; call += 1) take(counter, 1)
  await time.advance(HOUR_MS)
  holds.sweep()
  holds.sweep()
  expect(counter.held).toBe(500)
  await time.advance(1_000)
  holds.sweep()
  expect([counter.held, holds.size]).toEqual([0, 0])
})
