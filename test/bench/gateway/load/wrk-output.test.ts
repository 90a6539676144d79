import { expect, test } from 'bun:test'
import { readWrkOutput } from './wrk-output.ts'

const report = (more: Record<string, unknown> = {}): string => {
  const errors = { connect: 0, read: 0, write: 0, status: 0, timeout: 0 }
  const all = { requests: 3_000, durationUs: 2_000_000, p50Us: 450, p99Us: 1_250, errors, ...more }
  return `Running 2s test @ http://127.0.0.1:1/\nRequests/sec:   1500.00\n${JSON.stringify(all)}\n`
}

test('the report behind the words of wrk is what counts', () => {
  expect(readWrkOutput(report())).toEqual({ requests: 3_000, perSecond: 1_500, p50Ms: 0.45, p99Ms: 1.25 })
})

test('a run in which anything failed is no measurement', () => {
  const errors = { connect: 0, read: 2, write: 0, status: 7, timeout: 0 }
  expect(() => readWrkOutput(report({ errors }))).toThrow('2 × read, 7 × status')
  expect(() => readWrkOutput(report({ requests: 0 }))).toThrow('No request was answered')
  expect(() => readWrkOutput('unable to connect')).toThrow('no report')
})
