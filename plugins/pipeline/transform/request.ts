import { adaptRequest } from '#calls/adapt'
import { answeringClient } from '#calls/function-answers'
import { setPassedHeaders } from '#calls/passed-headers'
import { assistantPrefix, callerKeys } from '#calls/slots'
import { applyTargetParams, requestParams } from '#calls/target-params'
import { wholeBody } from '#core/bodies/body'
import { HeaderList } from '#core/header-fields'
import { trimSlashes } from '#core/trim-slashes'
import {
  type Call,
  type Endpoint,
  type HeaderFields,
  type Host,
  isStreamed,
  type Provider,
  ProviderKeyRequired,
} from '#kit'
import {
  type Adapter,
  type AdapterContext,
  adapterOf,
  type Bridge,
  type EndpointName,
  type RequestOf,
} from '#kit/provider'
import { gatewayHeaders, type ProviderRequest, type Target } from '#kit/slots'
import { formOutgoing, type Outgoing } from './outgoing.ts'
import { withoutParameter } from './query.ts'
import { rawOf } from './raw.ts'
import { saysTheSame, without } from './same-body.ts'
import { checkToolArguments } from './tool-arguments.ts'

/** A call made ready for one provider. */
export interface Prepared {
  readonly request: ProviderRequest
  readonly adapter: Adapter<EndpointName>
  readonly context: AdapterContext
  /** What is asked, before it is adapted. */
  readonly asked: RequestOf<EndpointName>
  readonly dropped: readonly string[]
  /** How many choices must finish: `n` of the request, for each of its prompts. */
  readonly choices: number
  /** Makes the answer one in the form of the client, which the provider does not speak. */
  readonly bridge: Bridge | undefined
  /** What the client asks of this target, in its own form. */
  readonly params: Readonly<Record<string, unknown>>
}

/**
 * Reads, checks and translates the request for its target.
 * @param form in which the client asks
 * @returns undefined where the provider cannot be asked for such a thing
 */
export const prepare = (
  call: Call,
  form: string,
  bridges: Host['bridges'],
  target: Target,
  createdSeconds: number,
): Prepared | undefined => {
  const { endpoint } = call
  const original = requestParams(call, target)
  const params = applyTargetParams(original, target)
  const model = typeof params.model === 'string' ? params.model : ''
  const chosen = chooseAdapter(form, target.provider, model, bridges)
  if (chosen === undefined) return undefined
  const { adapter, bridge } = chosen
  const asks = bridge?.asks
  const context: AdapterContext = {
    provider: target.provider.id,
    model,
    stream: isStreamed({ endpoint, params }),
    asked: params,
    strict: asks?.strict ?? target.strict,
    // A bridge knows those of the reference.
    ownFinishReason: bridge === undefined ? target.ownFinishReason : undefined,
    includeUsage: asks?.includeUsage ?? isIncluded(params.stream_options),
    callId: call.id,
    created: createdSeconds,
    customHost: target.customHost === undefined ? undefined : true,
    settings: target.settings,
    pathParams: call.request.params,
    search: searchOf(call, target),
    // Worked out for those who look.
    get passedHeaders() {
      return passedHeadersOf(call, target)
    },
  }
  const { request, dropped } = checked(endpoint, params, context, bridge)
  if (adapter.wire === 'own') checkToolArguments(request)
  const prefixed = withPrefix(call, adapter, request, context)
  const adapted = adaptRequest(adapter, prefixed ?? request, context)
  const askForUsage =
    context.stream &&
    adapter.wire === 'native' &&
    adapter.streamUsage === true &&
    !('stream_options' in request && isIncluded(request.stream_options))
  const body = (): Uint8Array | string | undefined => {
    if (adapted.body === undefined) return undefined
    const untouched =
      !adapted.changed &&
      (params === original || saysTheSame(call, params, original)) &&
      target.prompt === undefined &&
      prefixed === undefined &&
      bridge === undefined
    if (!askForUsage) {
      if (untouched) return wholeBody(call.request.body).bytes
      return JSON.stringify(bridge === undefined ? without(adapted.body, endpoint.notInBody) : adapted.body)
    }
    if (untouched && !('stream_options' in original)) return withUsageOption(wholeBody(call.request.body).bytes)
    return JSON.stringify({ ...adapted.body, stream_options: { ...optionsOf(request), include_usage: true } })
  }
  const outgoing: Outgoing = formOutgoing(call, adapter, adapted) ?? json(body())
  const isRaw = rawOf(endpoint, params) !== undefined
  // Events that are made here of what comes: its form is not the client's to choose.
  const isMade = context.stream && adapter.wire === 'own' && adapter.stream === undefined
  return {
    adapter: answeringClient(adapter, request),
    context,
    asked: request,
    dropped: dropped.length === 0 ? adapted.dropped : [...dropped, ...adapted.dropped],
    choices: endpoint.choicesOf(params),
    bridge,
    params,
    request: {
      method: adapter.method,
      url: `${baseURLOf(target, adapter.baseURL)}${adapted.path}`,
      headers: headersFor(call, target, outgoing.type, isRaw || isMade ? '*/*' : context.stream ? EVENTS : JSON_TYPE),
      stream: context.stream,
      body: outgoing.body,
      asItIs: isRaw,
    },
  }
}

const passedHeadersOf = (call: Call, target: Target): Readonly<Record<string, string>> => {
  const passed: Record<string, string> = {}
  setPassedHeaders(target, call.get(gatewayHeaders), call.request.headers, (name, value) => {
    passed[name] = value
  })
  return passed
}

/** The query of the client, but for the parameter in which it may have put its key. */
const searchOf = ({ request: { search } }: Call, { provider }: Target): string =>
  search === '' ? '' : withoutParameter(search, provider.keyParameter)

/** The request that asks to go on from what the client has, where the provider can. */
const withPrefix = (
  call: Call,
  adapter: Adapter<EndpointName>,
  request: RequestOf<EndpointName>,
  context: AdapterContext,
): RequestOf<EndpointName> | undefined => {
  const prefix = call.find(assistantPrefix)
  if (prefix === undefined) return undefined
  const prefixed = adapter.assistantPrefix?.(request, prefix.text, context)
  if (prefixed === undefined) return undefined
  prefix.echo = prefixed.echo
  return prefixed.request
}

/** How a provider is asked. */
interface Chosen {
  readonly adapter: Adapter<EndpointName>
  readonly bridge?: Bridge
}

/** The provider's way to be asked in the client's form, or else in one that there is a bridge to. */
const chooseAdapter = (
  form: string,
  provider: Provider,
  model: string,
  bridges: Host['bridges'],
): Chosen | undefined => {
  // Each adapter only ever meets the requests of its own form: `checked` makes them for the same one.
  const adapterFor = (form: string) => adapterOf(provider, form, model) as unknown as Adapter<EndpointName> | undefined
  const native = adapterFor(form)
  if (native !== undefined) return { adapter: native }
  for (const bridge of bridges.from(form)) {
    const adapter = adapterFor(bridge.to)
    if (adapter !== undefined) return { adapter, bridge }
  }
  return undefined
}

const NONE: readonly string[] = []

interface Checked {
  readonly request: RequestOf<EndpointName>
  /** Lost already, before the adapter of the provider has seen it. */
  readonly dropped: readonly string[]
}

const checked = (
  { body }: Endpoint,
  params: Readonly<Record<string, unknown>>,
  context: AdapterContext,
  bridge: Bridge | undefined,
): Checked => {
  if (body.kind !== 'json' && body.kind !== 'multipart') return { request: {}, dropped: NONE }
  body.check(params)
  const { request, dropped } = bridge?.request(params, context) ?? { request: params, dropped: NONE }
  // The checks are what makes this cast true.
  return { request: request as RequestOf<EndpointName>, dropped }
}

const isIncluded = (options: unknown): boolean =>
  typeof options === 'object' && options !== null && 'include_usage' in options && options.include_usage === true

const optionsOf = (request: object): object =>
  'stream_options' in request && typeof request.stream_options === 'object' ? { ...request.stream_options } : {}

/** A host that the caller chose never sees the operator's key. @param place of what is asked, where it is not the provider's */
export const baseURLOf = (target: Target, place: Provider['baseURL'] = target.provider.baseURL): string => {
  const { provider, customHost, settings } = target
  const hasOwnLogin = provider.keySettings?.some((name) => (settings[name] ?? '') !== '') === true
  const apiKey = target.apiKey === '' ? undefined : target.apiKey
  if (customHost !== undefined) {
    if (!hasOwnLogin && apiKey === undefined && provider.needsKey && target.withoutKey !== true) {
      throw new ProviderKeyRequired('A call with `x-gateway-custom-host` must bring its own provider key.')
    }
    return customHost
  }
  // What is wrong with the place is said first.
  const baseURL = trimSlashes(typeof place === 'string' ? place : place(settings))
  const hasKey = apiKey !== undefined || (target.apiKey === undefined && provider.apiKey !== undefined)
  if (!hasKey && !hasOwnLogin && provider.needsKey) {
    throw new ProviderKeyRequired(
      `The provider '${provider.id}' needs a key: send it as \`Authorization: Bearer <key>\` with the gateway key in \`x-gateway-api-key\`.`,
    )
  }
  return baseURL
}

const JSON_TYPE = 'application/json'
const EVENTS = 'text/event-stream'

const json = (body: Uint8Array | string | undefined): Outgoing => (body === undefined ? {} : { body, type: JSON_TYPE })

const headersFor = (call: Call, target: Target, type: string | undefined, accept: string): HeaderFields => {
  const client = call.request.headers
  const named = call.get(gatewayHeaders)
  const headers = new HeaderList()
  headers.set('accept', accept)
  headers.set('user-agent', 'weir')
  if (type !== undefined) headers.set('content-type', type)
  for (const name of target.forwardHeaders) {
    const value = client.get(name)
    if (value !== null && !call.get(callerKeys).isGatewayKey(value)) headers.set(name, value)
  }
  if (target.provider.headers !== undefined) {
    setPassedHeaders(target, named, client, (name, value) => headers.set(name, value))
  }
  if (target.headers !== undefined) {
    for (const [name, value] of Object.entries(target.headers)) {
      if (!named.owns(name.toLowerCase())) headers.set(name, value)
    }
  }
  return headers
}

const encoder = new TextEncoder()
const USAGE_OPTION = encoder.encode(',"stream_options":{"include_usage":true}}')
const CLOSE_BRACE = 0x7d

/**
 * Asks for usage at the end of a stream, in the bytes as the client sent them: the option is put before the last brace,
 * so nothing else changes, numbers beyond 2^53 included. The body is a JSON object that has no `stream_options` yet.
 */
export const withUsageOption = (bytes: Uint8Array): Uint8Array => {
  const end = bytes.lastIndexOf(CLOSE_BRACE)
  const spliced = new Uint8Array(end + USAGE_OPTION.length)
  spliced.set(bytes.subarray(0, end))
  spliced.set(USAGE_OPTION, end)
  return spliced
}
