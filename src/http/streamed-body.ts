import { concat } from '../core/bodies/answer.ts'
import { type RequestBody, type StreamedBody, WholeBody } from '../core/bodies/body.ts'
import { fromReader } from '../core/bodies/ready-stream.ts'
import { SpentPieces } from '../core/bodies/spent-pieces.ts'
import type { Endpoint } from '../core/endpoint.ts'
import type { BodyStream } from '../core/ports.ts'
import { InvalidRequest } from '../errors/gateway-error.ts'
import { FormUpload } from './form-upload.ts'
import { Arrival, type BodyLimits, readBody, refuseCoded, tooLarge } from './read-body.ts'
import type { Spool, SpoolFile } from './spool.ts'

export interface RequestLimits extends BodyLimits {
  /** Most bytes of a body that streams; each of its pieces has `timeoutMs`. */
  readonly maxUploadBytes: number
  /** Keeps bodies that may have to be sent again. Absent: none is kept. */
  readonly spool?: Spool | undefined
}

/** A body of so many bytes is read whole, whatever it is: it can be sent again. */
const SMALL_BYTES: number = 64 * 1024

/** What a body may be said to be that is JSON, or a form with a model: it is looked into. */
const LOOKED_INTO = /^(?:|text\/plain|application\/(?:json|x-www-form-urlencoded)|.*\+json)$/

/** The body of a request: where it may be more than JSON, what nobody looks into streams, and what is too large to be held. */
export const requestBody = (request: Request, { body }: Endpoint, limits: RequestLimits): RequestBody => {
  if (body.kind === 'multipart') return new FormUpload(request, limits)
  const mayStream = body.kind !== 'json' && body.kind !== 'none'
  const isStreamed = mayStream && streams(request.headers, limits.maxBytes) && request.body !== null
  return isStreamed
    ? new ClientBody(request.body, request.headers, limits)
    : new WholeBody(() => readBody(request, limits))
}

const streams = (headers: Headers, maxWholeBytes: number): boolean => {
  const length = headers.get('content-length')
  if (length === null ? !headers.has('transfer-encoding') : Number(length) <= SMALL_BYTES) return false
  const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (LOOKED_INTO.test(type)) return false
  return type !== 'multipart/form-data' || length === null || Number(length) > maxWholeBytes
}

/** The reading end of a stream of the server's. */
interface Reader {
  read(): Promise<{ readonly value?: Uint8Array | undefined }>
  cancel(): Promise<void>
}

const NOTHING = new Uint8Array(0)

/** A body that is read from the socket when the provider takes it, or ahead of that as far as somebody has to look into it. */
export class ClientBody implements StreamedBody {
  readonly kind = 'streamed'
  readonly #headers: Headers
  /** Its length, as the client says; the server holds it to that. */
  readonly #declared: number | undefined
  readonly #reader: Reader
  readonly #limits: RequestLimits
  #readBytes = 0
  /** Bytes of the pieces behind what was read ahead. */
  #sentBytes = 0
  #ahead: Uint8Array = NOTHING
  /** Bytes of what was read ahead, as the client sent them. */
  #aheadBytes = 0
  #look: ((piece: Uint8Array | undefined) => void) | undefined
  #isKept = false
  #file: SpoolFile | undefined
  /** Some of it was handed out. */
  #isTouched = false
  /** The piece that somebody waits for. */
  #coming: Promise<Uint8Array | undefined> | undefined
  /** How often it was opened: who opened it before the last time reads no more. */
  #openings = 0
  isRead = false

  /**
   * @param source of a request with a body
   */
  constructor(source: ReadableStream<Uint8Array>, headers: Headers, limits: RequestLimits) {
    const declared = headers.get('content-length')
    this.#reader = source.getReader()
    this.#headers = headers
    this.#declared = declared === null ? undefined : Number(declared)
    this.#limits = limits
  }

  get length(): number | undefined {
    return this.#declared === undefined ? undefined : this.#declared + this.#ahead.length - this.#aheadBytes
  }

  async load(): Promise<void> {
    refuseCoded(this.#headers)
    const { maxUploadBytes } = this.#limits
    if (this.#declared !== undefined && this.#declared > maxUploadBytes) throw tooLarge(maxUploadBytes)
  }

  async readAhead(look: (piece: Uint8Array) => boolean): Promise<boolean> {
    const pieces: Uint8Array[] = []
    for (let isEnough = false; !isEnough && !this.isRead && this.#readBytes < this.#limits.maxBytes; ) {
      const piece = await this.#receive()
      if (piece === undefined) continue
      pieces.push(piece)
      isEnough = look(piece)
    }
    this.#ahead = concat(pieces)
    this.#aheadBytes = this.#ahead.length
    return this.isRead
  }

  get ahead(): Uint8Array {
    return this.#ahead
  }

  set ahead(bytes: Uint8Array) {
    this.#ahead = bytes
  }

  watch(look: (piece: Uint8Array | undefined) => void): void {
    this.#look = look
  }

  keep(): void {
    this.#isKept = this.#limits.spool !== undefined
  }

  get isRepeatable(): boolean {
    return this.#isKept || !this.#isTouched
  }

  open(): BodyStream {
    const opening = ++this.#openings
    const { length } = this
    const spent = new SpentPieces()
    let at = -1
    const read = async (): Promise<Uint8Array | undefined> => {
      if (opening !== this.#openings) throw new Error('a request body is read after it was opened again')
      this.#isTouched = true
      if (at === -1) {
        at = 0
        const ahead = this.#ahead
        if (!this.#isKept) this.#ahead = NOTHING
        if (ahead.length > 0) return ahead
      }
      // What was waited for before it was opened again goes into the file.
      if (this.#coming !== undefined) await this.#coming.catch(() => undefined)
      const kept = await this.#file?.read(at)
      if (kept === undefined && at !== this.#sentBytes) throw new Error('a request body is not there any more')
      const piece = kept ?? (await this.#live())
      if (piece === undefined) return undefined
      at += piece.length
      // Who sends a body asks for the next piece when the one before is gone.
      spent.next(piece)
      return piece
    }
    // Whoever sends it may give up and be asked again: only the end of the call leaves the client.
    return { length, stream: fromReader({ read, cancel: () => undefined }) }
  }

  close(): void {
    this.#openings++
    this.#ahead = NOTHING
    this.#forget()
    // It has failed already, or nobody wants to hear of it.
    if (!this.isRead) this.#reader.cancel().catch(() => undefined)
  }

  #forget(): void {
    this.#isKept = false
    void this.#file?.close()
    this.#file = undefined
  }

  #live(): Promise<Uint8Array | undefined> {
    const coming = this.#next().finally(() => {
      this.#coming = undefined
    })
    this.#coming = coming
    return coming
  }

  /** The next piece behind what was read ahead, kept where it may be asked for again. */
  async #next(): Promise<Uint8Array | undefined> {
    if (this.isRead) return undefined
    const piece = await this.#receive()
    this.#look?.(piece)
    // Before the last piece goes out: with it the provider has the whole.
    if (this.isRead && piece !== undefined) this.#look?.(undefined)
    this.#sentBytes += piece?.length ?? 0
    if (piece !== undefined && this.#isKept) await this.#write(piece)
    return piece
  }

  async #write(piece: Uint8Array): Promise<void> {
    this.#file ??= await this.#limits.spool?.open()
    // The call may have ended meanwhile.
    if (this.#isKept && (await this.#file?.append(piece)) === true) return
    this.#forget()
  }

  async #receive(): Promise<Uint8Array | undefined> {
    const { maxUploadBytes, timeoutMs } = this.#limits
    const { value } = await new Arrival(this.#read(), timeoutMs).whole
    if (value === undefined) {
      this.isRead = true
      return undefined
    }
    this.#readBytes += value.length
    if (this.#readBytes > maxUploadBytes) throw tooLarge(maxUploadBytes)
    this.isRead = this.#readBytes === this.#declared
    return value
  }

  async #read(): ReturnType<Reader['read']> {
    try {
      return await this.#reader.read()
    } catch (thrown) {
      throw new InvalidRequest('The request body could not be read to its end.', { cause: thrown })
    }
  }
}
