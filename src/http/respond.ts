import type { Answer } from '../core/bodies/answer.ts'
import { isReadyStream } from '../core/bodies/ready-stream.ts'
import type { Call } from '../core/call.ts'
import type { Endpoint, ErrorForm } from '../core/endpoint.ts'
import type { UpstreamSocket } from '../core/ports.ts'
import { errorHeaders, toEnvelope, toGatewayError } from '../errors/envelope.ts'
import { type AnsweredHeaders, ClientClosed, type GatewayError, WebsocketUnsupported } from '../errors/gateway-error.ts'
import { gatewayHeaders } from '../kit/slots.ts'
import { Relay, type Upgrade } from './relay.ts'
import { type Lifeline, streamBody } from './stream-body.ts'

const OWN_PREFIX = 'x-gateway-'

/** The answer of the chain as an HTTP response. Ends the call: at once for bytes, with the last byte for a stream. */
export const toResponse = (call: Call, answer: Answer, lifeline: Lifeline): Response => {
  const headers = responseHeaders(call, answer.headers)
  const { body, status } = answer
  if (isReadyStream(body)) {
    const { verbatim = false, opaque = false, keepAlive } = answer
    const options = { source: body, status, verbatim, opaque, keepAlive }
    return new Response(streamBody(call, options, lifeline), { status, headers })
  }
  call.markSent(body.length)
  call.finish('completed', status)
  // Some statuses may not have a body, not even an empty one.
  return new Response(body.length === 0 ? null : body, { status, headers })
}

/**
 * Hands the connection of the client over to the provider's. The call ends with it, and the server ignores what is answered.
 * @throws WebsocketUnsupported where nobody can, and ClientClosed
 */
export const switchProtocol = (
  call: Call,
  headers: Answer['headers'],
  socket: UpstreamSocket,
  upgrade: Upgrade | undefined,
): Relay => {
  const answered = new Headers(responseHeaders(call, headers))
  if (socket.protocol !== undefined) answered.set('sec-websocket-protocol', socket.protocol)
  const relay = new Relay(call, socket)
  if (upgrade?.(relay, answered) === true) return relay
  socket.close(GOING_AWAY)
  throw upgrade === undefined
    ? new WebsocketUnsupported('This server hands no connection over.')
    : new ClientClosed('The client left before its WebSocket was open.')
}

/** Close code for a WebSocket that is not used. */
const GOING_AWAY = 1001

/** An error that came before the first byte, as an HTTP response. Ends the call. */
export const toErrorResponse = (call: Call, thrown: unknown): Response => {
  const error = toGatewayError(thrown, call.id)
  const left = call.cancellation.aborted && error.code === 'client_closed'
  call.finish(left ? 'client_closed' : 'failed', error.status, error)
  const { answer, headers: told } = error.options
  const isOurs = answer === undefined || left
  const headers = responseHeaders(call, isOurs ? told : answer.headers)
  // The name under which Anthropic's SDKs look for the id.
  if (call.request.headers.has('anthropic-version')) headers['request-id'] ??= headers['x-request-id'] ?? call.id
  if (isOurs) return errorResponse(error, new Headers(headers), call.endpoint)
  return new Response(answer.body.length === 0 ? null : answer.body, { status: error.status, headers })
}

/** How a refusal looks; JSON unless it names another media type. */
export interface WholeForm extends Pick<ErrorForm, 'body'> {
  readonly mediaType?: string
}

/** The body and headers of an error, without a call: for what is refused at the door. @param form absent: OpenAI's */
export const errorResponse = (
  error: GatewayError,
  headers = new Headers(),
  {
    errors: form,
    requestIdHeader,
  }: Pick<Endpoint, 'requestIdHeader'> & { readonly errors?: WholeForm | undefined } = {},
): Response => {
  const requestId = headers.get('x-request-id') ?? crypto.randomUUID()
  headers.set('x-request-id', requestId)
  if (requestIdHeader !== undefined) headers.set(requestIdHeader, requestId)
  headers.set('content-type', form?.mediaType ?? 'application/json')
  for (const [name, value] of Object.entries(errorHeaders(error.options))) headers.set(name, value)
  const body = form === undefined ? toEnvelope(error) : form.body(error, requestId)
  return new Response(JSON.stringify(body), { status: error.status, headers })
}

/** Gives an answer that is about no call an id of its own, so that every answer has one. */
export const withRequestId = (response: Response): Response => {
  if (!response.headers.has('x-request-id')) response.headers.set('x-request-id', crypto.randomUUID())
  return response
}

/**
 * The names that Anthropic, AWS and Azure give the id of an answer, where it is not `x-request-id` (@anthropic-ai/sdk 1.12,
 * the AWS SDK for JavaScript, and an answer quoted in BerriAI/litellm#1721; read 2026-11-22).
 */
const REQUEST_IDS = ['request-id', 'x-amzn-requestid', 'apim-request-id'] as const

const providerRequestId = (headers: Readonly<Record<string, string>>): string | undefined => {
  for (const name of REQUEST_IDS) {
    const id = headers[name]
    if (id !== undefined) return id
  }
  return undefined
}

/** Those of the answer, and what the stages said. As a plain object, from which a response is made at the least cost. */
const responseHeaders = (call: Call, answered?: AnsweredHeaders): Record<string, string> => {
  const headers: Record<string, string> = {}
  const own = call.find(gatewayHeaders)
  answered?.forEach((value, name) => {
    // Under these names clients look for what we say.
    if (own?.owns(name) !== true) headers[name] = value
  })
  const { body } = call.request
  // The rest of it is not waited for.
  if (body.kind !== 'whole' && !body.isRead) headers.connection = 'close'
  headers['x-gateway-request-id'] = call.id
  const requestId = headers['x-request-id'] ?? providerRequestId(headers) ?? call.id
  headers['x-request-id'] = requestId
  const { requestIdHeader } = call.endpoint
  if (requestIdHeader !== undefined) headers[requestIdHeader] = requestId
  for (const [name, value] of call.replyHeaders) headers[name] = value
  const alias = own?.aliasPrefix()
  if (alias !== undefined) {
    for (const name of Object.keys(headers)) {
      if (name.startsWith(OWN_PREFIX)) headers[alias + name.slice(OWN_PREFIX.length)] = headers[name] ?? ''
    }
  }
  return headers
}
