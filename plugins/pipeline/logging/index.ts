import { attempt, limitAccount, promptCall, serverSpan } from '#calls/slots'
import type { SpanHandle } from '#core/ports'
import { type Call, definePlugin, type Finish, type GatewayError, logWords, type Stage, t } from '#kit'
import { attempts, cacheUse, callConfig, principal, report, target, trace } from '#kit/slots'
import { LegacyUse } from './legacy-use.ts'

/** The outermost stage: one NDJSON line and one server span for every call, whatever became of it. Never a body, never a key. */
export default definePlugin({
  name: 'logging',
  config: t.Object({
    calls: t.Boolean({ default: true, description: 'Write one line of JSON to standard output for every call.' }),
  }),
  needs: ['callLog', 'clock', 'tracing'],
  setup({ calls }, { clock, callLog, tracing }) {
    const legacyUse = new LegacyUse()
    const logging: Stage = {
      name: 'logging',
      run(call, next) {
        const time = new Date(clock.now()).toISOString()
        const span = tracing.start(() => {
          const traceparent = call.request.headers.get('traceparent')
          return {
            name: `${call.request.method} ${call.route}`,
            kind: 'server',
            attributes: {
              'http.request.method': call.request.method,
              'http.route': call.route,
              'url.path': call.request.path,
            },
            ...(traceparent === null ? {} : { traceparent }),
          }
        })
        if (span !== undefined) call.set(serverSpan, span)
        call.onFinish((finish) => {
          if (span !== undefined) endSpan(span, finish)
          const legacyCalls = call.deprecated === undefined ? undefined : legacyUse.count(call)
          if (calls) callLog(record(call, finish, time, legacyCalls))
        })
        return next()
      },
    }
    return { stages: [logging] }
  },
})

const endSpan = (span: SpanHandle, { status, error }: Finish): void => {
  span.set({ 'http.response.status_code': status })
  // By the HTTP conventions an error of the client is no failure of the server.
  if (error !== undefined && status >= 500) span.fail(error.code, wordsOf(error))
  span.end()
}

/** The line. Names are stable: operators build on them (docs/operations.md lists them). */
const record = (call: Call, finish: Finish, time: string, legacyCalls: number | undefined): Record<string, unknown> => {
  const caller = call.find(principal)
  const ids = call.find(trace)
  const sent = call.find(report)
  const prompt = (call.find(target)?.prompt ?? call.find(promptCall)?.rendered)?.prompt
  const cached = call.find(cacheUse)
  const { usage, error, durations } = finish
  return {
    time,
    type: 'call',
    id: call.id,
    trace_id: ids?.traceId,
    span_id: ids?.spanId,
    parent_span_id: ids?.parentSpanId,
    span_name: ids?.spanName,
    method: call.request.method,
    route: call.route,
    endpoint: call.endpoint.id,
    legacy_calls: legacyCalls,
    prompt_id: prompt?.id,
    prompt_slug: prompt?.slug,
    prompt_version: prompt?.version,
    status: finish.status,
    outcome: finish.outcome,
    organisation_id: caller?.organisationId,
    workspace_id: caller?.workspaceId,
    api_key_id: caller?.keyId,
    provider: sent?.provider ?? call.find(target)?.provider.id,
    virtual_key: call.find(target)?.storedProvider,
    model: sent?.model,
    stream: sent?.stream,
    via: sent?.via,
    skipped_events: sent?.skippedEvents,
    dropped_params: sent === undefined || sent.droppedParams.length === 0 ? undefined : sent.droppedParams,
    metadata: call.find(callConfig)?.metadata,
    first_token_limit_ms: rounded(call.find(attempt)?.firstTokenMs),
    attempts: call.find(attempts),
    shadow_refusals: refusalsOf(call),
    cache_status: cached?.status === 'DISABLED' ? undefined : cached?.status,
    cached: cached?.tokensSaved === undefined ? undefined : true,
    tokens_saved: cached?.tokensSaved,
    usage: usage && {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      total_tokens: usage.totalTokens,
      cached_input_tokens: usage.cachedInputTokens,
      cache_write_tokens: usage.cacheWriteTokens,
      reasoning_tokens: usage.reasoningTokens,
      estimated: usage.estimated,
    },
    error: error && { code: error.code, message: wordsOf(error) },
    total_ms: rounded(durations.totalMs),
    first_byte_ms: rounded(durations.firstByteMs),
  }
}

/** Errors of ours as they are; a provider's are somebody else's. */
const wordsOf = ({ message, options: { provider } }: GatewayError): string =>
  provider === undefined ? message : logWords(message)

/** Ids of limits in shadow mode that would have refused the call. */
const refusalsOf = (call: Call): readonly string[] | undefined => {
  const refusals = call.find(limitAccount)?.shadowRefusals ?? []
  return refusals.length === 0 ? undefined : refusals
}

/** Hundredths of a millisecond are enough for anybody. */
const rounded = (ms: number | undefined): number | undefined =>
  ms === undefined ? undefined : Math.round(ms * 100) / 100
