import { MAX_INTERIM_ANSWERS } from './bounds.ts'
import { ChunkedDecoder } from './chunked.ts'
import { type Framing, framingOf } from './framing.ts'
import { HeadBuffer } from './head-buffer.ts'
import { ReceivedBody, type Source } from './received-body.ts'
import type { WireRequest } from './request-head.ts'
import { parseHead, type ResponseHead } from './response-head.ts'
import { cutOff, malformed } from './wire-error.ts'

/** An answer whose head is here. */
export interface WireAnswer {
  readonly head: ResponseHead
  readonly body: ReceivedBody
}

/** One request and its answer on one connection: turns bytes into a head and the pieces of a body. No I/O of its own. */
export class Exchange {
  readonly request: WireRequest
  /** Settles with the head of the final answer. */
  readonly answered: Promise<WireAnswer>
  readonly #source: Source
  readonly #answer: PromiseWithResolvers<WireAnswer>
  #head: HeadBuffer | undefined = new HeadBuffer()
  #interim = 0
  #status = 0
  #framing: Framing | undefined
  #body: ReceivedBody | undefined
  #chunks: ChunkedDecoder | undefined
  /** Bytes of a body of known length that are still to come. */
  #left = 0

  /** The answer has come as a whole. */
  done = false
  /** No byte of the request has gone out. */
  unsent = true
  /** No byte of an answer has come. */
  untouched = true
  /** The first bytes of another protocol, to which the server has agreed. */
  #rest: Uint8Array | undefined
  /** Something came behind the answer: nobody asked for that. */
  surplus = false

  constructor(request: WireRequest, source: Source) {
    this.request = request
    this.#source = source
    this.#answer = Promise.withResolvers()
    this.answered = this.#answer.promise
  }

  get framing(): Framing | undefined {
    return this.#framing
  }

  /** The answer has begun, and says that the rest of the request is of no use. */
  get refused(): boolean {
    return this.#status >= 300
  }

  /** The server has agreed to another protocol. */
  get upgraded(): boolean {
    return this.#status === 101
  }

  /** What came of that protocol right behind the head, once. */
  takeRest(): Uint8Array | undefined {
    const rest = this.#rest
    this.#rest = undefined
    return rest
  }

  /** Its reader is behind: the network should wait. */
  get full(): boolean {
    return this.#body?.full === true
  }

  /**
   * The next bytes of the connection; they are the exchange's own from now on.
   * @throws WireError when they cannot be what they should be
   */
  receive(bytes: Uint8Array): void {
    this.untouched = false
    let at = 0
    while (this.#head !== undefined) {
      if (at === bytes.length) return
      at = this.#head.take(bytes, at)
      if (at === -1) return
      this.#readHead(this.#head.text)
    }
    if (this.#status === 101) {
      this.#rest = bytes.subarray(at)
      return
    }
    at = this.#readBody(bytes, at)
    this.surplus = at < bytes.length
  }

  /** The server has closed the connection, properly or not. */
  closed(properly: boolean, cause?: unknown): void {
    if (this.done) return
    if (properly && this.#framing?.length === 'until-close') this.#end()
    else this.fail(cutOff(cause))
  }

  fail(error: unknown): void {
    if (this.done) return
    this.done = true
    if (this.#body === undefined) this.#answer.reject(error)
    else this.#body.fail(error)
  }

  #readHead(text: string): void {
    const head = parseHead(text)
    if (head.status === 101 && this.request.upgrade !== undefined) {
      this.#status = 101
      this.#head = undefined
      this.#answer.resolve({ head, body: new ReceivedBody(this.#source) })
      return
    }
    if (head.status < 200) {
      // Nobody asked for another protocol.
      if (head.status === 101 || ++this.#interim > MAX_INTERIM_ANSWERS) throw malformed('an interim answer')
      return
    }
    const framing = framingOf(this.request.method, head)
    this.#framing = framing
    this.#status = head.status
    this.#head = undefined
    this.#body = new ReceivedBody(this.#source)
    if (framing.length === 'chunked') this.#chunks = new ChunkedDecoder()
    else if (framing.length !== 'until-close') this.#left = framing.length
    this.#answer.resolve({ head, body: this.#body })
    if (framing.length === 0) this.#end()
  }

  /** @returns the position behind what belongs to the body */
  #readBody(bytes: Uint8Array, from: number): number {
    if (this.done || from === bytes.length) return from
    if (this.#chunks !== undefined) {
      const end = this.#chunks.decode(bytes, from)
      if (this.#chunks.piece !== undefined) this.#body?.push(this.#chunks.piece)
      if (this.#chunks.done) this.#end()
      return end
    }
    if (this.#framing?.length === 'until-close') {
      this.#body?.push(from === 0 ? bytes : bytes.subarray(from))
      return bytes.length
    }
    const end = Math.min(bytes.length, from + this.#left)
    this.#left -= end - from
    this.#body?.push(from === 0 && end === bytes.length ? bytes : bytes.subarray(from, end))
    if (this.#left === 0) this.#end()
    return end
  }

  #end(): void {
    this.done = true
    this.#body?.end()
  }
}
