/** What RFC 6749, section 5.2, lets a token endpoint say, and 503 for a store that is away. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'temporarily_unavailable'
  | 'server_error'

const STATUSES: Readonly<Record<OAuthErrorCode, number>> = {
  invalid_request: 400,
  invalid_client: 401,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  temporarily_unavailable: 503,
  server_error: 500,
}

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
