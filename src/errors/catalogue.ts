/**
 * Every error Weir can answer with: one row an error, one place to look.
 *
 * `family` chooses the extra keys of the body (see envelope.ts): `call` is the plain OpenAI envelope, `login` and
 * `validation` add the `status: "failure"` keys that clients of the interface expect, `route` is an unknown path,
 * `management` adds the keys of the management interface, whose codes are `AB…`.
 * `retryable` says whether the same request may succeed later without a change.
 * `docs/errors.md` shows this table; a test keeps the two equal.
 */
export type ErrorFamily = 'call' | 'login' | 'validation' | 'route' | 'management'

export interface ErrorRow {
  /** HTTP status of an answer that has not begun yet. */
  readonly status: number
  /** `error.type`, in OpenAI's vocabulary where it has a word. */
  readonly type: string
  /** `error.code` on the wire; login errors keep the interface's numbers. */
  readonly wireCode: string | null
  readonly family: ErrorFamily
  readonly retryable: boolean
  /** One sentence for the reference page: when this happens. */
  readonly when: string
}

const row = (
  status: number,
  type: string,
  wireCode: string | null,
  family: ErrorFamily,
  retryable: boolean,
  when: string,
): ErrorRow => ({ status, type, wireCode, family, retryable, when })

export const CATALOGUE = {
  invalid_request: row(
    400,
    'invalid_request_error',
    'invalid_request',
    'call',
    false,
    'The body is not JSON, or a field is missing or of the wrong type; `param` names the field.',
  ),
  invalid_header: row(
    400,
    'invalid_request_error',
    'invalid_header',
    'validation',
    false,
    'A gateway header has a value that cannot be read; `param` names the header.',
  ),
  invalid_config: row(
    400,
    'invalid_request_error',
    'invalid_config',
    'validation',
    false,
    'The config of the call breaks its schema; `errors` lists path and message of each violation.',
  ),
  unsupported_config: row(
    400,
    'invalid_request_error',
    'unsupported_config',
    'validation',
    false,
    'The config is valid but asks for something this version or route does not offer.',
  ),
  provider_required: row(
    400,
    'invalid_request_error',
    'provider_required',
    'validation',
    false,
    'The call names neither a provider nor a config.',
  ),
  unknown_provider: row(
    400,
    'invalid_request_error',
    'unknown_provider',
    'validation',
    false,
    'The named provider is not one of the running plugins.',
  ),
  unsupported_endpoint: row(
    400,
    'invalid_request_error',
    'unsupported_endpoint',
    'call',
    false,
    'The chosen provider does not offer this kind of call.',
  ),
  provider_key_required: row(
    401,
    'authentication_error',
    'provider_key_required',
    'call',
    false,
    'The provider needs a key and the call brought none.',
  ),
  stored_provider_expired: row(
    401,
    'virtual_key_expired_error',
    null,
    'call',
    false,
    'The stored provider of the call has expired.',
  ),
  egress_refused: row(
    400,
    'invalid_request_error',
    'egress_refused',
    'call',
    false,
    'The target address is private, reserved or a metadata service and the operator does not trust it.',
  ),
  invalid_api_key: row(
    401,
    'authentication_error',
    '03',
    'login',
    false,
    'The gateway key is missing or not known here.',
  ),
  expired_api_key: row(401, 'authentication_error', '01', 'login', false, 'The gateway key has expired.'),
  scope_missing: row(
    403,
    'permission_error',
    '033',
    'login',
    false,
    'The key is valid but lacks the scope that the route needs.',
  ),
  not_found: row(404, 'invalid_request_error', 'not_found', 'route', false, 'There is no such path.'),
  method_not_allowed: row(
    405,
    'invalid_request_error',
    'method_not_allowed',
    'route',
    false,
    'The path exists, but not for this method; `Allow` lists those it has.',
  ),
  request_timeout: row(
    408,
    'timeout_error',
    null,
    'call',
    true,
    'The time-out that the call or its config asked for has passed before the answer began.',
  ),
  body_timeout: row(
    408,
    'timeout_error',
    'body_timeout',
    'call',
    true,
    'The client did not send its whole body within the limit.',
  ),
  management_invalid: row(
    400,
    'invalid_request_error',
    'AB01',
    'management',
    false,
    'A management call has a field, parameter or body that breaks its rules; `errors` lists them, nothing is stored.',
  ),
  management_reference: row(
    404,
    'invalid_request_error',
    'AB02',
    'management',
    false,
    'A management call refers to an object that does not exist; `param` names the field.',
  ),
  management_forbidden: row(
    403,
    'permission_error',
    'AB03',
    'management',
    false,
    'The key may not do this: its kind, its scopes or its workspace do not allow it.',
  ),
  management_internal: row(500, 'internal_error', 'AB04', 'management', true, 'A management call broke inside Weir.'),
  management_unauthorized: row(
    401,
    'authentication_error',
    'AB05',
    'management',
    false,
    'A management call has no token, or one that is unknown or has expired.',
  ),
  management_conflict: row(
    409,
    'invalid_request_error',
    'AB07',
    'management',
    false,
    'The name or slug is taken, or other objects still depend on this one.',
  ),
  management_not_found: row(
    404,
    'invalid_request_error',
    'AB08',
    'management',
    false,
    'The object of a management call does not exist, or belongs to somebody else.',
  ),
  management_unavailable: row(
    503,
    'internal_error',
    'AB04',
    'management',
    true,
    'The database cannot be reached, so nothing can be read or changed now.',
  ),
  stored_provider_exhausted: row(
    412,
    'virtual_key_exhaust_error',
    null,
    'call',
    false,
    'The budget of the stored provider of the call is used up.',
  ),
  model_not_allowed: row(
    412,
    'model_not_allowed_error',
    null,
    'call',
    false,
    'The stored provider of the call may not be used with this model.',
  ),
  body_too_large: row(
    413,
    'invalid_request_error',
    'body_too_large',
    'validation',
    false,
    'The request body is larger than the configured limit.',
  ),
  client_closed: row(
    499,
    'client_closed',
    'client_closed',
    'call',
    false,
    'The client left before the answer was complete (only ever seen in logs).',
  ),
  internal_error: row(
    500,
    'internal_error',
    'internal_error',
    'call',
    true,
    'Something broke inside Weir; the log has the request id.',
  ),
  upstream_error: row(
    502,
    'upstream_error',
    'upstream_error',
    'call',
    true,
    'The provider answered with an error; its own status is kept when it has one.',
  ),
  upstream_unreachable: row(
    502,
    'upstream_error',
    'upstream_unreachable',
    'call',
    true,
    'The provider could not be reached, or closed the connection before it answered.',
  ),
  upstream_invalid: row(
    502,
    'upstream_error',
    'upstream_invalid',
    'call',
    true,
    'The provider answered with something that cannot be read as an answer.',
  ),
  upstream_too_large: row(
    502,
    'upstream_error',
    'upstream_too_large',
    'call',
    false,
    'The answer of the provider is larger than the configured limit.',
  ),
  stream_truncated: row(
    502,
    'upstream_error',
    'stream_truncated',
    'call',
    true,
    'The stream of the provider ended before it was complete; sent as the last event of the stream.',
  ),
  connect_timeout: row(
    503,
    'timeout_error',
    'connect_timeout',
    'call',
    true,
    'No connection to the provider within the limit.',
  ),
  overloaded: row(503, 'overloaded_error', 'overloaded', 'call', true, 'Weir is at its limit of concurrent calls.'),
  shutting_down: row(
    503,
    'overloaded_error',
    'shutting_down',
    'call',
    true,
    'Weir is stopping; sent to streams that outlive the drain deadline too.',
  ),
  store_unavailable: row(
    503,
    'internal_error',
    'store_unavailable',
    'call',
    true,
    'A store that the call needs cannot be reached.',
  ),
  first_byte_timeout: row(
    504,
    'timeout_error',
    'first_byte_timeout',
    'call',
    true,
    'The provider did not begin to answer within the limit.',
  ),
  idle_timeout: row(
    504,
    'timeout_error',
    'idle_timeout',
    'call',
    true,
    'The provider fell silent in the middle of its answer for longer than the limit.',
  ),
  total_timeout: row(504, 'timeout_error', 'total_timeout', 'call', true, 'The whole call took longer than the limit.'),
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof CATALOGUE
