import type { ByteStream } from '#kit'

/** Small readers for the data of stream events. */

export const parseJson = (text: string | undefined): unknown => {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The top-level `error` of a body that is an error and not an answer which happens to have such a field. */
export const asError = (body: unknown): unknown => {
  if (!isRecord(body) || body.error === undefined || body.error === null) return undefined
  const { choices } = body
  return Array.isArray(choices) && choices.length > 0 && !isRecord(body.error) ? undefined : body.error
}

/** True for data that was not cut: JSON, or the end marker. */
export const isWholeEvent = (data: string | undefined): boolean =>
  data !== undefined && (data.trim() === '[DONE]' || parseJson(data) !== undefined)

/** Milliseconds a provider gets to close a stream that is complete. */
const DRAIN_MS = 1_000

/** Reads the end of a stream whose answer is complete, so that its connection can be used again; gives up after a second. */
export const drain = (source: ByteStream): void => {
  const timer = setTimeout(() => source.cancel(), DRAIN_MS)
  source
    .read()
    .catch(() => undefined)
    .finally(() => {
      clearTimeout(timer)
      source.cancel()
    })
}
