import { isForwardable } from '#calls/config/forwardable'
import { toCache, toRetry } from '#calls/config/policies'
import { InvalidHeader } from '#kit'
import type { CachePolicy, RetryPolicy } from '#kit/plan'
import type { GatewayHeaders } from '#kit/slots'

/** Longest request time-out a call may ask for: longer than any limit of the operator is meaningless. */
const MAX_TIMEOUT_MS = 24 * 60 * 60 * 1000

/** @throws InvalidHeader for anything but a whole number of milliseconds above 0. */
export const readRequestTimeout = (headers: GatewayHeaders): number | undefined => {
  const text = headers.get('request-timeout')
  if (text === undefined) return undefined
  const timeoutMs = /^[0-9]{1,12}$/.test(text.trim()) ? Number(text) : 0
  if (timeoutMs < 1) {
    throw new InvalidHeader('`x-gateway-request-timeout` must be a whole number of milliseconds above 0.', {
      param: 'x-gateway-request-timeout',
    })
  }
  return Math.min(timeoutMs, MAX_TIMEOUT_MS)
}

const NO_NAMES: readonly string[] = []

/** Names from `a, b` or, as some clients write it, `["a", "b"]`. */
export const readForwardHeaders = (headers: GatewayHeaders): readonly string[] => {
  const text = headers.get('forward-headers')
  if (text === undefined) return NO_NAMES
  return text
    .replace(/[[\]"']/g, '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/**
 * Lower-cases the names.
 * @throws InvalidHeader for a name that must not, or cannot, be passed on.
 */
export const checkForwardHeaders = (
  names: readonly string[],
  headers: Pick<GatewayHeaders, 'owns'>,
): readonly string[] =>
  names.map((raw) => {
    const name = raw.toLowerCase()
    if (isForwardable(name) && !headers.owns(name)) return name
    throw new InvalidHeader(`The header '${raw}' cannot be forwarded.`, { param: 'x-gateway-forward-headers' })
  })

/** `true` and `false` in any case; anything else counts as absent. */
export const readFlag = (headers: GatewayHeaders, name: string): boolean | undefined => {
  const text = headers.get(name)?.trim().toLowerCase()
  return text === 'true' ? true : text === 'false' ? false : undefined
}

/**
 * Whether `x-gateway-finish-reason` asks for the provider's own words.
 * @throws InvalidHeader for anything but `openai` and `provider`.
 */
export const readOwnFinishReason = (headers: GatewayHeaders): true | undefined => {
  const text = headers.get('finish-reason')?.trim().toLowerCase()
  if (text === undefined || text === 'openai') return undefined
  if (text === 'provider') return true
  throw new InvalidHeader('`x-gateway-finish-reason` must be `openai` or `provider`.', {
    param: 'x-gateway-finish-reason',
  })
}

/**
 * The older way to ask for retries.
 * @throws InvalidHeader for anything but a whole number; more than 5 count as 5.
 */
export const readRetries = (headers: GatewayHeaders): RetryPolicy | undefined => {
  const text = headers.get('retry-count')?.trim()
  if (text === undefined) return undefined
  if (!/^[0-9]{1,6}$/.test(text)) {
    throw new InvalidHeader('`x-gateway-retry-count` must be a whole number.', { param: 'x-gateway-retry-count' })
  }
  return toRetry({ attempts: Number(text) })
}

/**
 * The older way to ask for the cache; `Cache-Control: max-age=N` (or `max-age:N`) then gives the seconds.
 * @throws InvalidHeader for a mode that does not exist.
 */
export const readCache = (headers: GatewayHeaders, request: Headers): CachePolicy | undefined => {
  const mode = headers.get('cache')?.trim().toLowerCase()
  if (mode === undefined || mode === 'false') return undefined
  if (mode !== 'true' && mode !== 'simple' && mode !== 'semantic') {
    throw new InvalidHeader('`x-gateway-cache` must be `simple` or `semantic`.', { param: 'x-gateway-cache' })
  }
  const [, seconds] = /\bmax-age\s*[=:]\s*([0-9]{1,9})\b/i.exec(request.get('cache-control') ?? '') ?? []
  return toCache({
    mode: mode === 'semantic' ? mode : 'simple',
    ...(seconds === undefined ? {} : { max_age: Number(seconds) }),
  })
}
