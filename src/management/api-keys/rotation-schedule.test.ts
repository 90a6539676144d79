import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { RotationPolicy } from '../../store/schema/api-keys.ts'
import { nextRotation, rotationAfter, shortestPeriodMs } from './rotation-schedule.ts'

const DAY_MS = 86_400_000
const at = (text: string): number => Date.parse(text)
const monthly = (anchorAt: string): RotationPolicy => ({ rotationPeriod: 'monthly', anchorAt })

/** The first rotations of a policy, each found from the one before. */
const rotations = (policy: RotationPolicy, count: number): string[] => {
  let afterMs = at(policy.anchorAt)
  return Array.from({ length: count }, () => {
    const next = nextRotation(policy, afterMs)
    if (next === undefined) throw new Error('the policy has no period')
    afterMs = next.getTime()
    return next.toISOString()
  })
}

describe('the end of a month', () => {
  test('is the same day, or the last one of a shorter month, and comes back to the day', () => {
    expect(rotations(monthly('2027-01-31T23:59:59.999Z'), 4)).toEqual([
      '2027-02-28T23:59:59.999Z',
      '2027-03-31T23:59:59.999Z',
      '2027-04-30T23:59:59.999Z',
      '2027-05-31T23:59:59.999Z',
    ])
  })

  test.each([
    ['2028-01-30T12:00:00.000Z', '2028-02-29T12:00:00.000Z'],
    ['2027-12-31T00:00:00.000Z', '2028-01-31T00:00:00.000Z'],
    // 2100 has no leap day, 2000 had one.
    ['2100-01-29T00:00:00.000Z', '2100-02-28T00:00:00.000Z'],
    ['2000-01-31T00:00:00.000Z', '2000-02-29T00:00:00.000Z'],
    ['2028-02-29T00:00:00.000Z', '2028-03-29T00:00:00.000Z'],
  ])('from %s is %s', (anchorAt, next) => {
    expect(rotations(monthly(anchorAt), 1)).toEqual([next])
  })

  test('a leap day comes back after a year', () => {
    expect(rotations(monthly('2028-02-29T00:00:00.000Z'), 12).at(-1)).toBe('2029-02-28T00:00:00.000Z')
    expect(rotations(monthly('2028-02-29T00:00:00.000Z'), 48).at(-1)).toBe('2032-02-29T00:00:00.000Z')
  })
})

const times = fc.date({
  min: new Date('2024-01-01T00:00:00Z'),
  max: new Date('2100-12-31T23:59:59.999Z'),
  noInvalidDate: true,
})

describe('until 2100', () => {
  test('a month ends once in each, at the time of day and on the day that it began, or the last one', () => {
    fc.assert(
      fc.property(times, times, (anchor, after) => {
        const next = nextRotation(monthly(anchor.toISOString()), after.getTime())
        if (next === undefined) throw new Error('no end')
        expect(next.getTime()).toBeGreaterThan(Math.max(after.getTime(), anchor.getTime()))
        expect(next.getTime() % DAY_MS).toBe(anchor.getTime() % DAY_MS)
        const lastDay = new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1, 0)).getUTCDate()
        expect(next.getUTCDate()).toBe(Math.min(anchor.getUTCDate(), lastDay))
        // Nothing lies between: whoever asks a month before gets this one or an earlier one that is over.
        const before = nextRotation(monthly(anchor.toISOString()), next.getTime() - 1)
        expect(before).toEqual(next)
        const months = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth()
        const start = Math.max(months(after), months(anchor))
        expect(months(next) - start).toBeOneOf([0, 1])
      }),
      { numRuns: 2_000 },
    )
  })

  test('days are whole ones from where they began, whatever time is asked after', () => {
    fc.assert(
      fc.property(times, times, fc.integer({ min: 1, max: 365 }), (anchor, after, rotationPeriodDays) => {
        const policy = { rotationPeriodDays, anchorAt: anchor.toISOString() }
        const next = nextRotation(policy, after.getTime())?.getTime() ?? 0
        const lengthMs = rotationPeriodDays * DAY_MS
        expect((next - anchor.getTime()) % lengthMs).toBe(0)
        expect(next).toBeGreaterThan(Math.max(after.getTime(), anchor.getTime()))
        expect(next - Math.max(after.getTime(), anchor.getTime())).toBeLessThanOrEqual(lengthMs)
      }),
      { numRuns: 2_000 },
    )
  })
})

test('a week is seven days, and a policy without a period rotates no more', () => {
  expect(rotations({ rotationPeriod: 'weekly', anchorAt: '2026-03-28T12:00:00.000Z' }, 2)).toEqual([
    '2026-04-04T12:00:00.000Z',
    '2026-04-11T12:00:00.000Z',
  ])
  expect(nextRotation({ anchorAt: '2026-03-28T12:00:00.000Z' }, 0)).toBeUndefined()
  expect(shortestPeriodMs({})).toBeUndefined()
  expect(shortestPeriodMs({ rotationPeriod: 'monthly' })).toBe(28 * DAY_MS)
})

describe('after a rotation', () => {
  const daily: RotationPolicy = { rotationPeriodDays: 1, anchorAt: '2026-01-01T09:00:00.000Z' }

  test('that came in time, the next is a period later', () => {
    const due = at('2026-01-05T09:00:00Z')
    expect(rotationAfter(daily, due, due + 5_000)?.toISOString()).toBe('2026-01-06T09:00:00.000Z')
  })

  test('that came days late, the next is not ten minutes later', () => {
    const late = at('2026-01-08T08:50:00Z')
    expect(rotationAfter(daily, at('2026-01-05T09:00:00Z'), late)?.toISOString()).toBe('2026-01-09T09:00:00.000Z')
  })

  test('by a clock that stepped back, the next is still to come', () => {
    fc.assert(
      fc.property(times, times, (due, now) => {
        const next = rotationAfter(daily, due.getTime(), now.getTime())?.getTime() ?? 0
        expect(next).toBeGreaterThan(now.getTime())
      }),
    )
  })
})
