import { Type as t } from '@sinclair/typebox'
import type { Condition, Group, Measure, Question } from '../../records/question.ts'
import {
  average,
  cents,
  centsEach,
  centsSoFar,
  type Field,
  type Fields,
  mean,
  milliseconds,
  numberOf,
  share,
  whole,
} from './fields.ts'
import * as the from './measures.ts'
import { ratio, rounded } from './units.ts'

interface Asked {
  /** Below `/analytics/graphs/`. */
  readonly path: string
  /** Spellings of clients that are out there. */
  readonly aliases?: readonly string[]
  readonly title: string
  readonly from?: Question['from']
  /** Leaves out what no measure counts. */
  readonly where?: readonly Condition[]
  readonly measures: readonly Measure[]
  readonly summary: Fields
}

/** A graph over time: a point for each bucket of the window. */
export interface Series extends Asked {
  /** What each bucket is cut into besides. */
  readonly groups?: readonly Group[]
  readonly point: Fields
}

/** A graph without time: a point for each group. */
export interface Ranking extends Asked {
  readonly groups: readonly Group[]
  readonly order: NonNullable<Question['order']>
  readonly point: Fields
}

const LATENCY: Fields = Object.fromEntries(['avg', 'p50', 'p90', 'p99'].map((name) => [name, milliseconds(name)]))

/** Output tokens of a second of the stream. */
export const tokensPerSecond: Field = {
  schema: t.Number({ minimum: 0 }),
  of: ({ row }) => {
    const us = numberOf(row, 'pacedUs') - numberOf(row, 'pacedWaitUs')
    return rounded(ratio(numberOf(row, 'pacedTokens') * 1_000_000, us))
  },
}

/** What is counted, by the code of the status. */
const statusCounts: Field = {
  schema: t.Array(t.Object({ response_status_code: t.Integer(), count: t.Integer() })),
  of: ({ rows }) =>
    rows.map((row) => ({ response_status_code: numberOf(row, 'status'), count: numberOf(row, 'errors') })),
}

/** Calls that were saved, by how often they were tried again. */
const retryCounts: Field = {
  schema: t.Array(t.Object({ retry_success_count: t.Integer(), count: t.Integer() })),
  of: ({ rows }) =>
    rows
      .map((row) => ({ retry_success_count: numberOf(row, 'retries'), count: numberOf(row, 'retried') }))
      .filter(({ count }) => count > 0),
}

const hitRate = share(['simpleHits', 'semanticHits'], 'requests')

/** The graphs over time of the interface (contract, section 5.1), and ours. */
export const SERIES: readonly Series[] = [
  {
    path: 'requests',
    title: 'Requests',
    measures: [the.requests],
    summary: { total: whole('requests') },
    point: { total: whole('requests') },
  },
  {
    path: 'cost',
    title: 'Cost',
    measures: [the.cost, the.requests, the.unpriced],
    summary: {
      total: cents('cost'),
      avg: centsEach('cost', 'requests', '-unpriced'),
      unpriced_requests: whole('unpriced'),
    },
    point: { total: cents('cost'), avg: centsEach('cost', 'requests', '-unpriced') },
  },
  { path: 'latency', title: 'Latency', measures: the.spread('totalUs'), summary: LATENCY, point: LATENCY },
  {
    path: 'tokens',
    title: 'Tokens',
    measures: [the.tokens, the.requests],
    summary: { total: whole('tokens'), avg: mean('tokens', 'requests') },
    point: { total: whole('tokens'), avg: mean('tokens', 'requests') },
  },
  {
    path: 'users',
    title: 'Users',
    measures: [the.users],
    summary: { total: whole('users') },
    point: { total: whole('users') },
  },
  {
    path: 'users/requests',
    aliases: ['users-requests'],
    title: 'Requests of a user',
    measures: [the.userRequests, the.users],
    summary: { total: whole('userRequests'), unique: whole('users'), avg: mean('userRequests', 'users') },
    point: { avg: mean('userRequests', 'users') },
  },
  {
    path: 'errors',
    title: 'Errors',
    measures: [the.errors],
    summary: { total: whole('errors') },
    point: { total: whole('errors') },
  },
  {
    path: 'errors/rate',
    aliases: ['errors-rate'],
    title: 'Share of errors',
    measures: [the.errors, the.requests],
    summary: { rate: share(['errors'], 'requests') },
    point: { rate: share(['errors'], 'requests') },
  },
  {
    path: 'errors/stacks',
    aliases: ['errors-stack'],
    title: 'Errors by status over time',
    where: the.ERRORS_ONLY,
    groups: [{ as: 'status', column: 'status' }],
    measures: [the.errors],
    summary: { total: whole('errors') },
    point: { stats: statusCounts },
  },
  {
    path: 'requests/rescued',
    aliases: ['requests-rescued'],
    title: 'Requests saved by retries and fallbacks',
    where: the.RESCUED,
    groups: [{ as: 'retries', column: 'retries' }],
    measures: [the.retried, the.fellBack],
    summary: { retry: whole('retried'), fallback: whole('fellBack') },
    point: { retry: retryCounts, fallback: whole('fellBack') },
  },
  {
    path: 'cache/hit-rate',
    aliases: ['cache-hit-rate'],
    title: 'Answers from the cache',
    measures: [the.requests, the.hits, the.simpleHits, the.semanticHits, the.simpleSavings, the.semanticSavings],
    summary: { total: whole('hits'), rate: hitRate },
    point: {
      simple_hits: whole('simpleHits'),
      semantic_hits: whole('semanticHits'),
      rate: hitRate,
      cumulative_simple_cache_savings: centsSoFar('simpleSavings'),
      cumulative_semantic_cache_savings: centsSoFar('semanticSavings'),
    },
  },
  {
    path: 'cache/latency',
    aliases: ['cache-latency'],
    title: 'Latency of answers from the cache',
    measures: [the.hitLatency],
    summary: {},
    point: { avg: milliseconds('hitLatency') },
  },
  {
    path: 'feedbacks',
    title: 'Feedback',
    from: 'feedback',
    measures: [the.opinions],
    summary: { total: whole('opinions') },
    point: { total: whole('opinions') },
  },
  {
    path: 'feedbacks/weighted',
    title: 'Weighted feedback',
    from: 'feedback',
    measures: [the.opinions, the.weightedSum],
    summary: { avg: mean('weightedSum', 'opinions') },
    point: { avg: mean('weightedSum', 'opinions') },
  },
  {
    path: 'time-to-first-token',
    title: 'Time to first token of streams',
    where: the.STREAMED,
    measures: the.spread('firstByteUs'),
    summary: LATENCY,
    point: LATENCY,
  },
  {
    path: 'tokens-per-second',
    title: 'Output tokens per second of streams',
    where: the.STREAMED,
    measures: the.pace,
    summary: { avg: tokensPerSecond },
    point: { avg: tokensPerSecond },
  },
]

/** The graphs without time. */
export const RANKINGS: readonly Ranking[] = [
  {
    path: 'errors/status-codes',
    aliases: ['errors-status-code'],
    title: 'Errors by status',
    where: the.ERRORS_ONLY,
    groups: [{ as: 'status', column: 'status' }],
    measures: [the.errors],
    order: [{ by: 'errors', desc: true }, { by: 'status' }],
    summary: { total_errors: whole('errors'), unique_error_codes: whole('groups') },
    point: { status_code: whole('status'), count: whole('errors') },
  },
  {
    path: 'feedbacks/scores',
    aliases: ['feedbacks/score'],
    title: 'Feedback by its value',
    from: 'feedback',
    groups: [{ as: 'value', column: 'value' }],
    measures: [the.opinions],
    order: [{ by: 'value' }],
    summary: { total: whole('opinions') },
    point: { score: { schema: t.Integer(), of: ({ row }) => numberOf(row, 'value') }, total: whole('opinions') },
  },
  {
    path: 'feedbacks/ai-models',
    title: 'Feedback by model',
    from: 'feedback',
    where: [{ column: 'model', notIn: [null] }],
    groups: [{ as: 'model', column: 'model' }],
    measures: [the.opinions, { as: 'weighted', avg: 'weighted' }],
    order: [{ by: 'opinions', desc: true }, { by: 'model' }],
    summary: {},
    point: {
      ai_model: { schema: t.String(), of: ({ row }) => String(row.model) },
      total: whole('opinions'),
      avg_weighted_feedback: average('weighted'),
    },
  },
]
