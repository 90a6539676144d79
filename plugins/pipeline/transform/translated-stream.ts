import { answerTextBytes } from '#calls/answer-text'
import {
  type ByteStream,
  decodeFrame,
  eventText,
  LATER,
  type ReadyStream,
  readReady,
  readyStream,
  type SseEvent,
  type Taken,
  type Usage,
} from '#kit'
import type { StreamMachine } from '#kit/provider'
import type { AnswerMeter } from './answer-meter.ts'
import { EventReader } from './event-reader.ts'
import { MalformedEvent } from './malformed-event.ts'
import { isReadable, patient } from './stream-data.ts'

const encoder = new TextEncoder()
const DONE = eventText('[DONE]')

/** A provider's own stream, translated event by event into the reference's chunks. */
export class TranslatedStream implements ReadyStream {
  readonly #machine: StreamMachine<unknown>
  readonly #onUsage: (usage: Usage) => void
  readonly #malformed: MalformedEvent
  readonly #meter: AnswerMeter
  readonly #events = new EventReader()
  #source: ReadyStream
  /** An error that came in one piece with good events: thrown when those have been read, so that none is lost. */
  #failure: { readonly thrown: unknown } | undefined
  /** What the events of one piece became. */
  #text = ''
  #isComplete = false
  #ended = false
  /** Output of the last report. */
  #reported: number | undefined

  /** @param onSkipped hears of each malformed event that was left out; absent: one breaks the stream */
  constructor(
    source: ByteStream,
    machine: StreamMachine<unknown>,
    onUsage: (usage: Usage) => void,
    meter: AnswerMeter,
    onSkipped?: () => void,
  ) {
    this.#source = readyStream(source)
    this.#machine = machine
    this.#onUsage = onUsage
    this.#meter = meter
    this.#malformed = new MalformedEvent(onSkipped)
  }

  /** True once the provider said that the answer is complete. */
  get complete(): boolean {
    return this.#machine.complete()
  }

  take(): Taken {
    if (this.#failure !== undefined) throw this.#failure.thrown
    while (!this.#ended) {
      const piece = this.#source.take()
      if (piece === LATER) return LATER
      try {
        if (piece === undefined) this.#end()
        else {
          this.#meter.bytes += piece.length
          for (const frame of this.#events.push(piece)) this.#translate(frame)
        }
      } catch (thrown) {
        if (this.#text === '') throw thrown
        this.#failure = { thrown }
      }
      if (this.#text !== '') return this.#written()
    }
    return undefined
  }

  whenReady(listener: () => void): void {
    this.#source.whenReady(listener)
  }

  read(): Promise<Uint8Array | undefined> {
    return readReady(this)
  }

  cancel(reason?: unknown): void {
    this.#ended = true
    this.#source.cancel(reason)
  }

  #translate(frame: Uint8Array): void {
    const event = decodeFrame(frame)
    if (event === undefined) return
    for (const chunk of this.#chunksOf(event, frame)) this.#write(chunk)
    const usage = this.#machine.usage()
    if (usage !== undefined) this.#report(usage)
    if (!this.#isComplete && this.#machine.complete()) this.#complete()
  }

  #chunksOf(event: SseEvent, frame: Uint8Array): readonly unknown[] {
    try {
      const chunks = this.#machine.push(event)
      if (this.#malformed.isPending && event.data.trim() !== '') this.#malformed.passed()
      return chunks
    } catch (thrown) {
      // What can be read and is refused all the same is the provider's word, not a slip on the way.
      if (isReadable(frame)) throw thrown
      this.#malformed.found(thrown)
      return []
    }
  }

  /** The provider only has to close; what it still says until then counts, but not its delay. */
  #complete(): void {
    this.#isComplete = true
    this.#source = patient(this.#source)
  }

  /** The machine owes the last chunks, or throws because the answer is not complete. */
  #end(): void {
    for (const frame of this.#events.rest()) this.#translate(frame)
    this.#ended = true
    for (const chunk of this.#owed()) this.#write(chunk)
    this.#text += DONE
  }

  #owed(): readonly unknown[] {
    try {
      return this.#machine.end()
    } catch (thrown) {
      throw this.#malformed.blame(thrown)
    }
  }

  #write(chunk: unknown): void {
    this.#meter.add(answerTextBytes(chunk))
    this.#text += eventText(JSON.stringify(chunk))
  }

  /** The machine tells its last report after every event. */
  #report(usage: Usage): void {
    if (usage.outputTokens !== this.#reported) this.#meter.markReported()
    this.#reported = usage.outputTokens
    this.#onUsage(usage)
  }

  #written(): Uint8Array {
    const bytes = encoder.encode(this.#text)
    this.#text = ''
    return bytes
  }
}
