import { LATER, type ReadyStream } from '../core/bodies/ready-stream.ts'
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
    const source = this.#source
    this.#isWaiting = false
    try {
      for (let piece = source.take(); piece !== undefined; piece = source.take()) {
        if (piece === LATER) {
          this.#isWaiting = true
          source.whenReady(this.#goOn)
          return
        }
        this.#quietLooks = 0
        this.#call.markFirstByte()
        this.#spent?.next(piece)
        // The server copies what the system does not take.
        const written = controller.write(piece)
        if (this.#isOver) return
        if (typeof written !== 'number') {
          written.then(this.#goOn, this.#goOn)
          return
        }
        if (++this.#sentInTurn === PIECES_A_TURN) {
          this.#sentInTurn = 0
          setImmediate(this.#goOn)
          return
        }
      }
      this.#call.finish('completed', this.#status)
    } catch (thrown) {
      this.#fail(controller, thrown)
      return
    }
    this.#end()
    controller.close()
  }

  readonly #goOn = (): void => {
    if (!this.#isOver && this.#controller !== undefined) this.#send(this.#controller)
  }

  #fail(controller: ReadableStreamDirectController, thrown: unknown): void {
    const error = toGatewayError(thrown, this.#call.id)
    // With an error of its own the server would write it to the terminal.
    this.#cut?.reject()
    if (this.#cut === undefined) controller.write(errorEvent(this.#call, error))
    this.#call.finish('truncated', this.#status, error)
    // What the provider still sends has no reader any more.
    this.#source.cancel()
    this.#end()
    if (this.#cut === undefined) controller.close()
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
