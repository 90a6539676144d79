import { type ByteStream, decodeFrame, isRecord, parseJson, type ReadyStream, readyStream } from '#kit'

/** Small readers for the data of stream events. */

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

/** True for data that was not cut: JSON, or the end marker. */
export const isWholeEvent = (data: string | undefined): boolean =>
  data !== undefined && (data.trim() === '[DONE]' || readJson(data) !== undefined)

const DATA = Buffer.from('data:')
const LF = 0x0a

/**
 * The data of an event, good enough to tell whether it is JSON. Nearly all events are one line of data; for JSON it makes no
 * difference which characters beyond ASCII its strings hold, so those need not be decoded.
 */
const roughDataOf = (frame: Uint8Array): string | undefined => {
  const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength)
  const isOneLine = bytes.indexOf(LF) === bytes.length - 2 && bytes.at(-1) === LF && bytes.indexOf(DATA) === 0
  return isOneLine ? bytes.toString('latin1', DATA.length) : decodeFrame(frame)?.data
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

/** Milliseconds a provider gets to close a stream that is complete. */
const DRAIN_MS = 1_000

/** The next piece of a complete stream, or its end after a second: its connection is then given up. */
const orCancel = async (next: Promise<Uint8Array | undefined>, source: ByteStream): Promise<Uint8Array | undefined> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      source.cancel()
      resolve(undefined)
    }, DRAIN_MS)
  })
  try {
    // The answer is already whole: a broken connection takes nothing away from it.
    return await Promise.race([next.catch(() => undefined), late])
  } finally {
    clearTimeout(timer)
  }
}

/** The rest of a complete stream: nothing in it is waited for any longer. */
export const patient = (source: ByteStream): ReadyStream =>
  readyStream({
    read: () => orCancel(source.read(), source),
    cancel: (reason) => source.cancel(reason),
  })

/** Reads the end of a complete stream, so that its connection can be used again. */
export const drain = (source: ByteStream): void => {
  orCancel(source.read(), source).then(
    () => source.cancel(),
    () => source.cancel(),
  )
}
