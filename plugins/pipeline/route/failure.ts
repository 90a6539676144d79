import { type Answer, GatewayError, isReadyStream, isRecord } from '#kit'

/** Why a model would not take a request: it would say so again. */
export type Refusal = 'length' | 'content'

/** When the same target may be asked again. `if-alone`: only where no other target can take over. */
export type Retry = 'never' | 'as-listed' | 'if-alone'

/** What became of one attempt, as the router looks at it. */
export interface Judgement {
  readonly status: number
  readonly retry: Retry
  readonly refusal?: Refusal
  /** The failure is Weir's own, or the call's: no other target is asked. */
  readonly ends: boolean
}

/**
 * Failures of a target, and whether it may be asked again. A target that was silent is left for another first. All other
 * errors are the gateway's own, or those of a call that is over.
 */
const OF_TARGET: Readonly<Partial<Record<string, Retry>>> = {
  upstream_error: 'as-listed',
  upstream_unreachable: 'as-listed',
  upstream_invalid: 'as-listed',
  stream_truncated: 'as-listed',
  // The call chose the limit, and has to list 408 to have it retried.
  request_timeout: 'as-listed',
  connect_timeout: 'if-alone',
  first_byte_timeout: 'if-alone',
  first_token_timeout: 'if-alone',
  idle_timeout: 'if-alone',
  // What it is asked, or what it says, may be another thing with another target.
  guardrail_denied: 'as-listed',
  // It would be as large again.
  upstream_too_large: 'never',
  // A limit of ours that looks at the target: the answer is known, and another target may have room.
  rate_limited: 'never',
  request_exceeds_limit: 'never',
  limits_unavailable: 'never',
  budget_exhausted: 'never',
  // A key that cannot be had is a provider that cannot be reached.
  secret_unavailable: 'as-listed',
  // So it is for what was stored of the target.
  stored_provider_expired: 'never',
  stored_provider_exhausted: 'never',
}

/** A model that refused a request with one of these refuses it again. */
const REFUSING_STATUSES: ReadonlySet<number> = new Set([400, 413, 422])

export const judgeError = (thrown: unknown): Judgement => {
  if (!(thrown instanceof GatewayError)) return { status: 500, retry: 'never', ends: true }
  const { code, status, options } = thrown
  const retry = options.endsCall === true ? undefined : OF_TARGET[code]
  if (retry === undefined) return { status, retry: 'never', ends: true }
  if (code !== 'upstream_error') return { status, retry, ends: false }
  const refusal = refusalOf(thrown)
  if (refusal !== undefined) return { status, retry: 'never', refusal, ends: false }
  if (REFUSING_STATUSES.has(status)) return { status, retry: 'never', ends: false }
  if (status === 429) return { status, retry: retryOfBusy(thrown), ends: false }
  return { status, retry, ends: false }
}

/** The failure of a target that says nothing: neither a first token nor the next one. */
export const SILENT: Judgement = { status: 504, retry: 'if-alone', ends: false }

/** True for a request that its target would not take, and for no reason that another request would share. */
export const refusesRequest = ({ status, refusal, ends }: Judgement): boolean =>
  !ends && refusal === undefined && REFUSING_STATUSES.has(status)

/** @param looksInside whether anybody wants to know of a refusal in a plain answer */
export const judgeAnswer = (answer: Answer, looksInside: boolean): Judgement => {
  const { status } = answer
  const refused = looksInside && status === 200 && refusesContent(answer)
  // A connection that was handed over is nobody else's.
  return {
    status,
    retry: refused ? 'never' : 'as-listed',
    ends: answer.socket !== undefined,
    ...(refused ? { refusal: 'content' } : {}),
  }
}

const SPEND_CAP = /insufficient_quota|billing|credit|quota_exceeded|spend/i

/** Without a hint when to come back it is often a used-up budget: that is not over in a few seconds. */
const retryOfBusy = ({ options }: GatewayError): Retry => {
  if (SPEND_CAP.test(`${options.wireCode ?? ''} ${options.type ?? ''}`)) return 'never'
  return options.retryAfterMs === undefined ? 'if-alone' : 'as-listed'
}

const CONTENT_CODES =
  /content_filter|content_policy|responsible_?ai|moderation_blocked|safety|invalid_prompt|prohibited_content|blocked_content/i
const LENGTH_CODES = /context_length|context_window|string_above_max_length|request_too_large|prompt_too_long/i
/** Providers without a code of its own say it in words, near each other: no part of the pattern may run far. */
const LENGTH_WORDS =
  /context (?:length|window)|prompt is too long|input is too long|too many (?:input )?tokens|(?:input )?token count .{0,100}exceeds|exceeds? .{0,100}(?:maximum|limit) .{0,100}tokens/i

const refusalOf = ({ status, message, options }: GatewayError): Refusal | undefined => {
  if (status < 400 || status > 499 || status === 429) return undefined
  const words = `${options.wireCode ?? ''} ${options.type ?? ''}`
  if (CONTENT_CODES.test(words)) return 'content'
  if (status === 413 || LENGTH_CODES.test(words)) return 'length'
  return REFUSING_STATUSES.has(status) && LENGTH_WORDS.test(message) ? 'length' : undefined
}

const decoder = new TextDecoder()

/** True for a whole answer all of whose choices were withheld by a filter. Streams have begun already. */
const refusesContent = ({ body }: Answer): boolean => {
  if (isReadyStream(body)) return false
  const { choices } = parsed(body)
  return (
    Array.isArray(choices) &&
    choices.length > 0 &&
    choices.every((choice) => isRecord(choice) && choice.finish_reason === 'content_filter')
  )
}

const parsed = (bytes: Uint8Array): Readonly<Record<string, unknown>> => {
  try {
    const body: unknown = JSON.parse(decoder.decode(bytes))
    return isRecord(body) ? body : {}
  } catch {
    return {}
  }
}
