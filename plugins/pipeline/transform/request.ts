import { answeringClient } from '#calls/function-answers'
import { assistantPrefix } from '#calls/slots'
import { applyTargetParams, requestParams } from '#calls/target-params'
import { wholeBody } from '#core/bodies/body'
import { type Call, type Host, isStreamed } from '#kit'
import type { Adapter, AdapterContext, Bridge, EndpointName, RequestOf } from '#kit/provider'
import type { ProviderRequest, Target } from '#kit/slots'
import { adapted as adaptedBy } from './adapted.ts'
import { baseURLOf } from './base-url.ts'
import { checked } from './checked.ts'
import { chooseAdapter } from './choose-adapter.ts'
import { formOutgoing, type Outgoing } from './outgoing.ts'
import { performedRequest } from './performed.ts'
import { searchOf } from './query.ts'
import { rawOf } from './raw.ts'
import { headersFor, passedHeadersOf } from './request-headers.ts'
import { saysTheSame, without } from './same-body.ts'
import { isIncluded, optionsOf, withUsageOption } from './usage-option.ts'

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
  host: Pick<Host, 'bridges' | 'clock' | 'endpoints'>,
  target: Target,
): Prepared | undefined => {
  const { endpoint } = call
  const { bridges } = host
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
    created: Math.floor(host.clock.now() / 1000),
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
  if (adapter.perform !== undefined) {
    const perform = { perform: adapter.perform, asked: request, context, params, host }
    const lost = adapter.loses?.(request) ?? []
    return {
      ...{ adapter, context, asked: request, dropped: [...dropped, ...lost], choices: 1, bridge: undefined, params },
      request: performedRequest(call, target, perform, baseURLOf(target, adapter.baseURL)),
    }
  }
  const prefixed = withPrefix(call, adapter, request, context)
  const adapted = adaptedBy(adapter, prefixed ?? request, { context, bridge, params })
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
      target.params === undefined &&
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
      headers: headersFor(call, target, outgoing.type, isRaw ? '*/*' : acceptFor(context.stream, isMade, adapter)),
      stream: context.stream,
      body: outgoing.body,
      asItIs: isRaw,
    },
  }
}

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

const JSON_TYPE = 'application/json'
const EVENTS = 'text/event-stream'

const json = (body: Uint8Array | string | undefined): Outgoing => (body === undefined ? {} : { body, type: JSON_TYPE })

/** What to ask for. @param isMade events are made here: of sound as it comes, or of an answer that `reply` reads */
const acceptFor = (stream: boolean, isMade: boolean, { reply }: Pick<Adapter<EndpointName>, 'reply'>): string => {
  if (!stream || (isMade && reply !== undefined)) return JSON_TYPE
  return isMade ? '*/*' : EVENTS
}
