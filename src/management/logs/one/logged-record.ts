import { usageOfAny } from '../../../calls/any-usage.ts'
import { defined } from '../../../core/defined.ts'
import type { Endpoint } from '../../../core/endpoint.ts'
import { isRecord } from '../../../core/json/record.ts'
import type { Prices } from '../../../core/prices.ts'
import type { CallRecord, RecordedCost } from '../../../core/records.ts'
import type { Usage } from '../../../core/usage.ts'
import type { NewLog } from './model.ts'

/** Who hands a call in, and when it was made. */
export interface LoggedPlace {
  readonly id: string
  readonly timeMs: number
  readonly organisationId: string
  readonly workspaceId: string
  readonly apiKeyId: string | undefined
  readonly userId: string | undefined
}

export interface LoggedDeps {
  readonly prices: Prices
  readonly endpoints: () => readonly Endpoint[]
}

const MAX_TEXT = 128
const PICODOLLARS_A_CENT = 10_000_000_000

/** The record of a call that was made elsewhere: priced like ours, where its tokens can be read, unless its cost is given. */
export const loggedRecord = (item: NewLog, place: LoggedPlace, { prices, endpoints }: LoggedDeps): CallRecord => {
  const { request, response, metadata = {}, output } = item
  const { trace_id, span_id, parent_span_id, span_name, ...labels } = metadata
  const asked = isRecord(request.body) ? request.body : {}
  const answered = isRecord(response.body) ? response.body : {}
  const modelAsked = textOf(asked.model)
  const usage = usageOf(answered, output?.tokens)
  const status = response.status ?? 200
  const path = pathOf(request.url)
  const endpoint = endpointOf(endpoints(), path)
  return {
    id: place.id,
    callId: place.id,
    kind: 'logged',
    attempt: 0,
    time: place.timeMs * 1000,
    organisationId: place.organisationId,
    workspaceId: place.workspaceId,
    traceId: trace_id ?? place.id,
    method: request.method ?? 'POST',
    path,
    endpoint: endpoint?.id ?? OTHER,
    requestType: endpoint?.requestTypes[0] ?? OTHER,
    stream: response.streamingMode === true || asked.stream === true,
    status,
    outcome: status < 400 ? 'completed' : 'failed',
    success: status < 400,
    attempts: 1,
    retries: 0,
    fallback: false,
    totalUs: Math.round((response.response_time ?? 0) * 1000),
    metadata: Object.fromEntries(
      Object.entries(labels).map(([name, value]) => [name, String(value).slice(0, MAX_TEXT)]),
    ),
    ...defined({
      apiKeyId: place.apiKeyId,
      userId: place.userId,
      spanId: span_id,
      parentSpanId: parent_span_id,
      spanName: span_name,
      sentUrl: /^https?:/.test(request.url) ? (request.url.split(/[?#]/, 1)[0] ?? '') : undefined,
      provider: request.provider,
      modelAsked,
      model: textOf(answered.model) ?? modelAsked,
      inputTokens: usage?.inputTokens,
      outputTokens: usage?.outputTokens,
      totalTokens: usage?.totalTokens,
      cachedInputTokens: usage?.cachedInputTokens,
      cacheWriteTokens: usage?.cacheWriteTokens,
      reasoningTokens: usage?.reasoningTokens,
    }),
    ...priceOf(item, usage, [textOf(answered.model), modelAsked], place.workspaceId, prices),
  }
}

const OTHER = 'other'

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, MAX_TEXT) : undefined

/** What the answer says, in any known form; else the one number that is given. */
const usageOf = (answered: Readonly<Record<string, unknown>>, tokens: number | undefined): Usage | undefined => {
  const said = usageOfAny(answered)
  if (said !== undefined || tokens === undefined) return said
  return { inputTokens: 0, outputTokens: tokens, totalTokens: tokens }
}

const priceOf = (
  { request, output }: NewLog,
  usage: Usage | undefined,
  models: readonly (string | undefined)[],
  workspaceId: string,
  prices: Prices,
): Pick<CallRecord, 'cost' | 'priceId' | 'unpriced'> => {
  if (output?.cost !== undefined) return { cost: costOf(output.cost), priceId: 'logged' }
  if (usage === undefined) return {}
  const priced = prices.costOf({ provider: request.provider ?? '', models, workspaceId, usage })
  return priced === undefined ? { unpriced: true } : { cost: priced.cost, priceId: priced.priceId }
}

const costOf = (cents: number): RecordedCost => {
  const total = Math.round(cents * PICODOLLARS_A_CENT)
  return { total, input: 0, output: 0, cache: 0, other: total }
}

const pathOf = (url: string): string => {
  const parsed = URL.parse(url, 'http://nowhere')
  return (parsed?.pathname ?? url).slice(0, 1024)
}

/** The endpoint that has such a path, wherever it begins. */
const endpointOf = (endpoints: readonly Endpoint[], path: string): Endpoint | undefined =>
  endpoints.find(({ routes }) =>
    routes.some(({ path: end }) => !end.includes(':') && !end.includes('*') && path.endsWith(end)),
  )
