import { expect, test } from 'bun:test'
import { aRecord } from '../../../test/support/records/record.ts'
import type { RecordedCheck, RecordedHookResults } from '../../core/guardrails.ts'
import { type MetricLabels, type Metrics, NO_METRICS } from '../../core/metrics.ts'
import type { CallRecord } from '../../core/records.ts'
import { createGuardrailMetrics } from './guardrail-metrics.ts'

const check = (id: string, verdict: boolean, error?: string): RecordedCheck => ({
  id,
  verdict,
  transformed: false,
  execution_time: 2,
  created_at: '2026-11-23T00:00:00.000Z',
  ...(error === undefined ? {} : { error: { name: error } }),
})

const hook = (...checks: RecordedCheck[]): RecordedHookResults['before_request_hooks'][number] => ({
  id: 'pg-a',
  type: 'guardrail',
  verdict: false,
  transformed: false,
  deny: false,
  async: false,
  feedback: null,
  execution_time: 2,
  created_at: '2026-11-23T00:00:00.000Z',
  checks,
})

const RESULTS: RecordedHookResults = {
  before_request_hooks: [hook(check('a.b', true), check('a.c', false)), hook(check('a.b', true))],
  after_request_hooks: [hook(check('a.b', true, 'TimeoutError'))],
}

const counted = (...records: Partial<CallRecord>[]) => {
  const counts: Record<string, number> = {}
  const observed: Record<string, number[]> = {}
  const key = (labels: MetricLabels) => Object.values(labels).join(' ')
  const metrics: Metrics = {
    ...NO_METRICS,
    counter: () => (labels) => ({
      add: (count) => {
        counts[key(labels)] = (counts[key(labels)] ?? 0) + count
      },
    }),
    histogram: () => (labels) => ({
      observe: (value) => {
        observed[key(labels)] = [...(observed[key(labels)] ?? []), value]
      },
    }),
  }
  const count = createGuardrailMetrics(metrics)
  for (const record of records) count(aRecord(record))
  return { counts, observed }
}

test('checks are counted by what they said, with what they took', () => {
  const { counts, observed } = counted({ hookResults: RESULTS }, {})
  expect(counts).toEqual({ 'a.b input pass': 2, 'a.c input fail': 1, 'a.b output error': 1 })
  expect(observed).toEqual({ 'a.b input': [0.002, 0.002], 'a.c input': [0.002], 'a.b output': [0.002] })
})

test('of a call that went to several targets those of each target are counted, once', () => {
  const { counts } = counted(
    { kind: 'call', fallback: true, hookResults: RESULTS },
    { kind: 'attempt', fallback: false, hookResults: { ...RESULTS, after_request_hooks: [] } },
    { kind: 'attempt', fallback: true, hookResults: { ...RESULTS, before_request_hooks: [] } },
  )
  expect(counts).toEqual({ 'a.b input pass': 2, 'a.c input fail': 1, 'a.b output error': 1 })
})
