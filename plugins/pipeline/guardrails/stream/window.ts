import type { StreamTexts } from '#core/guardrails'
import {
  fromPieces,
  type PipeMachine,
  type PipeOut,
  type ReadyStream,
  SseFramer,
  UpstreamInvalid,
  UpstreamTooLarge,
} from '#kit'
import { type HeldEvent, HeldEvents, joined } from './held-events.ts'
import { HeldTexts, type HeldTextsOptions } from './held-texts.ts'
import { type SaidEvent, StreamReader } from './stream-reader.ts'

export interface WindowOptions extends HeldTextsOptions {
  readonly texts: StreamTexts
  /** Most bytes that are held back. */
  readonly maxBytes: number
  /** All texts are in. @returns what is written behind the last event */
  end?(): string | Promise<string>
  /** The stream broke off, and what was held went out. */
  onBroken?(): void
  /** What ends the stream properly, behind the last event, where what was thrown ends it. Undefined: that is an error. */
  endOfRefused?(thrown: unknown): string | undefined
  /** Whether somebody else goes on from what went out when the stream breaks off now. */
  isCarriedOn?(): boolean
}

/** Bytes of events that say nothing, before a stream begins with them. */
const MAX_SILENT_BYTES = 64 * 1024

const encoder = new TextEncoder()

/**
 * Holds a stream of events back by a window of its texts, which are looked at before they go out. What is refused never
 * leaves: the answer is ended in its form, and the stream fails. Nothing goes out before the first text does, so that a refusal
 * until then, or a failure, is one of the call.
 */
export class WindowMachine implements PipeMachine {
  readonly #options: WindowOptions
  readonly #source: ReadyStream
  readonly #framer = new SseFramer()
  readonly #events = new HeldEvents()
  readonly #texts: HeldTexts
  readonly #reader: StreamReader
  /** Events that came and were not read. */
  #frames: readonly Uint8Array[] = NO_FRAMES
  #next = 0
  /** What may go out. */
  #ready: Uint8Array[] = []
  #readyBytes = 0
  #hasBegun = false
  #isEnded = false
  #isOver = false
  #failure: { readonly thrown: unknown } | undefined

  /** @param source that the pipe of this machine reads from */
  constructor(source: ReadyStream, options: WindowOptions) {
    this.#source = source
    this.#options = options
    this.#texts = new HeldTexts(options)
    this.#reader = new StreamReader(options.texts)
  }

  push(piece: Uint8Array, out: PipeOut): void {
    this.#go(out, () => {
      this.#frames = this.#framer.push(piece)
    })
  }

  end(out: PipeOut): void {
    if (this.#isEnded) return
    this.#go(out, () => {
      this.#isEnded = true
      const rest = this.#framer.rest()
      if (rest.length > 0) this.#take(rest)
      this.#texts.endAll(true)
    })
  }

  /** What is held goes out before the failure is told, unless somebody else is to go on from what went out before. */
  fail(thrown: unknown, out: PipeOut): void {
    if (!this.#hasBegun || this.#options.isCarriedOn?.() === true) {
      this.#options.onBroken?.()
      throw thrown
    }
    this.#go(out, () => {
      this.#failure = { thrown }
      this.#texts.endAll(false)
    })
  }

  /** Does what comes of a step, now or when the looks that it takes are done: until then nothing more is read. */
  #go(out: PipeOut, begin: () => void): void {
    try {
      begin()
      const waiting = this.#work(out)
      if (waiting !== undefined) out.readFrom(this.#goOn(waiting, out))
    } catch (thrown) {
      this.#refuse(thrown, out)
      out.giveUp()
    }
  }

  async #goOn(first: Promise<void>, out: PipeOut): Promise<ReadyStream> {
    try {
      for (let waiting: Promise<void> | undefined = first; waiting !== undefined; waiting = this.#work(out))
        await waiting
      return this.#isEnded ? NOTHING : this.#source
    } catch (thrown) {
      this.#refuse(thrown, out)
      return NOTHING
    }
  }

  /** @returns when to go on, where something takes its time @throws what the stream ends with */
  #work(out: PipeOut): Promise<void> | undefined {
    let waiting = this.#texts.settle()
    while (waiting === undefined && this.#next < this.#frames.length) {
      this.#take(this.#frames[this.#next++] as Uint8Array)
      waiting = this.#texts.settle()
    }
    if (waiting === undefined) {
      this.#frames = NO_FRAMES
      this.#next = 0
    }
    this.#letOut()
    if (waiting === undefined && this.#isEnded && !this.#isOver) waiting = this.#finish()
    this.#write(out)
    if (waiting === undefined && this.#failure !== undefined) {
      this.#options.onBroken?.()
      throw this.#failure.thrown
    }
    return waiting
  }

  #take(frame: Uint8Array): void {
    const said = this.#read(frame)
    const held: HeldEvent = { frame, said, waits: 0, texts: undefined }
    this.#events.add(held)
    if (said !== undefined) this.#texts.take(held, said)
    const { maxBytes, window } = this.#options
    if (this.#events.bytes <= maxBytes) return
    if (window === Infinity) {
      throw new UpstreamTooLarge(
        `The answer is larger than the ${maxBytes} bytes that a guardrail with \`stream_mode: buffer\` holds back.`,
      )
    }
    this.#letOut()
    if (this.#events.bytes > maxBytes) this.#texts.endAll(false)
  }

  #read(frame: Uint8Array): SaidEvent | undefined {
    try {
      return this.#reader.read(frame)
    } catch (thrown) {
      if (!(thrown instanceof SyntaxError)) throw thrown
      throw new UpstreamInvalid('The provider sent an event that is not JSON: no guardrail can look at it.')
    }
  }

  #letOut(): void {
    const bytes = this.#events.take()
    if (bytes !== undefined) this.#add(bytes)
  }

  #finish(): Promise<void> | undefined {
    this.#isOver = true
    const add = (text: string): void => {
      if (text !== '') this.#add(encoder.encode(text))
    }
    const last = this.#options.end?.() ?? ''
    if (typeof last !== 'string') return last.then(add)
    add(last)
    return undefined
  }

  /** Nothing before the first text; what is written behind the last one does not hold it up. */
  #write(out: PipeOut): void {
    this.#hasBegun ||= this.#events.hasSaid || this.#isOver || this.#readyBytes > MAX_SILENT_BYTES
    if (!this.#hasBegun || this.#readyBytes === 0) return
    out.write(joined(this.#ready))
    this.#ready = []
    this.#readyBytes = 0
  }

  #add(bytes: Uint8Array): void {
    this.#ready.push(bytes)
    this.#readyBytes += bytes.length
  }

  /** Ends the answer with what went out. @throws what is refused, unless the end is to look like a proper one */
  #refuse(thrown: unknown, out: PipeOut): void {
    this.#isEnded = true
    this.#source.cancel()
    if (!this.#hasBegun || this.#failure?.thrown === thrown) throw thrown
    this.#letOut()
    this.#events.drop()
    this.#frames = NO_FRAMES
    const { texts, endOfRefused } = this.#options
    const last = endOfRefused?.(thrown)
    this.#add(encoder.encode(texts.withhold(this.#events.last) + (last ?? '')))
    this.#write(out)
    if (last === undefined) throw thrown
  }
}

const NOTHING = fromPieces([])

const NO_FRAMES: readonly Uint8Array[] = []
