import type { RecordedHookResults } from '../../../src/core/guardrails.ts'
import type { CallRecord, FeedbackRecord, RecordOutcome } from '../../../src/core/records.ts'
import type { RecordBatch } from '../../../src/records/store.ts'

export const MINUTE_US = 60_000_000
export const HOUR_US = 60 * MINUTE_US
export const DAY_US = 24 * HOUR_US

/** 1 November 2026, 00:00 UTC. */
export const SAMPLE_START = Date.UTC(2026, 10, 1) * 1000
export const SAMPLE_ORGANISATION = 'a0000000-0000-7000-8000-000000000001'
export const OTHER_ORGANISATION = 'a0000000-0000-7000-8000-000000000002'
export const SAMPLE_WORKSPACES = [1, 2, 3].map((n) => `b0000000-0000-7000-8000-00000000000${n}`)

/** Numbers from 0 to 1, always the same ones for a seed (mulberry32). */
export const randomNumbers = (seed: number): (() => number) => {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const MODELS: readonly (readonly [provider: string, model: string, picodollarsPerToken: number | undefined])[] = [
  ['openai', 'gpt-5.2', 10_000_000],
  ['openai', 'gpt-5.2-mini', 600_000],
  ['anthropic', 'claude-sonnet-5', 15_000_000],
  ['google', 'gemini-3-flash', 2_500_000],
  ['mistral-ai', 'mistral-large', 6_000_000],
  ['acme', 'house-model "7"', undefined],
]

const HOOK_RESULTS: RecordedHookResults = {
  before_request_hooks: [
    {
      id: 'pg-sample',
      name: 'nobody\'s "cards" 🙂',
      type: 'guardrail',
      verdict: false,
      transformed: false,
      deny: false,
      async: false,
      execution_time: 0.125,
      created_at: '2026-11-01T00:00:00.000Z',
      feedback: { value: -5, weight: 0.5, metadata: { failedChecks: 'default.contains' } },
      checks: [
        {
          id: 'default.contains',
          verdict: false,
          transformed: false,
          execution_time: 0.0625,
          created_at: '2026-11-01T00:00:00.000Z',
        },
      ],
    },
  ],
  after_request_hooks: [],
}

export interface SampleOptions {
  /** Microseconds: from here on, and before there. */
  readonly from?: number
  readonly to?: number
  readonly workspaces?: readonly string[]
  readonly users?: number
}

/** Makes records one after the other, in the order of their times; most calls have one, some have attempts. */
export const createSampler = (seed: number, count: number, options: SampleOptions = {}) => {
  const random = randomNumbers(seed)
  const { from = SAMPLE_START, to = from + 3 * DAY_US, workspaces = SAMPLE_WORKSPACES, users = 40 } = options
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const word = (length: number): string =>
    Array.from({ length: length / 8 }, () =>
      Math.floor(random() * 2 ** 32)
        .toString(16)
        .padStart(8, '0'),
    ).join('')
  const uuid = (time: number): string => {
    const ms = Math.floor(time / 1000)
      .toString(16)
      .padStart(12, '0')
    const rest = word(24)
    return `${ms.slice(0, 8)}-${ms.slice(8)}-7${rest.slice(0, 3)}-8${rest.slice(3, 6)}-${rest.slice(6, 18)}`
  }
  /** Long-tailed, about `median`. */
  const longTail = (median: number): number => Math.max(1, Math.round(median * Math.exp(2 * (random() + random() - 1))))
  const step = (to - from) / count
  let index = 0
  let waiting: CallRecord[] = []

  const make = (): CallRecord[] => {
    const time = Math.min(to - 1, Math.floor(from + step * (index + random())))
    const id = uuid(time)
    const workspace = Math.floor(random() ** 2 * workspaces.length)
    const [provider, model, price] = MODELS[Math.floor(random() ** 2 * MODELS.length)] as (typeof MODELS)[number]
    const retries = random() < 0.03 ? 1 + Math.floor(random() * 3) : 0
    const fallback = random() < 0.02
    const status = random() < 0.95 ? 200 : pick([400, 401, 429, 429, 500, 502, 503, 499])
    const success = status === 200
    const stream = random() < 0.5
    const cache = random()
    const cacheStatus =
      cache < 0.6
        ? undefined
        : cache < 0.85
          ? 'MISS'
          : cache < 0.95
            ? 'HIT'
            : cache < 0.98
              ? 'SEMANTIC HIT'
              : 'DISABLED'
    const isHit = success && (cacheStatus === 'HIT' || cacheStatus === 'SEMANTIC HIT')
    const endpoint = random() < 0.85 ? 'chat' : 'embeddings'
    const inputTokens = success ? longTail(800) : undefined
    const outputTokens = success ? (endpoint === 'chat' ? longTail(200) : 0) : undefined
    const input = (inputTokens ?? 0) * (price ?? 0)
    const output = (outputTokens ?? 0) * (price ?? 0) * 4
    const total = input + output
    const cost = isHit
      ? { total: 0, input: 0, output: 0, cache: 0, other: 0 }
      : success && price !== undefined
        ? { total, input, output, cache: 0, other: 0 }
        : undefined
    const totalUs = isHit ? longTail(3_000) : longTail(stream ? 2_400_000 : 900_000)
    const user = random() < 0.8 ? `user-${Math.floor(random() ** 2 * users)}` : undefined
    const outcome: RecordOutcome = success ? 'completed' : status === 499 ? 'client_closed' : 'failed'
    const record: CallRecord = {
      id,
      callId: id,
      kind: random() < 0.01 ? 'logged' : 'call',
      attempt: 0,
      time,
      organisationId: random() < 0.01 ? OTHER_ORGANISATION : SAMPLE_ORGANISATION,
      workspaceId: workspaces[workspace] as string,
      apiKeyId: `c0000000-0000-7000-8000-00000000${String(workspace * 10 + Math.floor(random() * 4)).padStart(4, '0')}`,
      traceId: random() < 0.1 && index > 0 ? `trace-${Math.floor(index / 20)}` : `trace-${index}-${seed}`,
      spanId: word(16),
      method: 'POST',
      path: endpoint === 'chat' ? '/v1/chat/completions' : '/v1/embeddings',
      sentUrl: `https://api.${provider}.example/v1/${endpoint}`,
      endpoint,
      requestType: endpoint === 'chat' ? 'chatComplete' : 'embed',
      stream,
      provider,
      storedProvider: random() < 0.7 ? `${provider}-team` : undefined,
      modelAsked: model,
      model,
      configId: random() < 0.3 ? 'd0000000-0000-7000-8000-000000000001' : undefined,
      configSlug: random() < 0.3 ? 'pc-main' : undefined,
      promptSlug: random() < 0.05 ? 'pp-hello' : undefined,
      mode: fallback ? 'fallback' : 'single',
      status,
      outcome,
      success,
      errorCode: success ? undefined : `error_${status}`,
      errorMessage: success ? undefined : `The provider answered with ${status}: it's "too much", naïve 🙂`,
      attempts: isHit ? 0 : 1 + retries + (fallback ? 1 : 0),
      retries,
      fallback,
      cacheStatus,
      savedCost: isHit && price !== undefined ? total : undefined,
      savedTokens: isHit ? (inputTokens ?? 0) + (outputTokens ?? 0) : undefined,
      inputTokens,
      outputTokens,
      totalTokens: success ? (inputTokens ?? 0) + (outputTokens ?? 0) : undefined,
      cachedInputTokens: success && random() < 0.2 ? Math.floor((inputTokens ?? 0) / 2) : undefined,
      reasoningTokens: success && random() < 0.1 ? longTail(100) : undefined,
      units: random() < 0.02 ? { web_search: 1 + Math.floor(random() * 3) } : undefined,
      estimated: random() < 0.02 ? true : undefined,
      cost,
      unpriced: success && !isHit && price === undefined ? true : undefined,
      priceId: cost === undefined ? undefined : 'table:2026-11-22',
      totalUs,
      firstByteUs: success ? Math.max(1, Math.floor(totalUs * (stream ? 0.2 : 0.99))) : undefined,
      parsingUs: longTail(80),
      beforeUs: longTail(300),
      cacheUs: cacheStatus === undefined ? undefined : longTail(500),
      upstreamUs: isHit ? undefined : Math.floor(totalUs * 0.95),
      afterUs: longTail(60),
      refusedBy: status === 429 && random() < 0.5 ? ['limit-1'] : undefined,
      metadata: {
        ...(user !== undefined && { _user: user }),
        ...(random() < 0.5 && { team: pick(['red', 'blue', 'gréen', '']) }),
        ...(random() < 0.05 && { 'odd "key".$[0]': "it's" }),
      },
      bytesIn: longTail(4_000),
      bytesOut: longTail(2_000),
      sdk: 'openai-python 2.9.0',
      runtime: 'CPython 3.13',
      hasBodies: random() < 0.3 ? true : undefined,
      hookResults: index % 7 === 0 ? HOOK_RESULTS : undefined,
    }
    const tries = retries + (fallback ? 1 : 0)
    index++
    if (tries === 0) return [withoutAbsent(record)]
    const attempts = Array.from({ length: tries + 1 }, (_, n): CallRecord => {
      const isLast = n === tries
      return withoutAbsent({
        ...record,
        id: uuid(time + n + 1),
        kind: 'attempt',
        attempt: n + 1,
        time: time + n + 1,
        attempts: 1,
        retries: 0,
        fallback: false,
        ...(!isLast && { status: 503, success: false, outcome: 'failed' as const, cost: undefined }),
      })
    })
    return [withoutAbsent(record), ...attempts]
  }

  return {
    next(): CallRecord {
      if (waiting.length === 0) waiting = make()
      return waiting.shift() as CallRecord
    },
  }
}

/** Absent fields are not there at all, as after a store has kept a record. */
const withoutAbsent = (record: CallRecord): CallRecord =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as unknown as CallRecord

/** `count` records of three days, always the same for a seed. */
export const sampleRecords = (count: number, seed = 1, options: SampleOptions = {}): CallRecord[] => {
  const sampler = createSampler(seed, count, options)
  return Array.from({ length: count }, () => sampler.next())
}

/** Feedback about some traces of records, some of it changed later, and some about traces that have no record. */
export const sampleFeedback = (records: readonly CallRecord[], count: number, seed = 1): FeedbackRecord[] => {
  const random = randomNumbers(seed + 1_000)
  const rows: FeedbackRecord[] = []
  for (let n = 0; n < count; n++) {
    const before = rows.at(-1)
    const about = records[Math.floor(random() * records.length)] as CallRecord
    const { organisationId, workspaceId } = about
    const traceId = random() < 0.95 ? about.traceId : `nobody-${n}`
    const id = `f0000000-0000-7000-8000-${String(n).padStart(12, '0')}`
    const time = about.time + 5_000_000
    rows.push({
      ...(before !== undefined && random() < 0.1
        ? { ...before, time: before.time + 1_000_000 }
        : { id, time, organisationId, workspaceId, traceId }),
      value: Math.floor(random() * 21) - 10,
      weight: Math.floor(random() * 5) / 4,
      metadata: random() < 0.3 ? { reason: 'slow' } : {},
    })
  }
  return rows
}

/** Rows as the flusher hands them in: one position each. */
export const batchOf = (
  rows: Partial<{ [Kind in 'records' | 'bodies' | 'feedback']: readonly RecordBatch[Kind][number]['row'][] }>,
  { spool = 'spool-1', from = 0 }: { readonly spool?: string; readonly from?: number } = {},
): RecordBatch => {
  let position = from
  const place = <Row>(list: readonly Row[] = []): { position: number; row: Row }[] =>
    list.map((row) => ({ position: position++, row }))
  const [records, bodies, feedback] = [place(rows.records), place(rows.bodies), place(rows.feedback)]
  return { spool, from, to: position, records, bodies, feedback }
}
