import { genAiProvider } from '../../core/gen-ai.ts'
import type { Metrics } from '../../core/metrics.ts'
import type { CallRecord } from '../../core/records.ts'
import { DURATION_SECONDS, FIRST_TOKEN_SECONDS, TOKENS } from './buckets.ts'

const MICROS = 1e6
const FIRST_ERROR = 400

/**
 * Metrics of a client of generative AI by the semantic conventions of OpenTelemetry (1.45, status: development, read
 * 2026-11-22), one value for each request to a provider.
 */
export const createGenAiMetrics = (metrics: Metrics, operationOf: (endpoint: string) => string) => {
  const duration = metrics.histogram(
    { name: 'gen_ai.client.operation.duration', description: 'GenAI operation duration.', unit: 's' },
    DURATION_SECONDS,
  )
  const firstChunk = metrics.histogram(
    {
      name: 'gen_ai.client.operation.time_to_first_chunk',
      description: 'Time to receive the first chunk of a stream.',
      unit: 's',
    },
    FIRST_TOKEN_SECONDS,
  )
  const tokens = metrics.histogram(
    { name: 'gen_ai.client.token.usage', description: 'Number of input and output tokens used.', unit: '{token}' },
    TOKENS,
  )
  return {
    observe(record: CallRecord, model: string): void {
      const labels = {
        'gen_ai.operation.name': operationOf(record.endpoint),
        'gen_ai.provider.name': genAiProvider(record.provider ?? ''),
        'gen_ai.request.model': model,
      }
      const error = record.success
        ? ''
        : (record.errorCode ?? (record.status < FIRST_ERROR ? record.outcome : `${record.status}`))
      duration({ ...labels, 'error.type': error }).observe((record.upstreamUs ?? record.totalUs) / MICROS)
      if (record.stream && record.firstByteUs !== undefined) firstChunk(labels).observe(record.firstByteUs / MICROS)
      if (record.inputTokens !== undefined)
        tokens({ ...labels, 'gen_ai.token.type': 'input' }).observe(record.inputTokens)
      if (record.outputTokens !== undefined)
        tokens({ ...labels, 'gen_ai.token.type': 'output' }).observe(record.outputTokens)
    },
  }
}
