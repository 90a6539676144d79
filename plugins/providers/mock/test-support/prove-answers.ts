import { expect } from 'bun:test'
import type { FaultName } from '../faults.ts'
import { type Call, errorOf, type Proof } from './fault-kit.ts'
import { text } from './stream.ts'

/** Faults that answer something else. */
export const ANSWERS = {
  'error-in-200': async ({ call }) => {
    for (const stream of [true, false]) {
      const answer = await call('error-in-200', stream)
      expect(answer.status).toBe(200)
      expect(errorOf(answer).type).toBe('overloaded_error')
    }
  },
  'empty-choices': async ({ call }) => {
    const answer = await call('empty-choices', false)
    expect([answer.status, JSON.parse(text(answer)).choices]).toEqual([200, []])
  },
  'not-json': async ({ call }) => {
    const answer = await call('not-json', false)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(() => JSON.parse(text(answer))).toThrow()
  },
  'empty-body': async ({ call }) => {
    const answer = await call('empty-body', false)
    expect([answer.status, answer.headers.get('content-length'), answer.body.length]).toEqual([200, '0', 0])
  },
  status: async ({ call }) => {
    for (const status of [400, 401, 403, 404, 429, 500, 503]) {
      const answer = await call('status', status % 2 === 0, { status })
      expect(answer.status).toBe(status)
      expect(errorOf(answer).message).toContain(String(status))
    }
    expect((await call('status', false)).status).toBe(500)
    const limited = await call('status', false, { retryAfter: '7' })
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7'])
  },
  overloaded: async ({ call }) => {
    const answer = await call('overloaded', true)
    expect([answer.status, errorOf(answer).type]).toEqual([529, 'overloaded_error'])
  },
  'rate-limited': async ({ call }) => expectRetryAfter(call, 'rate-limited', '1'),
  'html-error': async ({ call }) => {
    const answer = await call('html-error', false)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([502, 'text/html'])
    expect(text(answer)).toContain('<html>')
  },
  'spend-cap': async ({ call }) => {
    const answer = await call('spend-cap', false)
    expect([answer.status, errorOf(answer).code]).toEqual([429, 'insufficient_quota'])
    expect([...answer.headers.keys()].filter((name) => /retry|ratelimit/.test(name))).toEqual([])
  },
  'retry-after-ms': async ({ call }) => {
    const answer = await call('retry-after-ms', false)
    expect([answer.status, answer.headers.get('retry-after-ms')]).toEqual([429, '250'])
  },
  'retry-after-date': async ({ call }) => {
    const answer = await call('retry-after-date', false)
    const aheadMs = Date.parse(answer.headers.get('retry-after') ?? '') - Date.now()
    expect(aheadMs).toBeGreaterThan(-1000)
    expect(aheadMs).toBeLessThanOrEqual(2000)
  },
  'retry-after-huge': async ({ call }) => expectRetryAfter(call, 'retry-after-huge', '31536000'),
  'retry-after-past': async ({ call }) => expectRetryAfter(call, 'retry-after-past', 'Wed, 21 Oct 2015 07:28:00 GMT'),
  'retry-after-malformed': async ({ call }) => expectRetryAfter(call, 'retry-after-malformed', 'soon'),
  redirect: async ({ call }) => {
    const answer = await call('redirect', false)
    expect([answer.status, answer.headers.get('location')]).toEqual([302, 'http://169.254.169.254/latest/meta-data/'])
  },
} as const satisfies Readonly<Record<string, Proof>>

const expectRetryAfter = async (call: Call, fault: FaultName, value: string) => {
  const answer = await call(fault, true)
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, value])
}
