import type { Socket } from 'node:net'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { MIGRATIONS } from '../migration-index.ts'

/** The management socket of a data folder. Whoever can open it may do everything, as who can open the database could. */
export const socketIn = (dataDir: string): string => join(dataDir, 'manage.sock')

/**
 * The first message of both sides. Values travel as the runtime clones them, and statements know one schema: two that differ
 * in either do not talk.
 */
export const GREETING = `weir ${MIGRATIONS.at(-1)?.name} bun ${Bun.version}`

/** A statement, or an end of the transaction that the whole conversation is. One that ends without `commit` is rolled back. */
export type Asked =
  | { readonly kind: 'begin' | 'commit' }
  | {
      readonly kind: 'query'
      readonly sql: string
      readonly params: unknown[]
      readonly rowMode: 'array' | 'object'
      /** Ids of types whose values are wanted as Postgres writes them. */
      readonly asText: readonly number[]
    }

/** What came of it: that of a statement, or the error, of which only names of the schema travel. */
export type Answered =
  | { readonly ok: true; readonly rows: unknown[]; readonly affectedRows?: number | undefined }
  | { readonly ok: false; readonly code?: unknown; readonly severity?: unknown; readonly constraint?: unknown }

const HEAD_BYTES = 4
/** More than any page of rows that a command asks for. */
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024

/** One message on the wire: its length in four bytes, the first the highest, and its bytes. */
export const frameOf = (bytes: Uint8Array): Buffer => {
  if (bytes.length > MAX_MESSAGE_BYTES) throw new Error(`a message of ${bytes.length} bytes is too long`)
  const frame = Buffer.allocUnsafe(HEAD_BYTES + bytes.length)
  frame.writeUInt32BE(bytes.length)
  frame.set(bytes, HEAD_BYTES)
  return frame
}

export const greetingFrame = (): Buffer => frameOf(Buffer.from(GREETING))

export const toFrame = (value: Asked | Answered): Buffer => frameOf(serialize(value))

export const askedIn = (bytes: Uint8Array): Asked => deserialize(bytes)

export const answeredIn = (bytes: Uint8Array): Answered => deserialize(bytes)

/** The messages of the other side, until it hangs up. @throws Error for one that is too long, or when the connection breaks */
export async function* messagesOf(socket: Socket): AsyncGenerator<Buffer, undefined> {
  let parts: Buffer[] = []
  let held = 0
  let wanted = HEAD_BYTES
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    parts.push(chunk)
    held += chunk.length
    if (held < wanted) continue
    let bytes = Buffer.concat(parts)
    for (;;) {
      wanted = HEAD_BYTES + lengthIn(bytes)
      if (bytes.length < wanted) break
      yield bytes.subarray(HEAD_BYTES, wanted)
      bytes = bytes.subarray(wanted)
    }
    parts = [bytes]
    held = bytes.length
  }
}

const lengthIn = (bytes: Buffer): number => {
  const length = bytes.length < HEAD_BYTES ? 0 : bytes.readUInt32BE()
  if (length > MAX_MESSAGE_BYTES) throw new Error(`a message of ${length} bytes is too long`)
  return length
}
