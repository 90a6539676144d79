import { type Attributes, type Logger, ROOT_CONTEXT, SeverityNumber, TraceFlags, trace } from '@opentelemetry/api'
import { defined } from '../../core/defined.ts'
import { genAiProvider } from '../../core/gen-ai.ts'
import { failedHooks } from '../../core/guardrails.ts'
import type { CallRecord, CallSink, RecordedMessage } from '../../core/records.ts'
import { inputMessages, outputMessages } from './messages.ts'

const DOLLAR = 1e12
const FIRST_SERVER_ERROR = 500

/** Name of the event by the conventions for generative AI (OpenTelemetry semantic conventions 1.45, read 2026-11-22). */
const EVENT = 'gen_ai.client.inference.operation.details'

/**
 * Sends an event for each call, with what its record says.
 * @param withContent what was asked and answered goes along, as far as it is kept
 * @param operationOf `gen_ai.operation.name` of an endpoint
 */
export const createCallEvents = (
  events: Logger,
  withContent: boolean,
  operationOf: (endpoint: string) => string,
): CallSink => ({
  name: 'otlp',
  ...(withContent ? { takesMessages: true as const } : {}),
  write(records, messages) {
    for (const record of records) {
      if (record.kind === 'attempt') continue
      const said = withContent ? messages?.get(record.id) : undefined
      events.emit({
        eventName: EVENT,
        timestamp: record.time / 1000,
        severityNumber: record.status >= FIRST_SERVER_ERROR ? SeverityNumber.ERROR : SeverityNumber.INFO,
        attributes: attributesOf(record, operationOf(record.endpoint), said),
        context: contextOf(record),
      })
    }
  },
})

const attributesOf = (
  record: CallRecord,
  operation: string,
  messages: readonly RecordedMessage[] | undefined,
): Attributes =>
  defined({
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': record.provider === undefined ? undefined : genAiProvider(record.provider),
    'gen_ai.request.model': record.modelAsked,
    'gen_ai.response.model': record.model,
    'gen_ai.usage.input_tokens': record.inputTokens,
    'gen_ai.usage.output_tokens': record.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': record.cachedInputTokens,
    'gen_ai.usage.cache_creation.input_tokens': record.cacheWriteTokens,
    'gen_ai.usage.reasoning.output_tokens': record.reasoningTokens,
    'gen_ai.input.messages': messages && inputMessages(messages),
    'gen_ai.output.messages': messages && outputMessages(messages),
    'error.type': record.success ? undefined : (record.errorCode ?? String(record.status)),
    'http.request.method': record.method,
    'http.response.status_code': record.status,
    'url.path': record.path,
    'weir.call.id': record.id,
    'weir.trace.id': record.traceId,
    'weir.workspace.id': record.workspaceId,
    'weir.api_key.id': record.apiKeyId,
    'weir.config': record.configSlug,
    'weir.outcome': record.outcome,
    'weir.attempts': record.attempts,
    'weir.cache': record.cacheStatus,
    'weir.cost.usd': record.cost === undefined ? undefined : record.cost.total / DOLLAR,
    'weir.unpriced': record.unpriced,
    // The conventions have no name for it.
    'weir.guardrail.failed': failedHooks(record.hookResults)?.map(({ id }) => id),
    'weir.duration_ms': record.totalUs / 1000,
    ...Object.fromEntries(Object.entries(record.metadata).map(([name, value]) => [`weir.metadata.${name}`, value])),
  })

/** Ties the event to its trace, where the call has one of W3C's form. */
const contextOf = ({ traceId, parentSpanId = '' }: CallRecord) =>
  /^[0-9a-f]{32}$/.test(traceId) && /^[0-9a-f]{16}$/.test(parentSpanId)
    ? trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId: parentSpanId, traceFlags: TraceFlags.SAMPLED })
    : ROOT_CONTEXT
