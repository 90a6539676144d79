import { HeaderList } from '#core/header-fields'
import type { HeaderFields } from '#kit'

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
export const errorHeadersOf = (headers: HeaderFields, redact: (words: string) => string): HeaderFields | undefined => {
  let told: HeaderList | undefined
  headers.forEach((value, name) => {
    if (value.length > MAX_VALUE_CHARACTERS) return
    if (!TOLD.has(name) && !TOLD_FAMILIES.some((family) => name.startsWith(family))) return
    told ??= new HeaderList()
    told.set(name, redact(value))
  })
  return told
}
