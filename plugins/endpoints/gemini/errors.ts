import { type ErrorForm, eventText, type GatewayError } from '#kit'

/**
 * Google's envelope of errors, `{error: {code, message, status, details}}`, and its words for statuses: google.rpc.Code and
 * google.rpc.Status of googleapis/googleapis, and "Errors" of AIP-193 (details: ErrorInfo, BadRequest, RetryInfo), read
 * 2026-11-22. In a stream it is the data of the last event, as the SDK expects it (@google/genai 3.1.0,
 * `throwIfStreamErrorChunk`, read 2026-11-22).
 */
export const googleErrors: ErrorForm = {
  body: (error, requestId) => envelope(error, requestId),
  event: (error, requestId) => eventText(JSON.stringify(envelope(error, requestId))),
}

const envelope = (error: GatewayError, requestId: string): { readonly error: object } => {
  const { options, row, status } = error
  const { hookResults, param, type, wireCode, provider, retryAfterMs, rateLimit, budget = rateLimit } = options
  const reason = (wireCode === undefined ? row.wireCode : wireCode) ?? error.code
  return {
    error: {
      code: status,
      message: error.message,
      // A provider of Google's says it in its own words.
      status: typeof type === 'string' && RPC_STATUSES.has(type) ? type : statusOf(status),
      details: [
        {
          '@type': `${TYPES}ErrorInfo`,
          reason,
          domain: provider ?? 'gateway',
          ...(budget === undefined ? {} : { metadata: textsOf(budget) }),
        },
        ...(param === undefined
          ? []
          : [{ '@type': `${TYPES}BadRequest`, fieldViolations: [{ field: param, description: error.message }] }]),
        ...(retryAfterMs === undefined
          ? []
          : [{ '@type': `${TYPES}RetryInfo`, retryDelay: `${Math.ceil(retryAfterMs / 1000)}s` }]),
        { '@type': `${TYPES}RequestInfo`, requestId },
      ],
    },
    ...(hookResults === undefined ? {} : { hook_results: hookResults }),
  }
}

const TYPES = 'type.googleapis.com/google.rpc.'

/** Metadata is a map of texts. */
const textsOf = (fields: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  )

const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  408: 'DEADLINE_EXCEEDED',
  409: 'ABORTED',
  412: 'FAILED_PRECONDITION',
  413: 'INVALID_ARGUMENT',
  422: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
  529: 'RESOURCE_EXHAUSTED',
}

const RPC_STATUSES: ReadonlySet<string> = new Set([
  ...Object.values(STATUSES),
  'ALREADY_EXISTS',
  'DATA_LOSS',
  'OUT_OF_RANGE',
  'UNKNOWN',
])

const statusOf = (status: number): string => STATUSES[status] ?? (status < 500 ? 'FAILED_PRECONDITION' : 'UNAVAILABLE')
