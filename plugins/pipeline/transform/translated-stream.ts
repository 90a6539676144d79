import {
  type ByteStream,
  concat,
  DONE_EVENT,
  decodeFrame,
  encodeEvent,
  SseFramer,
  type StreamMachine,
  UpstreamInvalid,
  type Usage,
} from '#kit'
import { isWholeEvent, orCancel } from './stream-data.ts'

/** A provider's own stream, translated event by event into the reference's chunks. */
export class TranslatedStream implements ByteStream {
  readonly #source: ByteStream
  readonly #machine: StreamMachine<unknown>
  readonly #onUsage: (usage: Usage) => void
  readonly #framer = new SseFramer()
  /** An error that came in one piece with good events: thrown when those have been read, so that none is lost. */
  #failure: { readonly thrown: unknown } | undefined
  #ended = false

  constructor(source: ByteStream, machine: StreamMachine<unknown>, onUsage: (usage: Usage) => void) {
    this.#source = source
    this.#machine = machine
    this.#onUsage = onUsage
  }

  async read(): Promise<Uint8Array | undefined> {
    if (this.#failure !== undefined) throw this.#failure.thrown
    while (!this.#ended) {
      const chunk = await this.#next()
      const events: Uint8Array[] = []
      try {
        for (const frame of chunk === undefined ? this.#lastFrames() : this.#frames(chunk)) {
          this.#translate(frame, events)
        }
      } catch (thrown) {
        if (events.length === 0) throw thrown
        this.#failure = { thrown }
        return concat(events)
      }
      if (chunk === undefined) return this.#end(events)
      if (events.length > 0) return concat(events)
    }
    return undefined
  }

  /** Once the answer is complete the provider only has to close; what it still says until then counts, but not its delay. */
  #next(): Promise<Uint8Array | undefined> {
    const next = this.#source.read()
    return this.#machine.complete() ? orCancel(next, this.#source) : next
  }

  cancel(reason?: unknown): void {
    this.#ended = true
    this.#source.cancel(reason)
  }

  #frames(chunk: Uint8Array): readonly Uint8Array[] {
    try {
      return this.#framer.push(chunk)
    } catch (cause) {
      throw new UpstreamInvalid('The provider sent an event that is too large.', { cause })
    }
  }

  /** A half event is no event: the machine then says that the stream was cut. */
  #lastFrames(): readonly Uint8Array[] {
    const rest = this.#framer.rest()
    return isWholeEvent(decodeFrame(rest)?.data) ? [rest] : []
  }

  #translate(frame: Uint8Array, events: Uint8Array[]): void {
    const event = decodeFrame(frame)
    if (event === undefined) return
    for (const chunk of this.#machine.push(event)) events.push(encodeEvent(JSON.stringify(chunk)))
    const usage = this.#machine.usage()
    if (usage !== undefined) this.#onUsage(usage)
  }

  /** The machine owes the last chunks, or throws because the answer is not complete. */
  #end(events: Uint8Array[]): Uint8Array {
    this.#ended = true
    for (const chunk of this.#machine.end()) events.push(encodeEvent(JSON.stringify(chunk)))
    return concat([...events, DONE_EVENT])
  }
}
