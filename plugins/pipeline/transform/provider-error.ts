import { textIn } from '#core/bodies/bytes'
import { HeaderList } from '#core/header-fields'
import { defined, GatewayError, type HeaderFields, parseJson, UpstreamError } from '#kit'
import type { Target } from '#kit/slots'

const decoder = new TextDecoder()

/** JSON if it is JSON, else the text. */
export const parseBody = (bytes: Uint8Array): unknown => parsed(bytes, parseJson)

/** JSON however deep it is nested, else the text: for a body that is looked at and not written again. */
export const parseAnyDepth = (bytes: Uint8Array): unknown => parsed(bytes, JSON.parse)

const parsed = (bytes: Uint8Array, parse: (text: string) => unknown): unknown => {
  const text = decoder.decode(bytes)
  try {
    return parse(text)
  } catch {
    return text
  }
}

/**
 * A provider's error in our envelope, with its own status, its retry hint, the headers that clients act on, and its id in
 * front of the message.
 * Its key is cut out: some providers repeat the key they refuse.
 * @param nowMs milliseconds since 1970, for a hint that is a date
 */
export const providerError = (
  target: Target,
  status: number,
  body: unknown,
  headers: HeaderFields,
  nowMs?: number,
): GatewayError => {
  const { provider } = target
  const keys = keysOf(target)
  const failure = provider.failure(status, body)
  const retryAfterMs = readRetryAfter(headers, nowMs) ?? failure.retryAfterMs
  const told = errorHeadersOf(headers, (words) => redact(words, keys))
  return new UpstreamError(`${provider.id}: ${redact(failure.message, keys)}`, {
    status: status >= 400 ? status : 502,
    provider: provider.id,
    type: redact(failure.type ?? 'upstream_error', keys),
    wireCode: failure.code == null ? null : redact(failure.code, keys),
    ...(failure.param == null ? {} : { param: redact(failure.param, keys) }),
    ...defined({
      extra: failure.extra === undefined ? undefined : redactAll(failure.extra, keys),
      retryAfterMs,
      headers: told,
    }),
  })
}

/** An error that came up while the answer was read, with the provider's id and without its key; errors of ours stay. */
export const namedError = (error: unknown, target: Target): unknown => {
  if (!(error instanceof GatewayError) || error.code === 'shutting_down') return error
  if (error.row.status < 500 && error.code !== 'upstream_error') return error
  const prefix = `${target.provider.id}: `
  const keys = keysOf(target)
  const message = redact(error.message, keys)
  const { type, wireCode, param } = error.options
  return new GatewayError(error.code, message.startsWith(prefix) ? message : `${prefix}${message}`, {
    ...error.options,
    ...(typeof type === 'string' ? { type: redact(type, keys) } : {}),
    ...(typeof wireCode === 'string' ? { wireCode: redact(wireCode, keys) } : {}),
    ...(param === undefined ? {} : { param: redact(param, keys) }),
    provider: target.provider.id,
  })
}

/** Shorter values of stored headers are words like `true`, which an error may well say on its own. */
const MIN_HEADER_SECRET_CHARACTERS = 8

/** Headers that are stored with a provider count as secrets: some log in with them. */
const keysOf = ({ apiKey, provider, headers = {} }: Target): readonly string[] => [
  ...[apiKey, provider.apiKey].filter((key): key is string => key !== undefined && key.length >= 4),
  // Whole, and without a scheme in front: of `Bearer sk-…` a provider repeats the second word.
  ...Object.values(headers)
    .flatMap((value) => [value, value.slice(value.lastIndexOf(' ') + 1)])
    .filter((value) => value.length >= MIN_HEADER_SECRET_CHARACTERS),
]

const redact = (words: string, keys: readonly string[]): string =>
  keys.reduce((text, key) => text.replaceAll(key, '[redacted]'), words)

const redactAll = (words: Readonly<Record<string, string>>, keys: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(words).map(([name, text]) => [name, redact(text, keys)]))

/** Keys are ASCII, so their bytes are their text, whatever the rest is. */
export const redactBytes = (bytes: Uint8Array, target: Target): Uint8Array => {
  const text = textIn(bytes, 'latin1')
  const redacted = redact(text, keysOf(target))
  return redacted === text ? bytes : Buffer.from(redacted, 'latin1')
}

/** Longest hint that is passed on: a broken or malicious one must not park clients for days. */
const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1000

/** The one form of a date that may be sent (RFC 9110, section 5.6.7). */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * `retry-after-ms`, `x-ms-retry-after-ms`, or `retry-after` in seconds or as a date. A date that has passed, a negative or
 * an unreadable value is no hint.
 */
const readRetryAfter = (headers: HeaderFields, nowMs: number | undefined): number | undefined => {
  for (const [name, factor] of [
    ['retry-after-ms', 1],
    ['x-ms-retry-after-ms', 1],
    ['retry-after', 1000],
  ] as const) {
    const text = headers.get(name)?.trim()
    if (text !== undefined && /^[0-9]+(\.[0-9]+)?$/.test(text))
      return Math.min(Number(text) * factor, MAX_RETRY_AFTER_MS)
  }
  const date = headers.get('retry-after')?.trim() ?? ''
  if (nowMs === undefined || !HTTP_DATE.test(date)) return undefined
  const afterMs = Date.parse(date) - nowMs
  return afterMs > 0 ? Math.min(afterMs, MAX_RETRY_AFTER_MS) : undefined
}

/**
 * Headers of a provider's error that clients act on or report: ids, limits, whether to try again, and who paid. Those that
 * the official SDKs read (openai 6, @anthropic-ai/sdk 1.12, read 2026-11-22), their families, and Azure's id.
 */
const TOLD: ReadonlySet<string> = new Set([
  'x-request-id',
  'request-id',
  'x-amzn-requestid',
  'apim-request-id',
  'x-should-retry',
  'cf-ray',
])
const TOLD_FAMILIES: readonly string[] = ['x-ratelimit-', 'anthropic-', 'openai-']

/** Longer values are no ids and no counts. */
const MAX_VALUE_CHARACTERS = 512

/**
 * The headers of an error that go on to the client. Its retry hint is not among them: it is checked, and written anew.
 * @param redact takes the keys out, which a provider may repeat anywhere
 */
const errorHeadersOf = (headers: HeaderFields, redact: (words: string) => string): HeaderFields | undefined => {
  let told: HeaderList | undefined
  headers.forEach((value, name) => {
    if (value.length > MAX_VALUE_CHARACTERS) return
    if (!TOLD.has(name) && !TOLD_FAMILIES.some((family) => name.startsWith(family))) return
    told ??= new HeaderList()
    told.set(name, redact(value))
  })
  return told
}
