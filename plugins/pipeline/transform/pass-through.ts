import { noteAnswer } from '#calls/answered'
import { usageOfAny } from '#calls/any-usage'
import { splitModel } from '#calls/config/model-name'
import { estimateOutputTokens } from '#calls/estimate-tokens'
import { forwardedHeaders } from '#calls/forwarded-headers'
import { asksNoModel, isSocket } from '#calls/pass-through/pass-through'
import { callerKeys } from '#calls/slots'
import { collectUpTo } from '#core/bodies/answer'
import { wholeBody } from '#core/bodies/body'
import { assembled } from '#core/forms/segments'
import {
  type Answer,
  type Call,
  GatewayError,
  type Host,
  isReadyStream,
  type Next,
  Pipe,
  UnsupportedEndpoint,
  UpstreamInvalid,
} from '#kit'
import {
  type PassThrough,
  type ProviderRequest,
  passThrough,
  providerRequest,
  report,
  type Target,
  target,
} from '#kit/slots'
import { baseURLOf } from './base-url.ts'
import { countInput, countUsage } from './counted-usage.ts'
import { parseBody, providerError, redactBytes } from './provider-error.ts'
import { withoutParameter } from './query.ts'
import { type SessionOptions, SessionSocket } from './session/session-socket.ts'
import { MeteredAnswer } from './stream/metered-answer.ts'

/** Answers up to this size, in bytes, are held for a moment, so that they can be cached and their usage read. */
const HELD_BYTES = 4 * 1024 * 1024

/** A provider's words about an error are hardly longer, in bytes. */
const MAX_ERROR_BYTES = 1024 * 1024

const NOTHING = new Uint8Array(0)

/** What passing through needs of the host. */
export type PassThroughHost = Pick<Host, 'clock' | 'randomId'>

/** Sends a call as it came, but for the credentials, and hands the answer back as it came. */
export const sendAsItIs = async (call: Call, next: Next, { clock, randomId }: PassThroughHost): Promise<Answer> => {
  const to = call.get(target)
  const pass = call.get(passThrough)
  const stream = call.params.stream === true
  call.set(providerRequest, {
    method: call.request.method,
    url: urlOf(call, to, pass),
    headers: forwardedHeaders(call, to),
    stream,
    asItIs: true,
    upgrade: upgradeOf(call),
    ...bodyOf(call),
  })
  call.set(report, { provider: to.provider.id, model: to.model ?? '', droppedParams: [], stream })
  // What no model writes may tell of usage all the same, such as a run that is read again.
  const { isWritten } = call.endpoint
  if (isWritten && !asksNoModel(call) && !isSocket(call)) countInput(call, to)
  const answer = await next()
  const { status, headers, body, socket } = answer
  const session = sessionOf(call)
  if (socket !== undefined) {
    return {
      ...{ status, headers, body },
      socket: session === undefined ? socket : new SessionSocket(call, to, socket, { ...session, randomId }),
    }
  }
  if (!isReadyStream(body)) return answer
  if (call.request.headers.has('upgrade') && status < 300) {
    body.cancel()
    throw new UpstreamInvalid(`${to.provider.id}: The provider answered to a WebSocket without one.`)
  }
  if (status >= 400) throw await toError(to, answer, clock.now())
  if (status >= 300 && status !== 304) {
    body.cancel()
    // A client that follows would take its gateway key along to wherever that is.
    throw new UpstreamInvalid(`${to.provider.id}: The provider answered with a redirect, which is not followed.`)
  }
  // With a body, even an empty one, its length would not be that of the answer to a GET.
  if (call.request.method === 'HEAD') return { status, headers, body: NOTHING }
  const type = headers.get('content-type') ?? ''
  if (isWritten && /^text\/event-stream\b/i.test(type)) {
    const metered = new MeteredAnswer(call)
    countUsage(call, to, metered.meter, () => false)
    return { status, headers, verbatim: true, body: new Pipe(body, metered) }
  }
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) return { status, headers, verbatim: true, opaque: true, body }
  const whole = await collectUpTo(body, HELD_BYTES)
  if (isWritten && whole instanceof Uint8Array) countAnswer(call, to, whole)
  return { status, headers, verbatim: true, body: whole }
}

const sessionOf = ({ endpoint: { answer } }: Call): Pick<SessionOptions, 'form' | 'times'> | undefined => {
  if (answer.kind === 'upgrade') return { form: answer.session, times: answer.times }
  return answer.kind === 'bytes' && answer.session !== undefined
    ? { form: answer.session, times: undefined }
    : undefined
}

/** What a client asks for that wants a WebSocket; subprotocols that hold a key stay here. */
const upgradeOf = (call: Call): ProviderRequest['upgrade'] => {
  const { headers } = call.request
  if (!headers.has('upgrade')) return undefined
  const keys = call.get(callerKeys)
  const protocols = (headers.get('sec-websocket-protocol') ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '' && !each.startsWith('openai-insecure-api-key.') && !keys.isGatewayKey(each))
  return { protocols: protocols.length === 0 ? undefined : protocols.join(', ') }
}

/** Reads the usage of a whole answer, in whatever format. What neither reports it nor has a text of a model has none. */
const countAnswer = (call: Call, to: Target, bytes: Uint8Array): void => {
  const body = parseBody(bytes)
  // A stream of Google's that was not asked for as events: the last of its answers has the usage of all.
  const said: unknown = Array.isArray(body) ? body.at(-1) : body
  const usage = usageOfAny(said)
  noteAnswer(call, said)
  if (usage !== undefined) call.recordUsage(usage)
  const outputTokens = estimateOutputTokens(body)
  if (usage === undefined && outputTokens === 0 && to.isCallersHost !== true) return
  countUsage(call, to, { bytes: bytes.length, outputTokens, unreportedTokens: 0 }, () => true)
}

/** Our error, for retries and the log; the client gets the provider's own answer, without keys that it may repeat. */
const toError = async (to: Target, { status, headers, body }: Answer, nowMs: number): Promise<GatewayError> => {
  const held = isReadyStream(body) ? await collectUpTo(body, MAX_ERROR_BYTES) : body
  if (isReadyStream(held)) {
    held.cancel()
    return new UpstreamInvalid(`${to.provider.id}: The provider's error is larger than ${MAX_ERROR_BYTES} bytes.`)
  }
  const error = providerError(to, status, parseBody(held), headers, nowMs)
  return new GatewayError(error.code, error.message, {
    ...error.options,
    answer: { headers, body: redactBytes(held, to) },
  })
}

const urlOf = (call: Call, to: Target, { path, isReference, place, vendor, query: asked }: PassThrough): string => {
  const base = baseURLOf(to)
  const query = withoutParameter(asked, to.provider.keyParameter)
  if (place !== undefined) return placeOf(to, place, base, query)
  const given = path ?? vendorPath(call, to, vendor)
  const rest = isReference === true ? (to.provider.referencePath?.(given, to.settings) ?? given) : given
  const url = `${base}${withQuery(withoutDouble(base, rest), query)}`
  // What was checked must still be so when it is put together.
  const [expected, made] = [new URL(base), new URL(url)]
  if (made.origin !== expected.origin || !made.pathname.startsWith(expected.pathname.replace(/\/$/, ''))) {
    throw new UpstreamInvalid('The path leads out of the base URL of the provider.')
  }
  return url
}

/** A path with a query behind it, or behind the one that it has. */
const withQuery = (path: string, query: string): string =>
  path.includes('?') && query !== '' ? `${path}&${query.slice(1)}` : `${path}${query}`

const placeOf = (
  to: Target,
  { name, path }: NonNullable<PassThrough['place']>,
  base: string,
  query: string,
): string => {
  const { provider, model, settings } = to
  const toUrl = provider.places?.[name]
  if (toUrl === undefined) throw new UnsupportedEndpoint(`The provider '${provider.id}' has no \`${path}\`.`)
  const url = toUrl({ base, path, query, model, settings })
  if (new URL(url).origin === new URL(base).origin) return url
  throw new UpstreamInvalid('The place of the provider is at another host than its base URL.')
}

/** Clients whose base URL has no version put it into the path; ours have it already. */
const withoutDouble = (base: string, path: string): string => {
  const [version] = /\/v\d\w*$/.exec(base) ?? []
  return version !== undefined && (path === version || path.startsWith(`${version}/`))
    ? path.slice(version.length)
    : path
}

const vendorPath = (call: Call, { provider, settings, model = '' }: Target, vendor: PassThrough['vendor']): string => {
  const own = vendor && provider.vendorPaths?.[vendor]
  if (own !== undefined) return own
  const path = vendor && provider.endpoints[vendor]?.path
  if (path === undefined) {
    throw new UnsupportedEndpoint(`The provider '${provider.id}' has no place for calls in a format of its own here.`)
  }
  if (typeof path === 'string') return path
  const stream = call.params.stream === true
  return path({ model, stream, settings, strict: true, includeUsage: false, callId: call.id, created: 0 })
}

/** The bytes as they came, unless the model names the provider too, which does not know itself by that name. */
const bodyOf = (call: Call): Pick<ProviderRequest, 'body'> => {
  const { body } = call.request
  if (body.kind === 'streamed') return { body: body.open() }
  if (body.kind === 'form') return { body: assembled([{ from: 0, to: body.length }], body) }
  const { bytes } = wholeBody(body)
  if (bytes.length === 0) return {}
  const model = splitModel(call.params.model)?.model
  if (model !== undefined) return { body: JSON.stringify({ ...call.params, model }) }
  return { body: call.get(passThrough).body ?? bytes }
}
