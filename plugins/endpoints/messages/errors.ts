import { type ErrorForm, type GatewayError, toEnvelope } from '#kit'
import { eventOf } from './events.ts'

/** "Errors" of Anthropic's documentation, and the types of @anthropic-ai/sdk 1.12.0 (resources/shared), read 2026-11-22. */
const TYPE_BY_STATUS: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

/** Words that say more than a status: kept where the error has one already. */
const OWN_TYPES: ReadonlySet<string> = new Set(
  Object.values(TYPE_BY_STATUS).filter((type) => type !== 'not_found_error'),
)

/** An error in Anthropic's envelope. What else is known of it stands beside the fields that Anthropic has. */
const bodyOf = (error: GatewayError, requestId: string): object => {
  const { error: told, provider, errors, hook_results } = toEnvelope(error)
  const { message, type, code, param, ...more } = told
  return {
    type: 'error',
    error: {
      ...more,
      type: type !== null && OWN_TYPES.has(type) ? type : typeOf(error.status),
      message,
      param,
      code,
      // The place in which the SDKs look for a code.
      ...(code === null ? {} : { details: { error_code: code } }),
    },
    request_id: requestId,
    ...(provider === undefined ? {} : { provider }),
    ...(hook_results === undefined ? {} : { hook_results }),
    ...(errors === undefined ? {} : { errors }),
  }
}

/** "We may also use [invalid_request_error] for other 4XX status codes." */
const typeOf = (status: number): string =>
  TYPE_BY_STATUS[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error')

export const anthropicErrors: ErrorForm = {
  body: bodyOf,
  event: (error, requestId) => eventOf('error', bodyOf(error, requestId)),
}
