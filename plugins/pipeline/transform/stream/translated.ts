import { answerTextBytes } from '#calls/answer-text'
import {
  type AnswerForm,
  decodeFrame,
  eventText,
  type PipeMachine,
  type PipeOut,
  type SseEvent,
  type Usage,
} from '#kit'
import type { StreamMachine } from '#kit/provider'
import type { AnswerMeter } from './answer-meter.ts'
import { EventReader } from './event-reader.ts'
import { MalformedEvent } from './malformed-event.ts'
import { CLOSING_MS, isReadable } from './stream-data.ts'

const encoder = new TextEncoder()
const DONE = eventText('[DONE]')

export interface TranslatedOptions {
  readonly machine: StreamMachine<object>
  readonly onUsage: (usage: Usage, said?: unknown) => void
  readonly meter: AnswerMeter
  /** Hears of each malformed event that was left out; absent: one breaks the stream. */
  readonly onSkipped?: (() => void) | undefined
  /** How chunks are written. Absent: as those of a chat. */
  readonly form?: Pick<AnswerForm, 'write' | 'last'> | undefined
}

/** Translates a provider's own stream, event by event, into chunks of the form in which it was asked. */
export class TranslatedMachine implements PipeMachine {
  readonly #form: TranslatedOptions['form']
  readonly #machine: StreamMachine<object>
  readonly #onUsage: (usage: Usage, said?: unknown) => void
  readonly #malformed: MalformedEvent
  readonly #meter: AnswerMeter
  readonly #events = new EventReader()
  #closing: ReturnType<typeof setTimeout> | undefined
  /** It names the model that answers. */
  #firstChunk: object | undefined
  /** What the events of one piece became. */
  #text = ''
  /** Output of the last report. */
  #reported: number | undefined

  constructor({ machine, onUsage, meter, onSkipped, form }: TranslatedOptions) {
    this.#machine = machine
    this.#onUsage = onUsage
    this.#meter = meter
    this.#malformed = new MalformedEvent(onSkipped)
    this.#form = form
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
    // The provider only has to close; what it still says counts, but not its silence.
    if (!this.complete) return
    if (this.#closing === undefined) this.#closing = setTimeout(() => out.giveUp(), CLOSING_MS)
    else this.#closing.refresh()
  }

  /** The machine owes the last chunks, or throws because the answer is not complete. */
  end(out: PipeOut): void {
    clearTimeout(this.#closing)
    this.#write(out, () => {
      for (const frame of this.#events.rest()) this.#translate(frame)
      for (const chunk of this.#owed()) this.#add(chunk)
      this.#text += this.#form?.last ?? DONE
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

  #chunksOf(event: SseEvent, frame: Uint8Array): readonly object[] {
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

  #owed(): readonly object[] {
    try {
      return this.#machine.end()
    } catch (thrown) {
      throw this.#malformed.blame(thrown)
    }
  }

  #add(chunk: object): void {
    this.#firstChunk ??= chunk
    this.#meter.add(answerTextBytes(chunk))
    this.#text += this.#form?.write?.(chunk) ?? eventText(JSON.stringify(chunk))
  }

  /** The machine tells its last report after every event. */
  #report(usage: Usage): void {
    if (usage.outputTokens !== this.#reported) this.#meter.markReported()
    this.#reported = usage.outputTokens
    this.#onUsage(usage, this.#firstChunk)
  }
}
