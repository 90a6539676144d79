import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { FirstTokenTimes } from './first-token-times.ts'

const SETTINGS = { minMs: 10_000, unknownMs: 15_000, thinkingMs: 120_000 }
const MINUTE_MS = 60_000

const createTimes = () => {
  const clock = { nowMs: 1_000_000 }
  const times = new FirstTokenTimes(SETTINGS, () => clock.nowMs)
  const learn = (...tookMs: readonly number[]): void => {
    for (const each of tookMs) times.answered('t', each)
  }
  return { clock, times, learn, limit: (thinks = false) => times.limitMs('t', thinks) }
}

describe('the limit', () => {
  test('is a fixed one before anything is known, and for each target alone', () => {
    const { learn, limit, times } = createTimes()
    expect(limit()).toBe(15_000)
    learn(9_000)
    expect([limit(), times.limitMs('another', false)]).toEqual([36_000, 15_000])
  })

  test.each([
    ['quick ones leave the least', Array(40).fill(300), 10_000],
    ['four times the p95', Array(40).fill(5_000), 20_000],
    ['one slow one of twenty is beyond the p95', [...Array(19).fill(3_000), 50_000], 12_000],
    ['two of twenty are not', [...Array(18).fill(3_000), 50_000, 50_000], 200_000],
    ['only the last forty count', [...Array(40).fill(50_000), ...Array(40).fill(3_000)], 12_000],
  ])('is learnt from answers: %s', (_name, tookMs, expected) => {
    const { learn, limit } = createTimes()
    learn(...tookMs)
    expect(limit()).toBe(expected)
  })

  test('forgets what was long ago', () => {
    const { clock, learn, limit } = createTimes()
    learn(9_000)
    clock.nowMs += 15 * MINUTE_MS
    expect(limit()).toBe(36_000)
    clock.nowMs += 1
    expect(limit()).toBe(15_000)
    learn(100)
    expect(limit()).toBe(10_000)
  })

  test('of a model that thinks is never below that of thinking', () => {
    const { learn, limit, times } = createTimes()
    expect(limit(true)).toBe(120_000)
    learn(200)
    expect(limit(true)).toBe(120_000)
    times.late('t')
    expect(limit(true)).toBe(120_000)
    learn(...Array(40).fill(40_000))
    expect(limit(true)).toBe(160_000)
  })

  test('of a model that was seen thinking is that of thinking', () => {
    const { limit, times } = createTimes()
    times.thought('t')
    expect(limit()).toBe(120_000)
  })
})

describe('a time-out', () => {
  test('doubles the limit for a minute, and an answer within that is learnt from', () => {
    const { clock, limit, learn, times } = createTimes()
    learn(200)
    times.late('t')
    expect(limit()).toBe(20_000)
    learn(18_000)
    expect(limit()).toBe(72_000)
    times.late('t')
    expect(limit()).toBe(120_000)
    clock.nowMs += MINUTE_MS
    expect(limit()).toBe(72_000)
  })

  test('of a target that hangs does not, however many there are', () => {
    const { clock, limit, times } = createTimes()
    const seen = new Set<number>()
    for (let call = 0; call < 600; call++) {
      seen.add(limit())
      times.late('t')
      if (call % 20 === 0) clock.nowMs += MINUTE_MS / 4
    }
    expect([...seen]).toEqual([15_000, 30_000])
  })

  test('neither lowers nor raises the limit without end, whatever happens', () => {
    const event = fc.oneof(
      fc.record({ answered: fc.integer({ min: 1, max: 60_000 }) }),
      fc.constant({ late: true }),
      fc.record({ waits: fc.integer({ min: 0, max: 20 * MINUTE_MS }) }),
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 200 }), (events) => {
        const { clock, limit, learn, times } = createTimes()
        let slowestMs = 0
        for (const each of events) {
          if ('answered' in each) {
            slowestMs = Math.max(slowestMs, each.answered)
            learn(each.answered)
          } else if ('late' in each) times.late('t')
          else clock.nowMs += each.waits
          expect(limit()).toBeGreaterThanOrEqual(10_000)
          expect(limit()).toBeLessThanOrEqual(Math.max(30_000, 8 * slowestMs))
        }
      }),
    )
  })
})

describe('the memory', () => {
  test('is bounded: who was heard of longest ago is forgotten, and no endless name is kept', () => {
    const { times } = createTimes()
    for (let index = 0; index <= 2_000; index++) {
      times.answered(`t${index}`, 9_000)
      times.answered('t1', 9_000)
    }
    const limits = ['t0', 't1', 't2', 't3', 't2000'].map((key) => times.limitMs(key, false))
    expect(limits).toEqual([15_000, 36_000, 36_000, 36_000, 36_000])
    const long = 'x'.repeat(501)
    times.answered(long, 9_000)
    times.late(long)
    times.thought(long)
    expect(times.limitMs(long, false)).toBe(15_000)
  })

  test('tells what is known', () => {
    const { learn, times } = createTimes()
    expect(times.knowledge('t', false)).toEqual({ limitMs: 15_000, answers: 0 })
    learn(4_000, 5_000)
    expect(times.knowledge('t', false)).toEqual({ limitMs: 20_000, answers: 2, p95Ms: 5_000 })
    expect(times.knowledge('t', true)).toEqual({ limitMs: 120_000, answers: 2, p95Ms: 5_000 })
  })
})
