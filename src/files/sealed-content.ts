import { createCipheriv, createDecipheriv } from 'node:crypto'
import { free } from '../core/bodies/spent-pieces.ts'
import { ContentMissing } from './backend.ts'

/**
 * Content sealed piece by piece with AES-256-GCM, each with a key of its own for its file: any piece can be opened without the
 * others, and none can be changed, moved, left out or be the last when it is not (the STREAM construction of Hoang, Reyhanitabar,
 * Rogaway and Vizár, 2015: the nonce is the number of the piece and whether it is the last).
 */
const PIECE_BYTES = 64 * 1024
const TAG_BYTES = 16
const SEALED_BYTES = PIECE_BYTES + TAG_BYTES

const nonceOf = (piece: number, isLast: boolean): Uint8Array => {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(piece))
  nonce.writeUInt8(isLast ? 1 : 0, 11)
  return nonce
}

const sealPiece = (key: Uint8Array, piece: number, isLast: boolean, bytes: Uint8Array): Uint8Array => {
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(piece, isLast), { authTagLength: TAG_BYTES })
  const text = cipher.update(bytes)
  // Of this mode there is nothing left.
  cipher.final()
  // What the cipher gives has room for a block behind it, and is no whole buffer that could be freed once it is written.
  const sealed = new Uint8Array(text.length + TAG_BYTES)
  sealed.set(text)
  sealed.set(cipher.getAuthTag(), text.length)
  freeText(text)
  return sealed
}

/** More bytes than any block of a cipher has. */
const SLACK_BYTES = 64

const freeText = ({ buffer, byteOffset, byteLength }: Uint8Array): void => {
  const isAlone = byteOffset === 0 && buffer.byteLength - byteLength < SLACK_BYTES
  if (isAlone && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

const openPiece = (key: Uint8Array, piece: number, isLast: boolean, sealed: Uint8Array): Uint8Array => {
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(piece, isLast), { authTagLength: TAG_BYTES })
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    const text = decipher.update(sealed.subarray(0, -TAG_BYTES))
    decipher.final()
    return text
  } catch {
    throw new ContentMissing('the content of a file is not what was written')
  }
}

/** Seals a stream of bytes. Content without any is one piece. What it gives is its own: to be freed by who has written it. */
export async function* sealed(key: Uint8Array, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let piece = 0
  const held = Buffer.alloc(PIECE_BYTES)
  let length = 0
  for await (const bytes of content) {
    for (let from = 0; from < bytes.length; ) {
      if (length === PIECE_BYTES) {
        yield sealPiece(key, piece, false, held)
        piece++
        length = 0
      }
      const taken = bytes.subarray(from, from + PIECE_BYTES - length)
      held.set(taken, length)
      length += taken.length
      from += taken.length
    }
  }
  yield sealPiece(key, piece, true, held.subarray(0, length))
}

/** Pieces that are read at once. */
const READ_PIECES = 8

/**
 * Opens a part of it.
 * @param bytes of the whole content
 * @param start first byte that is wanted @param end the one behind the last
 * @param read gives sealed bytes from a place on; they are freed once they were opened
 * @throws ContentMissing for anything but what was sealed
 */
export async function* opened(
  key: Uint8Array,
  { bytes, start, end }: { readonly bytes: number; readonly start: number; readonly end: number },
  read: (from: number, length: number) => Promise<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const last = Math.max(Math.ceil(bytes / PIECE_BYTES) - 1, 0)
  const until = Math.min(Math.max(Math.ceil(end / PIECE_BYTES) - 1, 0), last)
  for (let first = Math.floor(start / PIECE_BYTES); first <= until; first += READ_PIECES) {
    const to = Math.min(first + READ_PIECES - 1, until)
    const length = (to === last ? bytes + (last + 1) * TAG_BYTES : (to + 1) * SEALED_BYTES) - first * SEALED_BYTES
    const found = await read(first * SEALED_BYTES, length)
    if (found.length !== length) throw new ContentMissing('the content of a file is shorter than what was written')
    for (let piece = first; piece <= to; piece++) {
      const at = (piece - first) * SEALED_BYTES
      const content = openPiece(key, piece, piece === last, found.subarray(at, at + SEALED_BYTES))
      const from = Math.max(start - piece * PIECE_BYTES, 0)
      const part = content.subarray(from, end - piece * PIECE_BYTES)
      if (part.length > 0) yield part
    }
    free(found)
  }
}
