import { placeIn, textIn } from '#core/bodies/bytes'
import { decodeFrame, isRecord, parseJson } from '#kit'

/** Small readers for the data of stream events. */

/** Milliseconds that a provider gets to close a stream that is complete. */
export const CLOSING_MS = 1_000

/** Undefined for what is no JSON that can be read. */
export const readJson = (text: string | undefined): unknown => {
  if (text === undefined) return undefined
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** The top-level `error` of a body that is an error and not an answer which happens to have such a field. */
export const asError = (body: unknown): unknown => {
  if (!isRecord(body) || body.error === undefined || body.error === null) return undefined
  const { choices } = body
  return Array.isArray(choices) && choices.length > 0 && !isRecord(body.error) ? undefined : body.error
}

const DATA = Buffer.from('data:')
const LF = 0x0a

/**
 * The data of an event, good enough to tell whether it is JSON. Nearly all events are one line of data; for JSON it makes no
 * difference which characters beyond ASCII its strings hold, so those need not be decoded.
 */
const roughDataOf = (frame: Uint8Array): string | undefined => {
  const isOneLine = frame.indexOf(LF) === frame.length - 2 && frame.at(-1) === LF && placeIn(frame, DATA) === 0
  return isOneLine ? textIn(frame, 'latin1', DATA.length) : decodeFrame(frame)?.data
}

/** False for an event whose data is not JSON. Comments, empty data and other fields are nothing to read. */
export const isReadable = (frame: Uint8Array): boolean => {
  const data = roughDataOf(frame)
  if (data === undefined || data.trim() === '') return true
  try {
    JSON.parse(data)
    return true
  } catch (thrown) {
    // Too deep for this parser is not malformed.
    return !(thrown instanceof SyntaxError)
  }
}
