import { type Call, definePlugin, EgressRefused, type SpanHandle, type Stage, t } from '#kit'
import { providerRequest, report, serverSpan, target } from '#kit/slots'
import { clientSpan, recordUsage } from './client-span.ts'

/** Sends the call to the provider: adds its credentials and hands the answer back as it came, body unread. */
export default definePlugin({
  name: 'provider-call',
  config: t.Object({}),
  setup(_config, { upstream, deadlines, tracing }) {
    const providerCall: Stage = {
      name: 'provider-call',
      async run(call) {
        const { provider, customHost, apiKey, settings, requestTimeoutMs } = call.get(target)
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
            deadlines,
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

/** The span covers the whole answer, so it ends when the call does. */
const endWithCall = (call: Call, span: SpanHandle): void =>
  call.onFinish(({ usage, error }) => {
    if (usage !== undefined) recordUsage(span, usage)
    if (error !== undefined) span.fail(error.code, error.message)
    span.end()
  })
