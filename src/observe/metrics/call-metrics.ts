import { createBoundedMap } from '../../core/bounded-map.ts'
import type { Metrics, Series } from '../../core/metrics.ts'
import type { CallRecord, CallSink } from '../../core/records.ts'
import { DURATION_SECONDS, FIRST_TOKEN_SECONDS, SHORT_SECONDS } from './buckets.ts'
import { createGenAiMetrics } from './gen-ai-metrics.ts'
import { createGuardrailMetrics } from './guardrail-metrics.ts'

const MICROS = 1e6
const PICOS = 1e12
/** Models that are named in labels: those that have answered. Callers can write any other name they like. */
const MAX_MODELS = 1_000
const MAX_REMEMBERED = 4_000

/** Counts what the records of calls say. @param operationOf `gen_ai.operation.name` of an endpoint */
export const createCallMetrics = (metrics: Metrics, operationOf: (endpoint: string) => string): CallSink => {
  const calls = metrics.counter({
    name: 'weir.calls',
    description: 'Calls that have ended, by what became of them.',
    unit: '{call}',
  })
  const attempts = metrics.counter({
    name: 'weir.attempts',
    description: 'Requests to providers, by the status of their answer.',
    unit: '{request}',
  })
  const retries = metrics.counter({
    name: 'weir.retries',
    description: 'Requests that asked the same target again.',
    unit: '{request}',
  })
  const fallbacks = metrics.counter({
    name: 'weir.fallbacks',
    description: 'Calls that another target than the first answered.',
    unit: '{call}',
  })
  const tokens = metrics.counter({
    name: 'weir.tokens',
    description:
      'Tokens that were bought. `cached_input`, `cache_write` and `reasoning` are parts of `input` and `output`.',
    unit: '{token}',
  })
  const dollars = metrics.counter({ name: 'weir.cost.usd', description: 'Cost of calls in US dollars.', unit: '{USD}' })
  const unpriced = metrics.counter({
    name: 'weir.calls.unpriced',
    description: 'Calls whose price is not known: their cost is in no sum.',
    unit: '{call}',
  })
  const refusals = metrics.counter({
    name: 'weir.limits.refused',
    description: 'Calls that a limit refused, or would have in shadow mode.',
    unit: '{call}',
  })
  const cached = metrics.counter({
    name: 'weir.cache.calls',
    description: 'Calls that could be answered from the cache, by what it had.',
    unit: '{call}',
  })
  const duration = metrics.histogram(
    { name: 'weir.call.duration.seconds', description: 'From the request to the last byte.', unit: 's' },
    DURATION_SECONDS,
  )
  const firstByte = metrics.histogram(
    { name: 'weir.call.first_byte.seconds', description: 'From the request to the first byte.', unit: 's' },
    FIRST_TOKEN_SECONDS,
  )
  const overhead = metrics.histogram(
    { name: 'weir.call.overhead.seconds', description: 'What the gateway itself took.', unit: 's' },
    SHORT_SECONDS,
  )
  const genAi = createGenAiMetrics(metrics, operationOf)
  const countGuardrails = createGuardrailMetrics(metrics)

  /** The series of calls that are alike, so that a call looks them up once. */
  const seriesOf = (record: CallRecord, model: string) => {
    const { workspaceId: workspace, endpoint, provider = 'none', status, outcome, stream } = record
    const place = { workspace, provider, model }
    const counted = (type: string): Series => tokens({ ...place, type })
    return {
      calls: calls({ ...place, endpoint, status: String(status), outcome }),
      duration: duration({ endpoint, provider, stream: String(stream) }),
      firstByte: firstByte({ endpoint, provider, stream: String(stream) }),
      overhead: overhead({ endpoint }),
      input: counted('input'),
      output: counted('output'),
      cachedInput: counted('cached_input'),
      cacheWrite: counted('cache_write'),
      reasoning: counted('reasoning'),
      dollars: dollars(place),
      unpriced: unpriced(place),
      retries: retries({ provider }),
      fallbacks: fallbacks({ provider }),
    }
  }
  const known = createBoundedMap<string, ReturnType<typeof seriesOf>>(MAX_REMEMBERED)
  const models = new Set<string>()

  const modelOf = ({ model = '', success }: CallRecord): string => {
    if (models.has(model)) return model
    if (!success || models.size >= MAX_MODELS) return 'other'
    models.add(model)
    return model
  }

  const attempt = ({ provider = 'none', status }: CallRecord): void =>
    attempts({ provider, status: String(status) }).add(1)

  const count = (record: CallRecord): void => {
    const model = modelOf(record)
    countGuardrails(record)
    if (record.kind === 'attempt') {
      attempt(record)
      genAi.observe(record, model)
      return
    }
    const { workspaceId, endpoint, provider, status, outcome, stream } = record
    const key = `${workspaceId} ${endpoint} ${provider} ${status} ${outcome} ${stream} ${model}`
    const series = known.get(key) ?? seriesOf(record, model)
    known.set(key, series)
    series.calls.add(1)
    series.duration.observe(record.totalUs / MICROS)
    if (record.firstByteUs !== undefined) series.firstByte.observe(record.firstByteUs / MICROS)
    if (record.beforeUs !== undefined) series.overhead.observe((record.beforeUs + (record.afterUs ?? 0)) / MICROS)
    series.input.add(record.inputTokens ?? 0)
    series.output.add(record.outputTokens ?? 0)
    series.cachedInput.add(record.cachedInputTokens ?? 0)
    series.cacheWrite.add(record.cacheWriteTokens ?? 0)
    series.reasoning.add(record.reasoningTokens ?? 0)
    series.dollars.add((record.cost?.total ?? 0) / PICOS)
    if (record.unpriced === true) series.unpriced.add(1)
    series.retries.add(record.retries)
    if (record.fallback) series.fallbacks.add(1)
    for (const mode of ['enforce', 'shadow'] as const) {
      const refused = mode === 'enforce' ? record.refusedBy : record.shadowRefusals
      if (refused !== undefined && refused.length > 0) refusals({ workspace: workspaceId, mode }).add(1)
    }
    if (record.cacheStatus !== undefined && record.cacheStatus !== 'DISABLED')
      cached({ endpoint, result: record.cacheStatus }).add(1)
    // One that was tried once has no record of its attempt.
    if (record.attempts === 1) {
      attempt(record)
      genAi.observe(record, model)
    }
  }
  return {
    name: 'metrics',
    write(records) {
      for (const record of records) count(record)
    },
  }
}
