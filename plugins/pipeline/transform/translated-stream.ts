import { type ByteStream, concat, DONE_EVENT, decodeFrame, encodeEvent, type StreamMachine, type Usage } from '#kit'
import { EventReader } from './event-reader.ts'
import { orCancel } from './stream-data.ts'

/** A provider's own stream, translated event by event into the reference's chunks. */
export class TranslatedStream implements ByteStream {
  readonly #source: ByteStream
  readonly #machine: StreamMachine<unknown>
  readonly #onUsage: (usage: Usage) => void
  readonly #reader: EventReader
  /** An error that came in one piece with good events: thrown when those have been read, so that none is lost. */
  #failure: { readonly thrown: unknown } | undefined
  #ended = false
  #chunks = 0

  constructor(source: ByteStream, machine: StreamMachine<unknown>, onUsage: (usage: Usage) => void) {
    this.#source = source
    this.#reader = new EventReader(source)
    this.#machine = machine
    this.#onUsage = onUsage
  }

  /** Chunks that came so far. */
  get chunks(): number {
    return this.#chunks
  }

  /** True once the provider said that the answer is complete. */
  get complete(): boolean {
    return this.#machine.complete()
  }

  async read(): Promise<Uint8Array | undefined> {
    if (this.#failure !== undefined) throw this.#failure.thrown
    while (!this.#ended) {
      const { frames, last } = await this.#reader.next((source) => this.#next(source))
      const events: Uint8Array[] = []
      try {
        for (const frame of frames) this.#translate(frame, events)
        if (last) return this.#end(events)
      } catch (thrown) {
        if (events.length === 0) throw thrown
        this.#failure = { thrown }
        return concat(events)
      }
      if (events.length > 0) return concat(events)
    }
    return undefined
  }

  /** Once the answer is complete the provider only has to close; what it still says until then counts, but not its delay. */
  #next(source: ByteStream): Promise<Uint8Array | undefined> {
    const next = source.read()
    return this.#machine.complete() ? orCancel(next, source) : next
  }

  cancel(reason?: unknown): void {
    this.#ended = true
    this.#source.cancel(reason)
  }

  #translate(frame: Uint8Array, events: Uint8Array[]): void {
    const event = decodeFrame(frame)
    if (event === undefined) return
    for (const chunk of this.#machine.push(event)) {
      this.#chunks++
      events.push(encodeEvent(JSON.stringify(chunk)))
    }
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
