import { errorOf, type MessageId, RPC, toBytes } from '#core/mcp/json-rpc'
import { type ErrorForm, eventText, GatewayError, type GatewayErrorOptions, toEnvelope } from '#kit'

/** What clients are told besides the words of an error: the wait, the limit, the budget. */
const dataOf = (error: GatewayError, requestId?: string): object => {
  const { type, param, code, rate_limit: limit, budget } = toEnvelope(error).error
  return {
    type,
    code,
    ...(param === null ? {} : { param }),
    ...(limit === undefined ? {} : { rate_limit: limit }),
    ...(budget === undefined ? {} : { budget }),
    ...(error.options.retryAfterMs === undefined ? {} : { retry_after_ms: error.options.retryAfterMs }),
    ...(requestId === undefined ? {} : { request_id: requestId }),
  }
}

/** Errors as JSON-RPC has them, for a call whose message is not known yet. */
export const rpcErrors: ErrorForm = {
  body: (error, requestId) => errorOf(null, RPC.refused, error.message, dataOf(error, requestId)),
  event: (error, requestId) =>
    eventText(JSON.stringify(errorOf(null, RPC.refused, error.message, dataOf(error, requestId))), 'message'),
}

export interface RpcErrorOptions {
  readonly code?: number
  /** HTTP status of the answer; that of the error unless given. */
  readonly status?: number
  readonly data?: object
}

/** An error as the answer to one message: for the record it stays what it is. */
export const asAnswer = (
  error: GatewayError,
  id: MessageId | null,
  { code = RPC.refused, status = error.status, data = dataOf(error) }: RpcErrorOptions = {},
): GatewayError => {
  const body = toBytes(errorOf(id, code, error.message, data))
  const headers = new Headers({ 'content-type': 'application/json' })
  const { retryAfterMs } = error.options
  if (retryAfterMs !== undefined) headers.set('retry-after', String(Math.max(1, Math.ceil(retryAfterMs / 1000))))
  const options: GatewayErrorOptions = { ...error.options, status, answer: { headers, body } }
  return new GatewayError(error.code, error.message, options)
}
