import type { Condition, Measure } from '../../records/question.ts'

/** What graphs and groups count, by the names that their fields use. */

/** Label of a call that says whose it is. */
export const USER_LABEL = '_user'

const FAILED: Condition = { column: 'success', in: [false] }
const SUCCEEDED: Condition = { column: 'success', in: [true] }
const SIMPLE_HIT: Condition = { column: 'cacheStatus', in: ['HIT'] }
const SEMANTIC_HIT: Condition = { column: 'cacheStatus', in: ['SEMANTIC HIT'] }
const ANY_HIT: Condition = { column: 'cacheStatus', in: ['HIT', 'SEMANTIC HIT'] }
const NO_HIT: Condition = { column: 'cacheStatus', notIn: ['HIT', 'SEMANTIC HIT'] }

export const requests: Measure = { as: 'requests', count: true }
export const successes: Measure = { as: 'successes', count: true, where: [SUCCEEDED] }
export const errors: Measure = { as: 'errors', count: true, where: [FAILED] }
export const cost: Measure = { as: 'cost', sum: 'cost' }
/** Calls whose price is not known: they are in no cost. */
export const unpriced: Measure = { as: 'unpriced', count: true, where: [{ column: 'unpriced', in: [true] }] }
export const tokens: Measure = { as: 'tokens', sum: 'totalTokens' }

export const userRequests: Measure = { as: 'userRequests', count: true, where: [{ hasMetadata: USER_LABEL }] }
export const users: Measure = { as: 'users', uniqMetadata: USER_LABEL }

export const simpleHits: Measure = { as: 'simpleHits', count: true, where: [SIMPLE_HIT] }
export const semanticHits: Measure = { as: 'semanticHits', count: true, where: [SEMANTIC_HIT] }
export const simpleSavings: Measure = { as: 'simpleSavings', sum: 'savedCost', where: [SIMPLE_HIT] }
export const semanticSavings: Measure = { as: 'semanticSavings', sum: 'savedCost', where: [SEMANTIC_HIT] }
export const hits: Measure = { as: 'hits', count: true, where: [ANY_HIT] }
export const hitLatency: Measure = { as: 'hitLatency', avg: 'totalUs', where: [ANY_HIT] }
export const missLatency: Measure = { as: 'missLatency', avg: 'totalUs', where: [NO_HIT] }

/** Calls that a retry or a fallback saved, each once: one that needed both was saved by the fallback. */
export const retried: Measure = {
  as: 'retried',
  count: true,
  where: [SUCCEEDED, { column: 'fallback', in: [false] }, { column: 'retries', min: 1 }],
}
export const fellBack: Measure = {
  as: 'fellBack',
  count: true,
  where: [SUCCEEDED, { column: 'fallback', in: [true] }],
}
/** Those of both measures: whatever a question need not look at is left out. */
export const RESCUED: readonly Condition[] = [
  SUCCEEDED,
  {
    any: [
      { column: 'retries', min: 1 },
      { column: 'fallback', in: [true] },
    ],
  },
]
export const ERRORS_ONLY: readonly Condition[] = [FAILED]

/** Rows of feedback. */
export const opinions: Measure = { as: 'opinions', count: true }
export const weightedSum: Measure = { as: 'weightedSum', sum: 'weighted' }

/** Answers that came in pieces, whose pace can be measured. */
export const STREAMED: readonly Condition[] = [SUCCEEDED, { column: 'stream', in: [true] }]
/** Tokens, and the time in which they came: from the first byte to the last. */
export const pace: readonly Measure[] = [
  { as: 'pacedTokens', sum: 'outputTokens', where: STREAMED },
  { as: 'pacedUs', sum: 'totalUs', where: STREAMED },
  { as: 'pacedWaitUs', sum: 'firstByteUs', where: STREAMED },
]

/** Mean and percentiles of a time. */
export const spread = (column: 'totalUs' | 'firstByteUs', where: readonly Condition[] = []): readonly Measure[] => [
  { as: 'avg', avg: column, where },
  { as: 'p50', quantile: column, at: 0.5, where },
  { as: 'p90', quantile: column, at: 0.9, where },
  { as: 'p99', quantile: column, at: 0.99, where },
]
