import { InvalidHeader } from '#kit'
import type { GatewayHeaders } from '#kit/slots'

/** Headers that carry keys or the gateway's own words: a call cannot ask to have them passed on. */
const NEVER_FORWARDED = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-api-key',
  'api-key',
  'host',
  'connection',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'accept-encoding',
  'expect',
  'upgrade',
  'te',
  'trailer',
])

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

/** Names from `a, b` or, as some clients write it, `["a", "b"]`. */
export const readForwardHeaders = (headers: GatewayHeaders): readonly string[] | undefined => {
  const text = headers.get('forward-headers')
  return text
    ?.replace(/[[\]"']/g, '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/**
 * Lower-cases the names.
 * @throws InvalidHeader for a name that must not, or cannot, be passed on.
 */
export const checkForwardHeaders = (names: readonly string[]): readonly string[] =>
  names.map((raw) => {
    const name = raw.toLowerCase()
    const refused =
      NEVER_FORWARDED.has(name) || name.startsWith('x-gateway-') || !/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)
    if (refused) {
      throw new InvalidHeader(`The header '${raw}' cannot be forwarded.`, { param: 'x-gateway-forward-headers' })
    }
    return name
  })

/** `true` and `false` in any case; anything else counts as absent. */
export const readFlag = (headers: GatewayHeaders, name: string): boolean | undefined => {
  const text = headers.get(name)?.trim().toLowerCase()
  return text === 'true' ? true : text === 'false' ? false : undefined
}
