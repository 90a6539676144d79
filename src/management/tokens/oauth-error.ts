import type { Logger } from '../../core/ports.ts'
import { errorFields } from '../../errors/error-fields.ts'
import { GatewayError } from '../../errors/gateway-error.ts'
import { StoreUnavailable } from '../../store/errors.ts'

/** What RFC 6749 (sections 4.1.2.1 and 5.2), RFC 7591 and RFC 8707 let the endpoints say, and 503 for a store that is away. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'slow_down'
  | 'temporarily_unavailable'
  | 'server_error'

const STATUSES: Readonly<Record<OAuthErrorCode, number>> = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_client_metadata: 400,
  invalid_grant: 400,
  invalid_redirect_uri: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  unsupported_response_type: 400,
  access_denied: 403,
  slow_down: 429,
  temporarily_unavailable: 503,
  server_error: 500,
}

/** Scripts of any page may read it: nothing of a session is in it. */
export const ANY_PAGE = { 'access-control-allow-origin': '*' } as const

/** Whatever was thrown, as clients of OAuth read it. @param headers beside its own */
export const oauthRefusal = (
  thrown: unknown,
  log: Pick<Logger, 'error'>,
  headers: Readonly<Record<string, string>> = {},
): Response => {
  const error = toOAuthError(thrown)
  if (error.code === 'server_error') log.error('an app or a key could not be given a token', errorFields(thrown))
  return oauthAnswer(
    error.status,
    { error: error.code, error_description: error.message },
    // Every 401 must say how to authenticate (RFC 9110, section 15.5.2).
    { ...headers, ...(error.status === 401 ? { 'www-authenticate': 'Basic realm="weir", charset="UTF-8"' } : {}) },
  )
}

/** Never cached, as the standard asks (RFC 6749, section 5.1). */
export const oauthAnswer = (
  status: number,
  body: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Response => Response.json(body, { status, headers: { 'cache-control': 'no-store', pragma: 'no-cache', ...headers } })

const toOAuthError = (thrown: unknown): OAuthError => {
  if (thrown instanceof OAuthError) return thrown
  const isAway = thrown instanceof StoreUnavailable || (thrown instanceof GatewayError && thrown.status === 503)
  if (isAway) return new OAuthError('temporarily_unavailable', 'The database cannot be reached now.')
  if (!(thrown instanceof GatewayError) || thrown.status >= 500) {
    return new OAuthError('server_error', 'Something went wrong inside the gateway.')
  }
  return new OAuthError(thrown.status === 429 ? 'slow_down' : 'invalid_request', plain(thrown.message), thrown.status)
}

/** Without what a description may not hold. */
const plain = (message: string): string => message.replaceAll(/[^\x20-\x7e]|["\\]/g, "'")

/** A refusal in the standard's own form, which OAuth clients read, instead of the envelope of the gateway. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly code: OAuthErrorCode
  readonly status: number

  /** @param message for the client: what is wrong, in ASCII without quotes or backslashes, as the standard asks */
  constructor(code: OAuthErrorCode, message: string, status: number = STATUSES[code]) {
    super(message)
    this.code = code
    this.status = status
  }
}
