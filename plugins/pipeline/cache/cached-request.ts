import { forwardedHeaders } from '#calls/forwarded-headers'
import { applyTargetParams, requestParams } from '#calls/target-params'
import { wholeBody } from '#core/bodies/body'
import { type Call, isRecord } from '#kit'
import { callConfig, gatewayHeaders, principal, type Target } from '#kit/slots'
import { fingerprint, hasInexactNumber } from './canonical.ts'

/** Changes with the form of keys and entries: what an earlier version kept is not read. */
const FORM = 'weir-answer-1'

/** A request as the cache looks at it. */
export interface CachedRequest {
  /** Key of its answer. */
  readonly key: string
  /** All that its answer depends on besides the request itself: tenant, target, partition. */
  readonly place: string
  /** What the target gets, without those that only shape the way back. */
  readonly params: Readonly<Record<string, unknown>>
  readonly stream: boolean
  /** The usage chunk of a stream was asked for. */
  readonly includeUsage: boolean
}

export const cachedRequest = (call: Call, to: Target): CachedRequest =>
  call.endpoint.form === undefined ? asItIs(call, to) : translated(call, to)

/** What passes through is known by its bytes: nobody says what they mean. */
const asItIs = (call: Call, to: Target): CachedRequest => {
  const { path, search, body } = call.request
  const headers = [...forwardedHeaders(call, to)].filter(([name]) => !OF_THE_CLIENT.test(name))
  const place = fingerprint([FORM, placeOf(call, to), path, search, headers.toSorted()])
  return {
    key: fingerprint([place, sha256(wholeBody(body).bytes)]),
    place,
    params: call.params,
    stream: false,
    includeUsage: false,
  }
}

/** Headers that say who asks and how, and not what. */
const OF_THE_CLIENT = /^(?:user-agent|x-stainless-.*|x-request-id|idempotency-key|cache-control|pragma|origin|referer)$/

const sha256 = (bytes: Uint8Array): string => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')

const translated = (call: Call, to: Target): CachedRequest => {
  const body = requestParams(call, to)
  const { stream, stream_options: options, ...params } = applyTargetParams(body, to)
  const place = fingerprint([FORM, placeOf(call, to)])
  const bytes =
    to.prompt === undefined && to.params === undefined && hasInexactNumber(body)
      ? sha256(wholeBody(call.request.body).bytes)
      : null
  return {
    key: fingerprint([place, params, bytes]),
    place,
    params,
    stream: stream === true && call.endpoint.answer.kind === 'events',
    includeUsage: isRecord(options) && options.include_usage === true,
  }
}

/**
 * Never leave anything out here that an answer may depend on, nor the tenant: two calls share an answer if and only if
 * all of this is equal.
 */
const placeOf = (call: Call, to: Target) => {
  const { organisationId, workspaceId } = call.get(principal)
  const {
    provider,
    storedProvider,
    customHost,
    apiKey,
    isCallersKey,
    withoutKey,
    headers,
    settings,
    strict,
    ownFinishReason,
  } = to
  return {
    organisationId,
    workspaceId,
    endpoint: call.endpoint.id,
    partition: partitionOf(call),
    provider: provider.id,
    baseURL: typeof provider.baseURL === 'string' ? provider.baseURL : undefined,
    storedProvider,
    customHost,
    // A stored provider is one whatever its key; a key that a call brings may be of any account.
    apiKey: storedProvider === undefined || isCallersKey === true ? apiKey : undefined,
    withoutKey,
    headers,
    settings,
    strict,
    ownFinishReason,
    clientHeaders: clientHeaders(call, to),
  }
}

/** A namespace stands in the place of the metadata (behaviour reference, section 6). */
const partitionOf = (call: Call) => {
  const namespace = call.get(gatewayHeaders).get('cache-namespace')?.trim()
  return namespace ? { namespace } : { metadata: call.get(callConfig).metadata }
}

/** Headers of the client that the provider gets. */
const clientHeaders = (call: Call, { forwardHeaders, provider }: Target): Record<string, string | null> => {
  const client = call.request.headers
  const named = call.get(gatewayHeaders)
  return {
    ...Object.fromEntries(forwardHeaders.map((name) => [name, client.get(name)])),
    ...Object.fromEntries((provider.headers ?? []).map((name) => [name, named.get(name) ?? client.get(name)])),
  }
}
