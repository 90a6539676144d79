import { answerTextBytes } from '#calls/answer-text'
import { decodeFrame, eventText, type PipeMachine, type PipeOut, type SseEvent, type Usage } from '#kit'
import type { StreamMachine } from '#kit/provider'
import type { AnswerMeter } from './answer-meter.ts'
import { EventReader } from './event-reader.ts'
import { MalformedEvent } from './malformed-event.ts'
import { CLOSING_MS, isReadable } from './stream-data.ts'

const encoder = new TextEncoder()
const DONE = eventText('[DONE]')

/** Translates a provider's own stream, event by event, into the reference's chunks. */
export class TranslatedMachine implements PipeMachine {
  readonly #machine: StreamMachine<unknown>
  readonly #onUsage: (usage: Usage) => void
  readonly #malformed: MalformedEvent
  readonly #meter: AnswerMeter
  readonly #events = new EventReader()
  #closing: ReturnType<typeof setTimeout> | undefined
  /** What the events of one piece became. */
  #text = ''
  /** Output of the last report. */
  #reported: number | undefined

  /** @param onSkipped hears of each malformed event that was left out; absent: one breaks the stream */
  constructor(
    machine: StreamMachine<unknown>,
    onUsage: (usage: Usage) => void,
    meter: AnswerMeter,
    onSkipped?: () => void,
  ) {
    this.#machine = machine
    this.#onUsage = onUsage
    this.#meter = meter
    this.#malformed = new MalformedEvent(onSkipped)
  }

  /** True once the provider said that the answer is complete. */
  get complete(): boolean {
    return this.#machine.complete()
  }

  push(piece: Uint8Array, out: PipeOut): void {
    this.#meter.bytes += piece.length
    this.#write(out, () => {
      for (const frame of this.#events.push(piece)) this.#translate(frame)
    })
    // The provider only has to close; what it still says until then counts, but not its delay.
    if (this.complete) this.#closing ??= setTimeout(() => out.giveUp(), CLOSING_MS)
  }

  /** The machine owes the last chunks, or throws because the answer is not complete. */
  end(out: PipeOut): void {
    clearTimeout(this.#closing)
    this.#write(out, () => {
      for (const frame of this.#events.rest()) this.#translate(frame)
      for (const chunk of this.#owed()) this.#add(chunk)
      this.#text += DONE
    })
  }

  /** Once the answer is complete, a connection that breaks takes nothing away from it. */
  fail(thrown: unknown): void {
    if (!this.complete) throw thrown
  }

  /** Writes what the events of one piece became, also where one of them fails. */
  #write(out: PipeOut, translate: () => void): void {
    try {
      translate()
    } finally {
      if (this.#text !== '') out.write(encoder.encode(this.#text))
      this.#text = ''
    }
  }

  #translate(frame: Uint8Array): void {
    const event = decodeFrame(frame)
    if (event === undefined) return
    for (const chunk of this.#chunksOf(event, frame)) this.#add(chunk)
    const usage = this.#machine.usage()
    if (usage !== undefined) this.#report(usage)
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

  #owed(): readonly unknown[] {
    try {
      return this.#machine.end()
    } catch (thrown) {
      throw this.#malformed.blame(thrown)
    }
  }

  #add(chunk: unknown): void {
    this.#meter.add(answerTextBytes(chunk))
    this.#text += eventText(JSON.stringify(chunk))
  }

  /** The machine tells its last report after every event. */
  #report(usage: Usage): void {
    if (usage.outputTokens !== this.#reported) this.#meter.markReported()
    this.#reported = usage.outputTokens
    this.#onUsage(usage)
  }
}
