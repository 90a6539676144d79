import { CATALOGUE, type ErrorCode, type ErrorRow } from './catalogue.ts'

export interface Violation {
  /** Where: a JSON pointer-like path such as `messages[0].role`, or a header name. */
  readonly path: string
  readonly message: string
}

/** The limit that refused a call, as the caller sees it. */
export interface RefusedLimit {
  /** Id of the policy; absent for a limit of a key, a workspace or a provider. */
  readonly policyId?: string
  /** The values that the calls in this window share, by key; null where the call has none. */
  readonly group: Readonly<Record<string, string | null>>
  readonly type: 'requests' | 'tokens'
  readonly unit: string
  readonly limit: number
  readonly used: number
  /** What the call would have taken. */
  readonly requested: number
  /** Milliseconds until all that is counted now has left the window. */
  readonly resetMs: number
}

/** The budget that refused a call, as the caller sees it. Amounts in dollars, tokens or requests, by its type. */
export interface RefusedBudget {
  /** Id of the policy; absent for a budget of a key, a workspace, a provider or a grant. */
  readonly policyId?: string
  /** The values that the calls of this count share, by key; null where the call has none. */
  readonly group: Readonly<Record<string, string | null>>
  readonly type: 'cost' | 'tokens' | 'requests'
  readonly enforcement: 'soft' | 'reserve'
  readonly limit: number
  /** Spent, and held back for calls that are in flight. */
  readonly used: number
  /** What would have been held back for the call; 0 where nothing is. */
  readonly requested: number
  /** When the count begins anew, in milliseconds since 1970. Absent: never. */
  readonly resetsAtMs?: number
}

/** What the guardrails of a call came to: reports in the names of the interface. */
export interface HookResults {
  readonly before_request_hooks: readonly object[]
  readonly after_request_hooks: readonly object[]
}

/** Header fields that go out with an answer. */
export interface AnsweredHeaders {
  forEach(visit: (value: string, name: string) => void): void
}

export interface GatewayErrorOptions {
  /** The field or header at fault; becomes `error.param`. */
  readonly param?: string
  /** Every violation, when there may be several. */
  readonly violations?: readonly Violation[]
  /** Status instead of the catalogue's: for an error of a provider, which keeps its own. */
  readonly status?: number
  /** `error.type` and `error.code` instead of the catalogue's, for an error of a provider. */
  readonly type?: string | null
  readonly wireCode?: string | null
  /** More words of a provider, by its own names: fields of `error` beside ours. */
  readonly extra?: Readonly<Record<string, string>>
  /** Provider id, when a provider said it. */
  readonly provider?: string
  /** Milliseconds after which a retry may succeed; becomes `Retry-After`. */
  readonly retryAfterMs?: number
  /** Methods that the path has, for `Allow`. */
  readonly allow?: readonly string[]
  /** Headers of the provider's answer, for an error of a provider: ids and limits that its SDKs show. */
  readonly headers?: AnsweredHeaders
  /** No other target is asked, and this one not again: they would all be refused. */
  readonly endsCall?: boolean
  /** Which limit refused the call; becomes `error.rate_limit`. */
  readonly rateLimit?: RefusedLimit
  /** What guardrails came to; becomes `hook_results`. */
  readonly hookResults?: HookResults
  /** Which budget refused the call; becomes `error.budget`. */
  readonly budget?: RefusedBudget
  /** For the log only: ids of all limits that refused the call. */
  readonly refusedBy?: readonly string[]
  /** What is answered instead of our own words: that of a provider, for a call that passes through. */
  readonly answer?: { readonly headers: AnsweredHeaders; readonly body: Uint8Array }
  /** For the log only; never sent. */
  readonly cause?: unknown
}

/**
 * The one error type that reaches a client. Its message is written for the client: it says what to do and never
 * holds a secret. `cause` goes to the log.
 */
export class GatewayError extends Error {
  readonly code: ErrorCode
  readonly options: GatewayErrorOptions

  constructor(code: ErrorCode, message: string, options: GatewayErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'GatewayError'
    this.code = code
    this.options = options
  }

  get row(): ErrorRow {
    return CATALOGUE[this.code]
  }

  get status(): number {
    return this.options.status ?? this.row.status
  }
}

/** Makes the class of one catalogue row, so that code throws `new RateLimited('…')` and tests match with `instanceof`. */
const errorClass = (code: ErrorCode) =>
  class extends GatewayError {
    constructor(message: string, options?: GatewayErrorOptions) {
      super(code, message, options)
    }
  }

export class ModelNotFound extends errorClass('model_not_found') {}
export class ResponseNotFound extends errorClass('response_not_found') {}
export class FileNotFound extends errorClass('file_not_found') {}
export class FileTooLarge extends errorClass('file_too_large') {}
export class FileQuotaExceeded extends errorClass('file_quota_exceeded') {}
export class FileStorageFull extends errorClass('file_storage_full') {}
export class BatchNotFound extends errorClass('batch_not_found') {}
export class BatchConflict extends errorClass('batch_conflict') {}
export class BatchQuotaExceeded extends errorClass('batch_quota_exceeded') {}
export class InvalidRequest extends errorClass('invalid_request') {}
export class InvalidHeader extends errorClass('invalid_header') {}
export class InvalidConfig extends errorClass('invalid_config') {}
export class UnsupportedConfig extends errorClass('unsupported_config') {}
export class ProviderRequired extends errorClass('provider_required') {}
export class UnknownProvider extends errorClass('unknown_provider') {}
export class UnsupportedEndpoint extends errorClass('unsupported_endpoint') {}
export class ProviderKeyRequired extends errorClass('provider_key_required') {}
export class McpLoginRequired extends errorClass('mcp_login_required') {}
export class SecretUnavailable extends errorClass('secret_unavailable') {}
export class StoredProviderExpired extends errorClass('stored_provider_expired') {}
export class StoredProviderExhausted extends errorClass('stored_provider_exhausted') {}
export class ModelNotAllowed extends errorClass('model_not_allowed') {}
export class EgressRefused extends errorClass('egress_refused') {}
export class InvalidApiKey extends errorClass('invalid_api_key') {}
export class ExpiredApiKey extends errorClass('expired_api_key') {}
export class ScopeMissing extends errorClass('scope_missing') {}
export class NotFound extends errorClass('not_found') {}
export class WebsocketUnsupported extends errorClass('websocket_unsupported') {}
export class UnknownPrompt extends errorClass('unknown_prompt') {}
export class PromptNotRendered extends errorClass('prompt_not_rendered') {}
export class MethodNotAllowed extends errorClass('method_not_allowed') {}
export class RequestTimeout extends errorClass('request_timeout') {}
export class BodyTimeout extends errorClass('body_timeout') {}
export class BodyTooLarge extends errorClass('body_too_large') {}
export class GuardrailDenied extends errorClass('guardrail_denied') {}
export class BudgetExhausted extends errorClass('budget_exhausted') {}
export class RateLimited extends errorClass('rate_limited') {}
export class RequestExceedsLimit extends errorClass('request_exceeds_limit') {}
export class LimitsUnavailable extends errorClass('limits_unavailable') {}
export class ClientClosed extends errorClass('client_closed') {}
export class InternalError extends errorClass('internal_error') {}
export class UpstreamError extends errorClass('upstream_error') {}
export class UpstreamUnreachable extends errorClass('upstream_unreachable') {}
export class UpstreamInvalid extends errorClass('upstream_invalid') {}
export class UpstreamTooLarge extends errorClass('upstream_too_large') {}
export class StreamTruncated extends errorClass('stream_truncated') {}
export class ConnectTimeout extends errorClass('connect_timeout') {}
export class Overloaded extends errorClass('overloaded') {}
export class ShuttingDown extends errorClass('shutting_down') {}
export class StoreUnavailable extends errorClass('store_unavailable') {}
export class FirstByteTimeout extends errorClass('first_byte_timeout') {}
export class FirstTokenTimeout extends errorClass('first_token_timeout') {}
export class IdleTimeout extends errorClass('idle_timeout') {}
export class TotalTimeout extends errorClass('total_timeout') {}
export class ManagementInvalid extends errorClass('management_invalid') {}
export class ManagementReference extends errorClass('management_reference') {}
export class ManagementForbidden extends errorClass('management_forbidden') {}
export class ManagementInternal extends errorClass('management_internal') {}
export class ManagementUnauthorized extends errorClass('management_unauthorized') {}
export class ManagementTooMany extends errorClass('management_too_many') {}
export class ManagementConflict extends errorClass('management_conflict') {}
export class PreconditionFailed extends errorClass('precondition_failed') {}
export class ManagementNotFound extends errorClass('management_not_found') {}
export class ManagementUnavailable extends errorClass('management_unavailable') {}
export class ManagementStorageFull extends errorClass('management_storage_full') {}
