import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib'
import { type ReadyStream, readReady, readyStream, type Taken } from '../../core/ready-stream.ts'
import type { BodySource } from '../upstream-body.ts'
import type { ResponseHead } from './response-head.ts'

/** By the name of the coding; each is told the first byte of the body. */
const DECODERS: Readonly<Record<string, (first: number | undefined) => Transform>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  // Some servers mean the bare algorithm, without the envelope that RFC 9110 asks for; 8 is how an envelope begins.
  deflate: (first = 0) => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw()),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
}

/**
 * The body of an answer, decompressed. We ask for no compression; a server that compresses all the same is understood, and
 * a coding that is not known is left as it is.
 */
export const decoded = ({ headers }: ResponseHead, body: BodySource): BodySource => {
  const coding = headers.find(([name]) => name === 'content-encoding')?.[1].toLowerCase()
  const make = coding === undefined || body.over ? undefined : DECODERS[coding]
  return make === undefined ? body : new DecodedBody(body, make)
}

/** Takes no more from the network than fits between the decoder's two ends: what unpacks to a lot is unpacked as it is read. */
class DecodedBody implements BodySource {
  readonly #source: BodySource
  readonly #make: (first: number | undefined) => Transform
  readonly #unpacked: ReadyStream
  #decoder: Transform | undefined
  #pieces: AsyncIterator<unknown> | undefined

  over = false

  constructor(source: BodySource, make: (first: number | undefined) => Transform) {
    this.#source = source
    this.#make = make
    this.#unpacked = readyStream({ read: () => this.#unpack(), cancel: () => this.cancel() })
  }

  take(): Taken {
    return this.#unpacked.take()
  }

  whenReady(listener: () => void): void {
    this.#unpacked.whenReady(listener)
  }

  read(): Promise<Uint8Array | undefined> {
    return readReady(this)
  }

  cancel(): void {
    this.over = true
    this.#source.cancel()
    this.#decoder?.destroy()
  }

  async #unpack(): Promise<Uint8Array | undefined> {
    if (this.over) return undefined
    this.#pieces ??= await this.#begin()
    const { done, value } = (await this.#pieces?.next()) ?? { done: true, value: undefined }
    if (done !== true && value instanceof Uint8Array)
      return new Uint8Array(value.buffer, value.byteOffset, value.length)
    this.over = true
    return undefined
  }

  /** @returns nothing for an empty body, which no coding has */
  async #begin(): Promise<AsyncIterator<unknown> | undefined> {
    const first = await this.#source.read()
    if (first === undefined) return undefined
    const decoder = this.#make(first[0])
    this.#decoder = decoder
    // Whoever reads gets its errors; after a cancel nobody does.
    decoder.on('error', () => undefined)
    void this.#feed(decoder, first)
    return decoder[Symbol.asyncIterator]()
  }

  async #feed(decoder: Transform, first: Uint8Array): Promise<void> {
    try {
      for (let piece: Uint8Array | undefined = first; piece !== undefined; piece = await this.#source.read()) {
        if (!decoder.write(piece) && !(await drained(decoder))) return this.#source.cancel()
      }
      decoder.end()
    } catch (thrown) {
      decoder.destroy(thrown instanceof Error ? thrown : new Error('the body broke'))
    }
  }
}

/** Waits until the decoder takes more. @returns false when it never will */
const drained = (decoder: Transform): Promise<boolean> =>
  new Promise((resolve) => {
    const settle = (alive: boolean) => (): void => {
      decoder.off('drain', onDrain)
      decoder.off('close', onClose)
      resolve(alive)
    }
    const onDrain = settle(true)
    const onClose = settle(false)
    if (decoder.destroyed) return resolve(false)
    decoder.on('drain', onDrain)
    decoder.on('close', onClose)
  })
