import { Type as t } from '@sinclair/typebox'
import type { RecordFilter } from '../../records/question.ts'
import type { RecordReader } from '../../records/store.ts'
import { nullable } from '../fields.ts'
import { type Fields, milliseconds, numberOf, valuesOf, whole } from './fields.ts'
import * as the from './measures.ts'
import { rounded } from './units.ts'

const PERCENT = 100

export const CACHE_SUMMARY: Fields = {
  hits: whole('hits'),
  avg_latency: milliseconds('hitLatency'),
  total_requests: whole('requests'),
  cache_speedup: {
    schema: nullable(
      t.Number({
        description: 'By how many percent the mean answer from the cache is faster; null where one is missing.',
      }),
    ),
    of: ({ row }) => {
      const [hit, miss] = [numberOf(row, 'hitLatency'), numberOf(row, 'missLatency')]
      return row.hitLatency == null || miss === 0 ? null : rounded((PERCENT * (miss - hit)) / miss)
    },
  },
}

/** @throws StoreUnavailable */
export const answerCacheSummary = async (reader: Pick<RecordReader, 'ask'>, filter: RecordFilter) => {
  const measures = [the.requests, the.hits, the.hitLatency, the.missLatency]
  const { rows } = await reader.ask({ from: 'calls', filter, groups: [], measures })
  const row = rows[0] ?? {}
  return {
    summary: valuesOf(CACHE_SUMMARY, { row, rows: [], soFar: row }),
    object: 'analytics-summary' as const,
  }
}
