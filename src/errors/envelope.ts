import {
  GatewayError,
  type GatewayErrorOptions,
  type HookResults,
  InternalError,
  type RefusedBudget,
  type RefusedLimit,
} from './gateway-error.ts'

/** The body of every error answer. `error` is OpenAI's envelope; the other keys belong to the error's family. */
export interface ErrorEnvelope {
  readonly error: {
    readonly message: string
    readonly type: string | null
    readonly param: string | null
    readonly code: string | null
    readonly rate_limit?: Readonly<Record<string, unknown>>
    readonly budget?: Readonly<Record<string, unknown>>
    /** More words of a provider, by its own names. */
    readonly [extra: string]: unknown
  }
  readonly provider?: string
  readonly status?: 'failure'
  readonly success?: false
  readonly data?: { readonly message: string; readonly errorCode: string | null }
  readonly message?: string
  readonly ok?: false
  readonly hook_results?: HookResults
  readonly errors?: readonly { readonly path: string; readonly message: string }[]
}

/**
 * Turns anything thrown into a GatewayError. What is not one of ours becomes `internal_error` with a fixed text:
 * the message of an unknown error may hold anything, so it stays in `cause`, for the log.
 */
export const toGatewayError = (thrown: unknown, requestId?: string): GatewayError => {
  if (thrown instanceof GatewayError) return thrown
  const reference = requestId === undefined ? '' : ` Request id: ${requestId}.`
  return new InternalError(`Something went wrong inside the gateway.${reference}`, { cause: thrown })
}

/** The one mapper from an error to the body of the answer. */
export const toEnvelope = (error: GatewayError): ErrorEnvelope => {
  const { options, row } = error
  const type = options.type === undefined ? row.type : options.type
  const code = options.wireCode === undefined ? row.wireCode : options.wireCode
  return {
    ...familyKeys(error),
    error: {
      ...options.extra,
      message: error.message,
      type,
      param: options.param ?? null,
      code,
      ...(options.rateLimit === undefined ? {} : { rate_limit: toRateLimit(options.rateLimit) }),
      ...(options.budget === undefined ? {} : { budget: toBudget(options.budget) }),
    },
    ...(options.provider === undefined ? {} : { provider: options.provider }),
    ...(options.hookResults === undefined ? {} : { hook_results: options.hookResults }),
    ...(options.violations === undefined ? {} : { errors: options.violations }),
  }
}

const toRateLimit = ({ policyId, group, type, unit, limit, used, requested, resetMs }: RefusedLimit) => ({
  policy_id: policyId ?? null,
  group,
  type,
  unit,
  limit,
  used,
  requested,
  reset_ms: resetMs,
})

const toBudget = ({ policyId, group, type, enforcement, limit, used, requested, resetsAtMs }: RefusedBudget) => ({
  policy_id: policyId ?? null,
  group,
  type,
  enforcement,
  limit,
  used,
  requested,
  resets_at: resetsAtMs === undefined ? null : new Date(resetsAtMs).toISOString(),
})

const familyKeys = (error: GatewayError): Partial<ErrorEnvelope> => {
  switch (error.row.family) {
    case 'call':
      return {}
    case 'login':
    case 'validation':
      return { status: 'failure', message: error.message }
    case 'management':
      return { success: false, data: { message: error.message, errorCode: error.row.wireCode } }
    case 'route':
      // The interface has this one message (contract, section 1.4); which address to use stands in `error`.
      return { message: error.code === 'not_found' ? 'Not Found' : error.message, ok: false }
  }
}

/** Headers that belong to the error itself: `Retry-After` (whole seconds, rounded up, and ms) and `Allow`. */
export const errorHeaders = ({ retryAfterMs, allow }: GatewayErrorOptions): Record<string, string> => ({
  ...(retryAfterMs === undefined
    ? {}
    : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)), 'retry-after-ms': String(Math.ceil(retryAfterMs)) }),
  ...(allow === undefined ? {} : { allow: allow.join(', ') }),
})
