import { isRecord, type Usage } from '#kit'
import type { CacheUse } from '#kit/slots'

/** An answer that is kept. */
export interface Entry {
  /** Milliseconds since 1970. */
  readonly storedAtMs: number
  /** Model as the provider got it. */
  readonly model: string
  readonly droppedParams: readonly string[]
  /** What the provider was asked instead. */
  readonly via?: string
  /** What the answer cost when it was made; 0 when nobody counted. */
  readonly tokens: number
  /** What was bought for it, as far as the provider counted it: what giving it again saves. */
  readonly saved?: NonNullable<CacheUse['saved']>
  /** JSON, in the reference's form. */
  readonly body: Uint8Array
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const LF = 0x0a

/** One line of JSON, then the body. */
export const encodeEntry = ({ body, ...head }: Entry): Uint8Array => {
  const line = encoder.encode(`${JSON.stringify(head)}\n`)
  const bytes = new Uint8Array(line.length + body.length)
  bytes.set(line)
  bytes.set(body, line.length)
  return bytes
}

/** Undefined for bytes that are no entry. */
export const decodeEntry = (bytes: Uint8Array): Entry | undefined => {
  const end = bytes.indexOf(LF)
  const head = end === -1 ? undefined : parsed(bytes.subarray(0, end))
  if (!isRecord(head)) return undefined
  const { storedAtMs, model, droppedParams, tokens, via, saved } = head
  if (typeof storedAtMs !== 'number' || typeof model !== 'string' || typeof tokens !== 'number') return undefined
  if (!Array.isArray(droppedParams) || !droppedParams.every((name) => typeof name === 'string')) return undefined
  const body = bytes.subarray(end + 1)
  return {
    storedAtMs,
    model,
    droppedParams,
    tokens,
    ...(typeof via === 'string' ? { via } : {}),
    ...(isSaved(saved) ? { saved } : {}),
    body,
  }
}

/** Written by this gateway or its like, but perhaps by another version of it. */
const isSaved = (saved: unknown): saved is NonNullable<CacheUse['saved']> =>
  isRecord(saved) &&
  isRecord(saved.usage) &&
  typeof saved.usage.inputTokens === 'number' &&
  typeof saved.usage.outputTokens === 'number' &&
  typeof saved.usage.totalTokens === 'number'

/** The object that the bytes are the JSON of. */
export const parsed = (bytes: Uint8Array): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Seconds that an answer may still be given for; 0 or less: it is too old. */
export const secondsLeft = ({ storedAtMs }: Entry, maxAgeSeconds: number, nowMs: number): number =>
  maxAgeSeconds - Math.floor((nowMs - storedAtMs) / 1000)

/** Tokens that the provider counted; an estimate is no count. */
export const countedTokens = (usage: Usage | undefined): number =>
  usage === undefined || usage.estimated === true ? 0 : usage.totalTokens
