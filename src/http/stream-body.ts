import { LATER, type ReadyStream, type Taken } from '../core/bodies/ready-stream.ts'
import { SpentPieces } from '../core/bodies/spent-pieces.ts'
import { eventText, KEEP_ALIVE_COMMENT } from '../core/bodies/sse.ts'
import type { Call } from '../core/call.ts'
import { toEnvelope, toGatewayError } from '../errors/envelope.ts'
import type { GatewayError } from '../errors/gateway-error.ts'

/** What the door must be able to do to a running call. */
export interface Lifeline {
  /** Aborts everything the call waits for. */
  abort(): void
  readonly keepAliveMs: number
  /** Settles when what is recorded of the call is safe; undefined: it is. */
  durable?(): Promise<void> | undefined
}

export interface StreamBodyOptions {
  readonly source: ReadyStream
  readonly status: number
  /** Bytes that mean nothing to us: nothing can be put between them. */
  readonly verbatim: boolean
  /** Nobody keeps a piece of it. */
  readonly opaque: boolean
  /** Keeps the connection awake while nothing comes. Absent: a comment of server-sent events. */
  readonly keepAlive?: Uint8Array | undefined
}

/**
 * The byte stream that the client pulls. A piece is read from the provider only when the client has room for it. While a
 * read waits, comments keep the connection awake. A stream never ends in silence: a failure becomes an error event or, where
 * nothing can be added, cuts the connection, which no client takes for a proper end.
 */
export const streamBody = (call: Call, options: StreamBodyOptions, lifeline: Lifeline): ReadableStream<Uint8Array> => {
  const sender = new Sender(call, options, lifeline)
  // Written to as the pieces come: no queue, and no promise a piece.
  return new ReadableStream<Uint8Array>({
    type: 'direct',
    pull: (controller) => sender.begin(controller),
    cancel: () => sender.leave(),
  })
}

/** Looks at a stream in each `keepAliveMs`: a silence is noticed in its last quarter, without a clock for each piece. */
const LOOKS = 4

/** Pieces that are sent before everybody else gets a turn: some sources always have another one. */
const PIECES_A_TURN = 500

class Sender {
  readonly #call: Call
  readonly #source: ReadyStream
  readonly #status: number
  /** Rejects to cut the connection; absent where a failure is told by an event. */
  readonly #cut: PromiseWithResolvers<void> | undefined
  readonly #lifeline: Lifeline
  readonly #keepAliveBytes: Uint8Array
  readonly #spent: SpentPieces | undefined
  #controller: ReadableStreamDirectController | undefined
  #keepAlive: ReturnType<typeof setInterval> | undefined
  /** For the provider; not while the client is behind. */
  #isWaiting = false
  /** What follows the piece that was written last, where that is known. */
  #ahead: { readonly taken: Taken } | undefined
  /** What the source failed with. */
  #failure: { readonly thrown: unknown } | undefined
  /** Looks since something went out. */
  #quietLooks = 0
  #sentInTurn = 0
  #isOver = false

  constructor(call: Call, { source, status, verbatim, opaque, keepAlive }: StreamBodyOptions, lifeline: Lifeline) {
    this.#call = call
    this.#keepAliveBytes = keepAlive ?? KEEP_ALIVE_COMMENT
    this.#spent = opaque ? new SpentPieces() : undefined
    this.#source = source
    this.#status = status
    this.#cut = verbatim ? Promise.withResolvers() : undefined
    this.#lifeline = lifeline
  }

  /** A reader asks again for each piece that is not there yet; it gets what is written meanwhile. */
  begin(controller: ReadableStreamDirectController): Promise<void> | undefined {
    if (this.#controller !== undefined || this.#isOver) return undefined
    this.#controller = controller
    const { keepAliveMs } = this.#lifeline
    if (keepAliveMs > 0 && this.#cut === undefined) this.#keepAlive = setInterval(this.#stayAwake, keepAliveMs / LOOKS)
    this.#send(controller)
    return this.#cut?.promise
  }

  /** The client has left. */
  leave(): void {
    if (this.#isOver) return
    this.#end()
    this.#lifeline.abort()
    this.#source.cancel()
  }

  /** Hands on what is here, as long as the client takes it. */
  #send(controller: ReadableStreamDirectController): void {
    this.#isWaiting = false
    try {
      let piece = this.#ahead === undefined ? this.#take() : this.#ahead.taken
      this.#ahead = undefined
      while (piece !== undefined) {
        if (piece === LATER) {
          this.#isWaiting = true
          this.#source.whenReady(this.#goOn)
          return
        }
        this.#quietLooks = 0
        this.#call.markSent(piece.length)
        // The call ends before its last piece goes out: who has seen the end finds it recorded.
        const ahead = this.#take()
        this.#spent?.next(piece)
        if (ahead === undefined && this.#failure === undefined) {
          this.#complete(controller, piece)
          return
        }
        // The server copies what the system does not take.
        const written = controller.write(piece)
        if (this.#isOver) return
        const isTurnOver = ++this.#sentInTurn === PIECES_A_TURN
        if (typeof written !== 'number' || isTurnOver) {
          if (ahead !== LATER) this.#ahead = { taken: ahead }
          this.#sentInTurn = 0
          if (typeof written === 'number') setImmediate(this.#goOn)
          else written.then(this.#goOn, this.#goOn)
          return
        }
        piece = ahead
      }
    } catch (thrown) {
      this.#failure ??= { thrown }
    }
    if (this.#failure === undefined) this.#complete(controller)
    else this.#fail(controller, this.#failure.thrown)
  }

  /** The next piece. A failure ends the stream behind what was taken before. */
  #take(): Taken {
    if (this.#failure !== undefined) return undefined
    try {
      return this.#source.take()
    } catch (thrown) {
      this.#failure = { thrown }
      return undefined
    }
  }

  /** @param last the piece that ends it, where that was not sent before */
  #complete(controller: ReadableStreamDirectController, last?: Uint8Array): void {
    this.#call.finish('completed', this.#status)
    this.#close(controller, last)
  }

  /** Sends what is left once the record of the call is safe, and nothing after it. */
  #close(controller: ReadableStreamDirectController, last: Uint8Array | undefined): void {
    const close = (): void => {
      if (this.#isOver) return
      if (last !== undefined) controller.write(last)
      this.#end()
      controller.close()
    }
    const waiting = this.#lifeline.durable?.()
    if (waiting === undefined) close()
    else waiting.then(close, close)
  }

  readonly #goOn = (): void => {
    if (!this.#isOver && this.#controller !== undefined) this.#send(this.#controller)
  }

  #fail(controller: ReadableStreamDirectController, thrown: unknown): void {
    const error = toGatewayError(thrown, this.#call.id)
    this.#call.finish('truncated', this.#status, error)
    // What the provider still sends has no reader any more.
    this.#source.cancel()
    if (this.#cut === undefined) {
      this.#close(controller, errorEvent(this.#call, error))
      return
    }
    // With an error of its own the server would write it to the terminal.
    this.#cut.reject()
    this.#end()
  }

  readonly #stayAwake = (): void => {
    if (++this.#quietLooks < LOOKS) return
    this.#quietLooks = 0
    if (this.#isWaiting) this.#controller?.write(this.#keepAliveBytes)
  }

  #end(): void {
    this.#isOver = true
    clearInterval(this.#keepAlive)
    this.#cut?.resolve()
  }
}

const encoder = new TextEncoder()

/** A failure as an event in the form of the client. */
const errorEvent = ({ endpoint: { errors }, id }: Call, error: GatewayError): Uint8Array =>
  encoder.encode(errors?.event(error, id) ?? eventText(JSON.stringify(toEnvelope(error))))
