import { type Call, type Deadlines, definePlugin, EgressRefused, type SpanHandle, type Stage, t } from '#kit'
import { attempt, providerRequest, report, serverSpan, target } from '#kit/slots'
import { clientSpan, recordUsage } from './client-span.ts'

/** Sends the call to the provider: adds its credentials and hands the answer back as it came, body unread. */
export default definePlugin({
  name: 'provider-call',
  config: t.Object({}),
  setup(_config, { upstream, deadlines, tracing }) {
    const providerCall: Stage = {
      name: 'provider-call',
      async run(call) {
        const { provider, customHost, apiKey, settings, requestTimeoutMs, firstTokenTimeoutMs } = call.get(target)
        const request = call.get(providerRequest)
        const span = clientSpan(tracing, call.get(report), call.endpoint, request.url, call.find(serverSpan))
        endWithCall(call, span)
        // Where the caller chose the host, only the caller's own key may go.
        const key = apiKey ?? (customHost === undefined ? provider.apiKey : undefined) ?? ''
        await provider.authorize(request.headers, { apiKey: key, settings })
        const traceparent = tracing.traceparent(span)
        if (traceparent !== undefined) request.headers.set('traceparent', traceparent)
        // Counted as a call also when it fails, unless it never left.
        const response = await upstream
          .send({
            method: request.method,
            url: request.url,
            headers: request.headers,
            signal: call.signal,
            deadlines: within(
              request.stream ? until(deadlines, firstTokenTimeoutMs) : deadlines,
              call.find(attempt)?.remainingMs,
            ),
            ...(request.body === undefined ? {} : { body: request.body }),
            ...(requestTimeoutMs === undefined ? {} : { requestTimeoutMs }),
          })
          .catch((thrown: unknown) => {
            if (!(thrown instanceof EgressRefused)) call.markProviderReached()
            throw thrown
          })
        call.markProviderReached()
        span.set({ 'http.response.status_code': response.status })
        return { status: response.status, headers: response.headers, body: response.body }
      },
    }
    return { stages: [providerCall] }
  },
})

/** The first token of a stream cannot come before its first byte. */
const until = (deadlines: Deadlines, firstTokenMs = deadlines.firstByteMs): Deadlines =>
  firstTokenMs >= deadlines.firstByteMs ? deadlines : { ...deadlines, firstByteMs: firstTokenMs }

/** What attempts before this one took is not there any more. */
const within = (deadlines: Deadlines, remainingMs = deadlines.totalMs): Deadlines =>
  remainingMs >= deadlines.totalMs ? deadlines : { ...deadlines, totalMs: Math.max(1, Math.ceil(remainingMs)) }

/** The span covers the whole answer, so it ends when the call does, or when its attempt is given up. */
const endWithCall = (call: Call, span: SpanHandle): void =>
  call.onFinish(({ usage, error }) => {
    if (usage !== undefined) recordUsage(span, usage)
    if (error !== undefined) span.fail(error.code, error.message)
    span.end()
  })
