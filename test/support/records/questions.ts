import type { Condition, Group, Measure, Question } from '../../../src/records/question.ts'
import {
  DAY_US,
  HOUR_US,
  MINUTE_US,
  OTHER_ORGANISATION,
  randomNumbers,
  SAMPLE_ORGANISATION,
  SAMPLE_START,
  SAMPLE_WORKSPACES,
} from './samples.ts'

const CALL_MEASURES: readonly Measure[] = [
  { as: 'requests', count: true },
  { as: 'cost', sum: 'cost' },
  { as: 'averageCost', avg: 'cost' },
  { as: 'tokens', sum: 'totalTokens' },
  { as: 'averageTokens', avg: 'totalTokens' },
  { as: 'latency', avg: 'totalUs' },
  { as: 'p50', quantile: 'totalUs', at: 0.5 },
  { as: 'p90', quantile: 'totalUs', at: 0.9 },
  { as: 'p99', quantile: 'totalUs', at: 0.99 },
  { as: 'firstByte', quantile: 'firstByteUs', at: 0.5 },
  { as: 'upstream', quantile: 'upstreamUs', at: 0.75 },
  { as: 'tokensP90', quantile: 'outputTokens', at: 0.9 },
  { as: 'users', uniqMetadata: '_user' },
  { as: 'teams', uniqMetadata: 'team' },
  { as: 'models', uniq: 'model' },
  { as: 'keys', uniq: 'apiKeyId' },
  { as: 'lastSeen', max: 'time' },
  { as: 'firstSeen', min: 'time' },
  { as: 'dearest', max: 'cost' },
  { as: 'errors', count: true, where: [{ column: 'success', in: [false] }] },
  { as: 'failedTokens', sum: 'inputTokens', where: [{ column: 'status', min: 400, max: 499 }] },
  { as: 'hits', count: true, where: [{ column: 'cacheStatus', in: ['HIT', 'SEMANTIC HIT'] }] },
  { as: 'saved', sum: 'savedCost', where: [{ column: 'cacheStatus', in: ['HIT'] }] },
  { as: 'hitLatency', avg: 'totalUs', where: [{ column: 'cacheStatus', in: ['HIT', 'SEMANTIC HIT'] }] },
  { as: 'unpriced', count: true, where: [{ column: 'unpriced', in: [true] }] },
  {
    as: 'rescued',
    count: true,
    where: [
      { column: 'retries', min: 1 },
      { column: 'success', in: [true] },
    ],
  },
  { as: 'fallbacks', count: true, where: [{ column: 'fallback', in: [true] }] },
  { as: 'streamedP50', quantile: 'firstByteUs', at: 0.5, where: [{ column: 'stream', in: [true] }] },
  { as: 'weighted', avg: 'weighted' },
  { as: 'judged', count: true, where: [{ weightedFeedback: {} }] },
  { as: 'praised', count: true, where: [{ weightedFeedback: { min: 0.5 } }] },
  { as: 'failedUsers', uniqMetadata: '_user', where: [{ column: 'success', in: [false] }] },
]

const FEEDBACK_MEASURES: readonly Measure[] = [
  { as: 'rows', count: true },
  { as: 'weighted', avg: 'weighted' },
  { as: 'sum', sum: 'weighted' },
  { as: 'value', avg: 'value' },
  { as: 'best', max: 'value' },
  { as: 'traces', uniq: 'traceId' },
  { as: 'good', count: true, where: [{ column: 'value', min: 1 }] },
  { as: 'ofGpt', count: true, where: [{ column: 'model', in: ['gpt-5.2'] }] },
]

const CALL_GROUPS: readonly Group[] = [
  { as: 'day', bucket: DAY_US },
  { as: 'hours', bucket: 6 * HOUR_US },
  { as: 'hour', bucket: HOUR_US },
  { as: 'minutes', bucket: 30 * MINUTE_US },
  { as: 'model', column: 'model' },
  { as: 'provider', column: 'provider' },
  { as: 'status', column: 'status' },
  { as: 'key', column: 'apiKeyId' },
  { as: 'workspace', column: 'workspaceId' },
  { as: 'success', column: 'success' },
  { as: 'cache', column: 'cacheStatus' },
  { as: 'retries', column: 'retries' },
  { as: 'stored', column: 'storedProvider' },
  { as: 'unpriced', column: 'unpriced' },
  { as: 'error', column: 'errorCode' },
  { as: 'user', metadata: '_user' },
  { as: 'team', metadata: 'team' },
  { as: 'odd', metadata: 'odd "key".$[0]' },
]

const FEEDBACK_GROUPS: readonly Group[] = [
  { as: 'day', bucket: DAY_US },
  { as: 'value', column: 'value' },
  { as: 'model', column: 'model' },
  { as: 'provider', column: 'provider' },
  { as: 'user', metadata: '_user' },
  { as: 'workspace', column: 'workspaceId' },
]

const CONDITIONS: readonly Condition[] = [
  { column: 'model', in: ['gpt-5.2', 'house-model "7"'] },
  { column: 'provider', notIn: ['openai'] },
  { column: 'storedProvider', in: [null, 'openai-team'] },
  { column: 'storedProvider', notIn: [null] },
  { column: 'cacheStatus', notIn: [null, 'MISS'] },
  { column: 'status', in: [200, 429] },
  { column: 'status', min: 400 },
  { column: 'success', in: [true] },
  { column: 'stream', in: [false] },
  { column: 'unpriced', in: [null] },
  { column: 'totalTokens', min: 1_000, max: 2_000 },
  { column: 'cost', min: 5_000_000_000 },
  { column: 'cost', max: 0 },
  { column: 'outputTokens', max: 300 },
  { column: 'apiKeyId', in: ['c0000000-0000-7000-8000-000000000001'] },
  { column: 'traceId', in: ['trace-3', 'trace-40', 'nobody'] },
  { column: 'promptSlug', in: ['pp-hello'] },
  { column: 'kind', in: ['attempt'] },
  { column: 'kind', in: ['call', 'attempt'] },
  { column: 'errorMessage', in: [`The provider answered with 429: it's "too much", naïve 🙂`] },
  { column: 'model', in: [] },
  { metadata: 'team', in: ['red', 'gréen'] },
  { metadata: 'team', in: [''] },
  { metadata: '_user', in: ['user-1', 'user-2', "it's"] },
  { metadata: 'odd "key".$[0]', in: ["it's"] },
  { hasMetadata: '_user' },
  { hasMetadata: 'team' },
  {
    models: [
      ['openai', 'gpt-5.2'],
      ['google', 'gemini-3-flash'],
    ],
  },
  { weightedFeedback: { min: -1.5, max: 4 } },
  { weightedFeedback: {} },
  {
    any: [
      { column: 'model', in: ['gpt-5.2'] },
      { metadata: 'team', in: ['blue'] },
    ],
  },
  {
    any: [
      { column: 'status', min: 500 },
      { column: 'retries', min: 1 },
    ],
  },
  { any: [{ weightedFeedback: { min: 3 } }, { column: 'status', in: [499] }] },
]

/** Ranges that begin and end between minutes, hours and days, and at them. */
const RANGES: readonly (readonly [from: number, to: number])[] = [
  [SAMPLE_START, SAMPLE_START + 3 * DAY_US],
  [SAMPLE_START - 30 * DAY_US, SAMPLE_START + 30 * DAY_US],
  [SAMPLE_START + 90 * MINUTE_US + 7, SAMPLE_START + 2 * DAY_US + 61 * MINUTE_US + 123_456],
  [SAMPLE_START + DAY_US, SAMPLE_START + 2 * DAY_US],
  [SAMPLE_START + DAY_US - HOUR_US, SAMPLE_START + DAY_US + HOUR_US],
  [SAMPLE_START + 5 * HOUR_US + 1, SAMPLE_START + 5 * HOUR_US + 40 * MINUTE_US],
  [SAMPLE_START + 10 * DAY_US, SAMPLE_START + 11 * DAY_US],
]

/** So many questions, always the same: all kinds of groups, measures and conditions, mixed. */
export const sampleQuestions = (count: number, seed = 7): Question[] => {
  const random = randomNumbers(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const some = <T extends { readonly as: string }>(list: readonly T[], most: number): T[] => [
    ...new Map(
      Array.from({ length: Math.floor(random() * (most + 1)) }, () => pick(list)).map((each) => [each.as, each]),
    ).values(),
  ]

  return Array.from({ length: count }, (_, index): Question => {
    const isFeedback = index % 6 === 5
    // Each group, condition and measure in its turn, so that none is left out.
    const turn = <T>(list: readonly T[]): T => list[Math.floor(index / 2) % list.length] as T
    const groups = isFeedback ? some(FEEDBACK_GROUPS, 2) : index % 2 === 0 ? [turn(CALL_GROUPS)] : some(CALL_GROUPS, 2)
    const own = isFeedback ? FEEDBACK_MEASURES : CALL_MEASURES
    const measures = [...new Map([turn(own), ...some(own, 3)].map((each) => [each.as, each])).values()]
    const where = index % 3 === 0 ? [] : index % 3 === 1 ? [turn(CONDITIONS)] : [pick(CONDITIONS), pick(CONDITIONS)]
    const [from, to] = pick(RANGES)
    const names = [...groups, ...measures].map(({ as }) => as)
    const isPaged = random() < 0.3
    return {
      from: isFeedback ? 'feedback' : 'calls',
      filter: {
        organisationId: random() < 0.95 ? SAMPLE_ORGANISATION : OTHER_ORGANISATION,
        ...(random() < 0.6 && { workspaceIds: SAMPLE_WORKSPACES.slice(0, 1 + Math.floor(random() * 2)) }),
        from,
        to,
        where: where.filter((condition) => !isFeedback || !('column' in condition) || condition.column !== 'kind'),
      },
      groups,
      measures,
      // Counts and sums are the same everywhere, to the last digit: others would change the order where they are close.
      ...(isPaged && {
        order: [{ by: names.includes('requests') ? 'requests' : (names[0] as string), desc: random() < 0.5 }],
        limit: 5,
        offset: Math.floor(random() * 3),
        total: true,
      }),
    }
  })
}
