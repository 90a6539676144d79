import { fromReader, nextPiece, type ReadyStream, type Taken } from '../../core/bodies/ready-stream.ts'
import type { BodySource } from '../upstream-body.ts'
import { MAX_PIECE_BYTES } from './bounds.ts'
import { undecodable } from './wire-error.ts'

/**
 * Names of codings (RFC 9110, section 8.4.1). Some servers mean by `deflate` the bare algorithm, without the envelope that
 * the section asks for: the first byte of the body tells.
 */
const FORMATS: Readonly<Record<string, (first: number) => Bun.CompressionFormat>> = {
  gzip: () => 'gzip',
  'x-gzip': () => 'gzip',
  deflate: (first) => ((first & 0x0f) === 8 ? 'deflate' : 'deflate-raw'),
  br: () => 'brotli',
  zstd: () => 'zstd',
}

/** The reading end of a decoder. */
interface Reader {
  read(): Promise<{ readonly value?: Uint8Array | undefined }>
  cancel(): Promise<void>
}

/** What the header of an answer says about the coding of its body. */
export type Coding = 'none' | 'unknown' | ((first: number) => Bun.CompressionFormat)

/** We ask for no compression; one coding that is known is understood all the same. */
export const codingOf = (headers: readonly (readonly [name: string, value: string])[]): Coding => {
  let coding: Coding = 'none'
  for (const [name, value] of headers) {
    if (name !== 'content-encoding') continue
    for (const each of value.toLowerCase().split(',')) {
      const word = each.trim()
      if (word === '' || word === 'identity') continue
      coding = coding === 'none' ? (FORMATS[word] ?? 'unknown') : 'unknown'
    }
  }
  return coding
}

/** The body of an answer, decompressed; where the coding is not known, as it is. */
export const decoded = (coding: Coding, body: BodySource): BodySource =>
  typeof coding === 'string' || body.over ? body : new DecodedBody(body, coding)

/**
 * Takes no more from the network than fits between the decoder's two ends: what unpacks to a lot is unpacked as it is read.
 * The end of the coding and that of the body must be one: a body that is cut short, or goes on behind it, fails.
 */
class DecodedBody implements BodySource {
  readonly #source: BodySource
  readonly #formatOf: (first: number) => Bun.CompressionFormat
  readonly #unpacked: ReadyStream
  #pieces: Reader | undefined
  /** What is left of a piece that was too large to be handed out at once. */
  #rest: Uint8Array | undefined
  /** Why the source broke. */
  #failure: { readonly thrown: unknown } | undefined

  over = false

  constructor(source: BodySource, formatOf: (first: number) => Bun.CompressionFormat) {
    this.#source = source
    this.#formatOf = formatOf
    this.#unpacked = fromReader({ read: () => this.#unpack(), cancel: () => this.cancel() })
  }

  take(): Taken {
    return this.#unpacked.take()
  }

  whenReady(listener: () => void): void {
    this.#unpacked.whenReady(listener)
  }

  cancel(): void {
    this.over = true
    this.#rest = undefined
    this.#source.cancel()
    // It has failed already, or nobody wants to hear of it.
    this.#pieces?.cancel().catch(() => undefined)
  }

  async #unpack(): Promise<Uint8Array | undefined> {
    if (this.over) return undefined
    if (this.#rest === undefined) {
      this.#pieces ??= await this.#begin()
      this.#rest = await this.#next()
    }
    const piece = this.#rest
    if (piece === undefined) {
      this.over = true
      return undefined
    }
    this.#rest = piece.length > MAX_PIECE_BYTES ? piece.subarray(MAX_PIECE_BYTES) : undefined
    return piece.length > MAX_PIECE_BYTES ? piece.subarray(0, MAX_PIECE_BYTES) : piece
  }

  /** @returns nothing for an empty body, which no coding has */
  async #begin(): Promise<Reader | undefined> {
    const first = await nextPiece(this.#source)
    if (first === undefined) return undefined
    const { readable, writable } = new DecompressionStream(this.#formatOf(first[0] ?? 0))
    void this.#feed(writable.getWriter(), first)
    return readable.getReader()
  }

  async #next(): Promise<Uint8Array | undefined> {
    try {
      return (await this.#pieces?.read())?.value
    } catch (thrown) {
      throw this.#failure === undefined ? undecodable(thrown) : this.#failure.thrown
    }
  }

  async #feed(decoder: WritableStreamDefaultWriter, first: Uint8Array): Promise<void> {
    try {
      for (let piece: Uint8Array | undefined = first; piece !== undefined; piece = await this.#read()) {
        await decoder.write(piece)
      }
      await decoder.close()
    } catch (thrown) {
      // Where it was the decoder that failed, whoever reads from it hears so; nothing is done then.
      await decoder.abort(thrown).catch(() => undefined)
    }
  }

  async #read(): Promise<Uint8Array | undefined> {
    try {
      return await nextPiece(this.#source)
    } catch (thrown) {
      this.#failure = { thrown }
      throw thrown
    }
  }
}
