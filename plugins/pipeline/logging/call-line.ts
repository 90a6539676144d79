import { attempt } from '#calls/slots'
import { failedHooks } from '#core/guardrails'
import type { LogFields } from '#core/ports'
import type { Call, Finish } from '#kit'
import { attempts, callConfig, report } from '#kit/slots'
import { type CallFacts, promptOf } from './call-record.ts'

const PICODOLLARS = 1e12

/**
 * The line of a call on standard output, of what its record says. Names are stable: operators build on them
 * (docs/operations.md lists them).
 * @param current the attempt that runs, or ran last, where it was not abandoned; else the call itself
 * @param legacyCalls how often the key has called a route that is on its way out
 */
export const callLine = (
  call: Call,
  current: Call,
  { usage, durations }: Finish,
  facts: CallFacts,
  legacyCalls: number | undefined,
): LogFields => {
  const sent = current.find(report)
  return {
    time: new Date(facts.time / 1000).toISOString(),
    type: 'call',
    id: facts.id,
    // Of a response of a session: that of the session.
    call_id: facts.callId === facts.id ? undefined : facts.callId,
    trace_id: facts.traceId,
    span_id: facts.spanId,
    parent_span_id: facts.parentSpanId,
    span_name: facts.spanName,
    method: facts.method,
    route: call.route,
    endpoint: facts.endpoint,
    legacy_calls: legacyCalls,
    prompt_id: facts.promptId,
    prompt_slug: facts.promptSlug,
    prompt_version: promptOf(call)?.version,
    status: facts.status,
    outcome: facts.outcome,
    organisation_id: facts.organisationId,
    workspace_id: facts.workspaceId,
    api_key_id: facts.apiKeyId,
    provider: facts.provider,
    virtual_key: facts.storedProvider,
    model: sent?.model,
    stream: sent?.stream,
    via: sent?.via,
    skipped_events: sent?.skippedEvents,
    dropped_params: facts.droppedParams,
    metadata: call.find(callConfig)?.metadata,
    first_token_limit_ms: rounded(call.find(attempt)?.firstTokenMs),
    attempts: call.find(attempts),
    shadow_refusals: facts.shadowRefusals,
    failed_guardrails: failedHooks(facts.hookResults)?.map(({ id, name }) => name ?? id),
    cache_status: facts.cacheStatus,
    cached: facts.savedTokens === undefined ? undefined : true,
    tokens_saved: facts.savedTokens,
    usage: usage && {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      total_tokens: usage.totalTokens,
      cached_input_tokens: usage.cachedInputTokens,
      cache_write_tokens: usage.cacheWriteTokens,
      reasoning_tokens: usage.reasoningTokens,
      estimated: usage.estimated,
    },
    cost_usd: facts.cost && facts.cost.total / PICODOLLARS,
    unpriced: facts.unpriced,
    error: facts.errorCode === undefined ? undefined : { code: facts.errorCode, message: facts.errorMessage },
    total_ms: rounded(durations.totalMs),
    first_byte_ms: rounded(durations.firstByteMs),
  }
}

/** Hundredths of a millisecond are enough for anybody. */
const rounded = (ms: number | undefined): number | undefined =>
  ms === undefined ? undefined : Math.round(ms * 100) / 100
