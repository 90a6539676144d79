import { concat } from '#core/bodies/answer'
import {
  decodeFrame,
  type EventNote,
  type PipeMachine,
  type PipeOut,
  StreamTruncated,
  type StreamWatch,
  UpstreamInvalid,
  type Usage,
} from '#kit'
import type { AnswerMeter } from './answer-meter.ts'
import { EventReader } from './event-reader.ts'
import { MalformedEvent } from './malformed-event.ts'
import { MAX_HELD_BYTES } from './prime.ts'
import { CLOSING_MS, isReadable } from './stream-data.ts'

export interface WatchedOptions {
  readonly watch: StreamWatch
  /** Of one event; absent: as much as any text has. */
  readonly maxEventBytes?: number | undefined
  readonly meter: AnswerMeter
  readonly onUsage: (usage: Usage, said?: unknown) => void
  /** Turns the body of an error into the provider's error. */
  readonly toError: (body: unknown) => unknown
  /** Hears of each malformed event that was left out; absent: one breaks the stream. */
  readonly onSkipped?: (() => void) | undefined
}

/**
 * Looks at a stream in the client's own form, whose whole events go on byte by byte as they came, for what the log and an honest
 * end need. What an event means says the form. Events that only announce an answer are held back until one says something, so
 * that a failure behind them can still go unseen to the next target.
 */
export class WatchedMachine implements PipeMachine {
  readonly #options: WatchedOptions
  readonly #events: EventReader
  readonly #malformed: MalformedEvent
  #held: Uint8Array[] | undefined = []
  #heldBytes = 0
  #isComplete = false
  #closing: ReturnType<typeof setTimeout> | undefined

  constructor(options: WatchedOptions) {
    this.#options = options
    this.#events = new EventReader(options.maxEventBytes)
    this.#malformed = new MalformedEvent(options.onSkipped)
  }

  /** True once the provider said that the answer is complete. */
  get complete(): boolean {
    return this.#isComplete
  }

  push(piece: Uint8Array, out: PipeOut): void {
    this.#options.meter.bytes += piece.length
    this.#passOn(this.#events.push(piece), out)
    // The provider only has to close; what it still says goes on, but its silence does not count.
    if (!this.#isComplete) return
    if (this.#closing === undefined) this.#closing = setTimeout(() => out.giveUp(), CLOSING_MS)
    else this.#closing.refresh()
  }

  end(out: PipeOut): void {
    clearTimeout(this.#closing)
    this.#passOn(this.#events.rest(), out)
    this.#release(out, [])
    if (this.#isComplete) return
    throw this.#malformed.blame(new StreamTruncated('The stream of the provider ended before the answer was complete.'))
  }

  /** Once the answer is complete, a connection that breaks takes nothing away from it. */
  fail(thrown: unknown): void {
    if (!this.#isComplete) throw thrown
  }

  /** Of the events before an error none is lost: what the provider said until then still counts. */
  #passOn(frames: readonly Uint8Array[], out: PipeOut): void {
    const passed: Uint8Array[] = []
    let says = this.#held === undefined
    try {
      for (const frame of frames) {
        const note = this.#read(frame)
        if (note === MALFORMED) continue
        if (note?.error !== undefined) {
          if (note.isShown === true && says) passed.push(frame)
          throw this.#options.toError(note.error)
        }
        says ||= note !== undefined && note.isSilent !== true
        passed.push(frame)
      }
    } finally {
      if (says) this.#release(out, passed)
      else this.#hold(out, passed)
    }
  }

  #hold(out: PipeOut, frames: readonly Uint8Array[]): void {
    this.#held?.push(...frames)
    for (const { length } of frames) this.#heldBytes += length
    if (this.#heldBytes > MAX_HELD_BYTES) this.#release(out, [])
  }

  #release(out: PipeOut, frames: readonly Uint8Array[]): void {
    const all = this.#held === undefined ? frames : [...this.#held, ...frames]
    this.#held = undefined
    const [first] = all
    if (first !== undefined) out.write(all.length === 1 ? first : concat(all))
  }

  /** What an event means; nothing for a comment. */
  #read(frame: Uint8Array): EventNote | typeof MALFORMED | undefined {
    const event = decodeFrame(frame)
    if (event === undefined) return undefined
    let note: EventNote | undefined
    try {
      note = this.#options.watch(event)
    } catch (thrown) {
      if (isReadable(frame)) throw thrown
      this.#malformed.found(new UpstreamInvalid('The provider sent an event that is not JSON.'))
      return MALFORMED
    }
    if (this.#malformed.isPending && event.data.trim() !== '') this.#malformed.passed()
    this.#count(note)
    return note ?? NOTHING_SAID
  }

  #count(note: EventNote | undefined): void {
    const { meter, onUsage } = this.#options
    if (note?.textBytes !== undefined && note.textBytes > 0) meter.add(note.textBytes)
    if (note?.usage !== undefined) {
      meter.markReported()
      onUsage(note.usage, note.answer)
    }
    if (note?.isEnd === true) this.#isComplete = true
  }
}

/** An event that is left out. */
const MALFORMED = Symbol('malformed')

/** An event that the form does not care about goes on like one that says something. */
const NOTHING_SAID: EventNote = {}
