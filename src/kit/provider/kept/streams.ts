import { fromPieces, fromReader, nextPiece, type ReadyStream } from '../../../core/bodies/ready-stream.ts'
import type { BodyStream } from '../../../core/ports.ts'

/** A source of a stream that is made of several, asked for once those before it have ended. */
export type Source = () => ReadyStream | Promise<ReadyStream>

/** One stream of several, one behind the other. */
export const inTurn = (sources: readonly Source[]): ReadyStream => {
  const left = [...sources]
  let current: ReadyStream | undefined
  let isCancelled = false
  return fromReader({
    async read() {
      for (;;) {
        if (current === undefined) {
          const source = isCancelled ? undefined : left.shift()
          if (source === undefined) return undefined
          current = await source()
          if (isCancelled) current.cancel()
        }
        const piece = await nextPiece(current)
        if (piece !== undefined) return piece
        current = undefined
      }
    },
    cancel() {
      isCancelled = true
      current?.cancel()
    },
  })
}

/** One stream of several, with the first of them asked for now: what is wrong with it is told before the answer begins. */
export const begunInTurn = async ([first, ...others]: readonly Source[]): Promise<ReadyStream> => {
  if (first === undefined) return fromPieces([])
  const begun = await first()
  return inTurn([() => begun, ...others])
}

const encoder = new TextEncoder()

/** A file of a form that goes out. */
export interface SentFile {
  readonly filename: string
  readonly type: string
  readonly content: BodyStream
}

/** As browsers write it (HTML standard, multipart/form-data encoding algorithm, read 2026-11-22). */
const quoted = (name: string): string =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('\\', '_')

/** A form with one file, `file`, behind its fields; the file is sent as it is read. */
export const fileForm = (
  fields: Readonly<Record<string, string | undefined>>,
  { filename, type, content }: SentFile,
): { readonly body: BodyStream; readonly type: string } => {
  // Nobody can guess it: it stands nowhere in the file.
  const boundary = `weir-${crypto.randomUUID()}`
  const parts = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`],
  )
  const named = `Content-Disposition: form-data; name="file"; filename="${quoted(filename || 'file')}"`
  const kind = type || 'application/octet-stream'
  const head = encoder.encode(`${parts.join('')}--${boundary}\r\n${named}\r\nContent-Type: ${kind}\r\n\r\n`)
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`)
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: {
      stream: inTurn([() => fromPieces([head]), () => content.stream, () => fromPieces([tail])]),
      length: content.length === undefined ? undefined : head.length + content.length + tail.length,
    },
  }
}
