import type { FormBody } from '../bodies/body.ts'
import { textIn } from '../bodies/bytes.ts'
import { fromReader } from '../bodies/ready-stream.ts'
import type { BodyStream } from '../ports.ts'

/** A piece of a request body: text or bytes that are here, or a part of the form that came, as it is or in Base64. */
export type Segment =
  | string
  | Uint8Array
  | { readonly from: number; readonly to: number; readonly coding?: 'base64' | undefined }

/** Bytes of a body once it is put together. */
export const lengthOf = (segments: readonly Segment[]): number =>
  segments.reduce((sum, segment) => {
    if (typeof segment === 'string') return sum + Buffer.byteLength(segment)
    if (segment instanceof Uint8Array) return sum + segment.length
    const { from, to, coding } = segment
    return sum + (coding === undefined ? to - from : Math.ceil((to - from) / 3) * 4)
  }, 0)

/**
 * Puts a body together: in one piece where the form is held in memory, else as a stream that holds a piece of it at a time.
 * @param form absent: no segment is a part of one
 */
export const assembled = (segments: readonly Segment[], form: FormBody | undefined): Uint8Array | BodyStream => {
  const bytes = form === undefined ? NOTHING : form.bytes
  if (bytes === undefined && form !== undefined) return streamOf(segments, form)
  return Buffer.concat(
    segments.map((segment) => {
      if (typeof segment === 'string') return Buffer.from(segment)
      if (segment instanceof Uint8Array || bytes === undefined) return segment as Uint8Array
      const part = bytes.subarray(segment.from, segment.to)
      return segment.coding === undefined ? part : Buffer.from(textIn(part, 'base64'))
    }),
  )
}

const NOTHING = new Uint8Array(0)

const streamOf = (segments: readonly Segment[], form: FormBody): BodyStream => {
  const pieces = piecesOf(segments, form)
  const stream = fromReader({
    read: async () => {
      const { value, done } = await pieces.next()
      return done === true ? undefined : value
    },
    cancel: () => undefined,
  })
  return { stream, length: lengthOf(segments) }
}

async function* piecesOf(segments: readonly Segment[], form: FormBody): AsyncGenerator<Uint8Array> {
  for (const segment of segments) {
    if (typeof segment === 'string') yield Buffer.from(segment)
    else if (segment instanceof Uint8Array) yield segment
    else if (segment.coding === undefined) yield* readRange(form, segment.from, segment.to)
    else yield* encoded(readRange(form, segment.from, segment.to))
  }
}

async function* readRange(form: FormBody, from: number, to: number): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to; ) {
    const piece = (await form.read(at)).subarray(0, to - at)
    if (piece.length === 0) throw new Error('a form ends before one of its parts')
    at += piece.length
    yield piece
  }
}

/** Three bytes make four letters: what is left of a piece goes in front of the next. */
async function* encoded(pieces: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = NOTHING
  for await (const piece of pieces) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    const whole = bytes.length - (bytes.length % 3)
    rest = Uint8Array.from(bytes.subarray(whole))
    if (whole > 0) yield Buffer.from(textIn(bytes, 'base64', 0, whole))
  }
  if (rest.length > 0) yield Buffer.from(textIn(rest, 'base64'))
}
