import { describe, expect, test } from 'bun:test'
import { backOffMs, mayPass, restMs } from './pace.ts'

const NIGHTLY = { completionWindow: '24h' } as const
const headers = (fields: Record<string, string> = {}): Headers => new Headers(fields)

describe('a line is asked again', () => {
  test('for what may pass, and for nothing else', () => {
    expect([408, 409, 429, 500, 502, 503, 504, 529].every(mayPass)).toBeTrue()
    expect([200, 400, 401, 403, 404, 412, 413, 422, 446].some(mayPass)).toBeFalse()
  })

  test('later each time, by chance between half and all, and not before it is asked to', () => {
    expect([0, 1, 2, 3].map((tries) => backOffMs(tries, undefined, 0))).toEqual([250, 500, 1_000, 2_000])
    expect([0, 1, 2].map((tries) => backOffMs(tries, headers(), 1))).toEqual([500, 1_000, 2_000])
    expect(backOffMs(100, undefined, 1)).toBe(60_000)
    expect(backOffMs(0, headers({ 'retry-after': '7' }), 0)).toBe(7_000)
    expect(backOffMs(0, headers({ 'retry-after': 'Tue, 24 Nov 2026 00:00:00 GMT' }), 1)).toBe(500)
  })
})

describe('a batch of 24 hours rests', () => {
  const limits = (left: number, reset: string, type = 'requests') =>
    headers({
      [`x-ratelimit-limit-${type}`]: '100',
      [`x-ratelimit-remaining-${type}`]: String(left),
      [`x-ratelimit-reset-${type}`]: reset,
    })

  test('while its limits have less left than what is for others', () => {
    expect(restMs(NIGHTLY, 200, limits(50, '60s'), 0.2)).toBeUndefined()
    expect(restMs(NIGHTLY, 200, limits(20, '60s'), 0.2)).toBeUndefined()
    expect(restMs(NIGHTLY, 200, limits(10, '60s'), 0.2)).toBe(6_000)
    expect(restMs(NIGHTLY, 200, limits(0, '1m40s', 'tokens'), 0.2)).toBe(20_000)
    expect(restMs(NIGHTLY, 200, limits(19, '17ms'), 0.2)).toBe(200)
    expect(restMs(NIGHTLY, 200, limits(0, '3h0m0s'), 0.5)).toBe(60_000)
    expect(restMs(NIGHTLY, 200, headers(), 0.2)).toBeUndefined()
  })

  test('when it was refused, for as long as it is told to', () => {
    expect(restMs(NIGHTLY, 429, headers({ 'retry-after': '9' }), 0.2)).toBe(9_000)
    expect(restMs(NIGHTLY, 429, headers(), 0.2)).toBe(5_000)
  })

  test('and one that is to run at once never does', () => {
    expect(restMs({ completionWindow: 'immediate' }, 429, limits(0, '60s'), 0.2)).toBeUndefined()
  })
})
