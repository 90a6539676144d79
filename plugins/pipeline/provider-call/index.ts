import { attempt, callerKeys, providerMessages, serverSpan } from '#calls/slots'
import { percentDecoded } from '#core/key-form'
import type { SpanHandle } from '#core/ports'
import { type Answer, type Call, type Deadlines, definePlugin, EgressRefused, logWords, type Stage, t } from '#kit'
import type { Credentials, OutgoingRequest } from '#kit/provider'
import { type ProviderRequest, principal, providerRequest, report, type Target, target } from '#kit/slots'
import { clientSpan, recordUsage } from './client-span.ts'

const NOTHING = new Uint8Array(0)
const UNAUTHORIZED = 401

/** Sends the call to the provider: adds its credentials and hands the answer back as it came, body unread. */
export default definePlugin({
  name: 'provider-call',
  config: t.Object({}),
  needs: ['deadlines', 'tracing', 'upstream'],
  setup(_config, { upstream, deadlines, tracing }) {
    const send = async (
      call: Call,
      to: Target,
      credentials: Credentials,
      request: ProviderRequest,
      span: SpanHandle | undefined,
    ): Promise<Answer> => {
      const traceparent = span && tracing.traceparent(span)
      if (traceparent !== undefined) request.headers.set('traceparent', traceparent)
      refuseGatewayKey(call, request)
      call.find(providerMessages)?.sent(call, request)
      const waits = call.find(attempt)?.deadlines ?? deadlines
      // Before the answer, as the client may leave while it is waited for: a call that is left counts like any other.
      call.markProviderReached()
      try {
        const { status, headers, body, socket } = await upstream.send({
          method: request.method,
          url: request.url,
          hostOwner: isOperatorsHost(to) && request.isElsewhere !== true ? undefined : call.get(principal).workspaceId,
          headers: request.headers,
          body: request.body,
          asItIs: request.asItIs,
          upgrade: request.upgrade,
          signal: call.cancellation,
          watch: call,
          deadlines: request.stream ? until(waits, to.firstTokenTimeoutMs) : waits,
          requestTimeoutMs: to.requestTimeoutMs,
        })
        call.markAnswerBegun(request.stream && status < 300)
        span?.set({ 'http.response.status_code': status })
        if (status === UNAUTHORIZED && request.withoutKey !== true) to.provider.refused?.(credentials)
        return socket === undefined ? { status, headers, body } : { status, headers, body: NOTHING, socket }
      } catch (thrown) {
        // Counted as a call also when it fails, unless it never left.
        if (thrown instanceof EgressRefused) call.markProviderReached(false)
        throw thrown
      }
    }

    const ask = (call: Call, to: Target, request: ProviderRequest): Promise<Answer> => {
      const { provider, customHost, apiKey, settings, storedProvider } = to
      const span = clientSpan(tracing, call.get(report), call, request.url, call.find(serverSpan))
      if (span !== undefined) endWithCall(call, span)
      // Where the caller chose the host, only the caller's own key may go.
      const key = apiKey ?? (customHost === undefined ? provider.apiKey : undefined) ?? ''
      const credentials: Credentials = {
        apiKey: key,
        settings,
        isStored: storedProvider === undefined ? undefined : true,
        hasCustomHost: customHost === undefined ? undefined : true,
      }
      if (request.withoutKey === true) return send(call, to, credentials, request, span)
      const authorized = provider.authorize(request.headers, credentials, outgoing(request))
      return authorized instanceof Promise
        ? authorized.then(() => send(call, to, credentials, request, span))
        : send(call, to, credentials, request, span)
    }

    const providerCall: Stage = {
      name: 'provider-call',
      run(call) {
        const to = call.get(target)
        const request = call.get(providerRequest)
        return request.perform?.((each) => ask(call, to, each)) ?? ask(call, to, request)
      },
    }
    return { stages: [providerCall] }
  },
})

const outgoing = ({ method, url, body, service }: ProviderRequest): OutgoingRequest =>
  typeof body === 'object' && !(body instanceof Uint8Array)
    ? { method, url, isStreamed: true, service }
    : { method, url, body, isStreamed: false, service }

/**
 * Wherever a caller managed to put it: in a setting that becomes a header, in the model that becomes a path. Keys of Weir's
 * own form are stopped at the wire; this is for one that the operator chose.
 */
const refuseGatewayKey = (call: Call, { url, headers }: ProviderRequest): void => {
  const keys = call.get(callerKeys)
  // Only what a caller wrote itself can be encoded.
  const mayBeEncoded = call.endpoint.form === undefined || url.includes('%')
  let holds = mayBeEncoded ? keys.isGatewayKey(percentDecoded(url)) : keys.repeatsGatewayKey(url)
  headers.forEach((value) => {
    holds ||= keys.repeatsGatewayKey(value)
  })
  if (holds) throw new EgressRefused('The request would carry the gateway key of the call to the provider.')
}

/** False where a call or a stored provider says where it goes, by a host or by what the host is made of (a resource, a region). */
const isOperatorsHost = ({ provider: { baseURL, defaultSettings }, customHost, settings }: Target): boolean => {
  if (customHost !== undefined) return false
  if (typeof baseURL === 'string') return true
  for (const name of Object.keys(settings)) if (settings[name] !== defaultSettings?.[name]) return false
  return true
}

/** The first token of a stream cannot come before its first byte. */
const until = (deadlines: Deadlines, firstTokenMs = deadlines.firstByteMs): Deadlines =>
  firstTokenMs >= deadlines.firstByteMs ? deadlines : { ...deadlines, firstByteMs: firstTokenMs }

/** The span covers the whole answer, so it ends when the call does, or when its attempt is given up. */
const endWithCall = (call: Call, span: SpanHandle): void =>
  call.onFinish(({ usage, error }) => {
    const model = call.find(report)?.answered?.model
    if (model !== undefined) span.set({ 'gen_ai.response.model': model })
    if (usage !== undefined) recordUsage(span, usage)
    if (error !== undefined) span.fail(error.code, logWords(error.message))
    span.end()
  })
