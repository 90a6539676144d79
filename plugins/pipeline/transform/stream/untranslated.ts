import { answerTextBytes } from '#calls/answer-text'
import { concat } from '#core/bodies/answer'
import { usageFromOpenAI } from '#core/usage'
import {
  DONE_EVENT,
  decodeFrame,
  encodeEvent,
  isRecord,
  type PipeMachine,
  type PipeOut,
  StreamTruncated,
  UpstreamInvalid,
  type Usage,
} from '#kit'
import type { Amendment } from '#kit/provider'
import type { AnswerMeter } from './answer-meter.ts'
import { EventLook, givesOneOf } from './event-look.ts'
import { EventReader } from './event-reader.ts'
import { MalformedEvent } from './malformed-event.ts'
import { asError, CLOSING_MS, isReadable, readJson } from './stream-data.ts'

export interface UntranslatedOptions {
  /** The client asked for the usage chunk itself, so it stays in the stream. */
  readonly includeUsage: boolean
  /** Choices that must finish before the answer counts as complete (`n` of the request). */
  readonly choices: number
  readonly meter: AnswerMeter
  readonly onUsage: (usage: Usage, said?: unknown) => void
  /** What is left to do to some events. Absent: all pass as they came. */
  readonly amendment?: Amendment | undefined
  /** Turns the `error` object of an event into the provider's error. */
  readonly toError: (body: unknown) => unknown
  /** Hears of each malformed event that was left out; absent: one breaks the stream. */
  readonly onSkipped?: (() => void) | undefined
}

/**
 * Looks at a stream that is already in the reference's form, whose whole events go on byte by byte as they came, for what the
 * log and an honest end need: usage, finish reasons, errors, and the `[DONE]` that ends it.
 */
export class UntranslatedMachine implements PipeMachine {
  readonly #options: UntranslatedOptions
  readonly #events = new EventReader()
  readonly #look = new EventLook()
  readonly #malformed: MalformedEvent
  /** Comments that came before the first event: held back, so that an error in that event still gets an HTTP status. */
  #held: Uint8Array[] | undefined = []
  #finished = 0
  #done = false
  /** The last events, when they came up to the CR of a last CRLF: the LF is on its way. */
  #cut: readonly Uint8Array[] | undefined
  #closing: ReturnType<typeof setTimeout> | undefined
  /** In quotes, as they stand in an event. */
  readonly #amendedFields: readonly Uint8Array[]

  constructor(options: UntranslatedOptions) {
    this.#amendedFields = (options.amendment?.fields ?? []).map((name) => Buffer.from(`"${name}"`))
    this.#options = options
    this.#malformed = new MalformedEvent(options.onSkipped)
  }

  /** True once every choice has finished. */
  get complete(): boolean {
    return this.#done || this.#finished >= this.#options.choices
  }

  push(piece: Uint8Array, out: PipeOut): void {
    this.#options.meter.bytes += piece.length
    if (this.#cut !== undefined) {
      out.write(concat(piece[0] === LF ? [...this.#cut, piece.subarray(0, 1)] : this.#cut))
      this.#close(out)
      return
    }
    const kept = this.#kept(this.#events.push(piece), out)
    if (this.#done && kept.at(-1)?.at(-1) === CR) {
      this.#cut = kept
      this.#giveUpLater(out)
      return
    }
    if (kept.length > 0) out.write(concat(kept))
    if (this.#done) this.#close(out)
  }

  end(out: PipeOut): void {
    clearTimeout(this.#closing)
    const kept = this.#cut ?? this.#kept(this.#events.rest(), out)
    const isWhole = this.#finished >= this.#options.choices
    // Where only the end marker is missing, the answer is whole all the same.
    const last = this.#done || !isWhole ? kept : [...kept, DONE_EVENT]
    if (last.length > 0) out.write(concat(last))
    if (this.complete) return
    throw this.#malformed.blame(new StreamTruncated('The stream of the provider ended before the answer was complete.'))
  }

  /** Once the answer is whole, a connection that breaks takes nothing away from it. */
  fail(thrown: unknown): void {
    if (!this.complete) throw thrown
  }

  #close(out: PipeOut): void {
    if (out.close()) clearTimeout(this.#closing)
    else this.#giveUpLater(out)
  }

  #giveUpLater(out: PipeOut): void {
    this.#closing ??= setTimeout(() => out.giveUp(), CLOSING_MS)
  }

  /** The events for the client. Of those before an error none is lost: what the provider said until then still counts. */
  #kept(frames: readonly Uint8Array[], out: PipeOut): readonly Uint8Array[] {
    const kept: Uint8Array[] = []
    try {
      for (const frame of frames) if (this.#keep(frame)) kept.push(this.#amended(frame))
    } catch (thrown) {
      const begun = this.#begun(kept)
      if (begun.length > 0) out.write(concat(begun))
      throw thrown
    }
    return this.#begun(kept)
  }

  /** Comments before the first event are held back. */
  #begun(frames: readonly Uint8Array[]): readonly Uint8Array[] {
    if (this.#held === undefined) return frames
    this.#held.push(...frames)
    if (!frames.some((frame) => decodeFrame(frame) !== undefined)) return []
    const begun = this.#held
    this.#held = undefined
    return begun
  }

  /** @returns whether the client gets this event. */
  #keep(frame: Uint8Array): boolean {
    const look = this.#look
    look.look(frame)
    const isWorthParsing = look.mayHoldUsage || look.mayHoldError
    let textBytes = look.textBytes ?? 0
    if (!look.isPlain) {
      // No bound on the length: some servers send the end marker with an id, a retry time or comments around it.
      if (!isWorthParsing && decodeFrame(frame)?.data.trim() === '[DONE]') this.#done = true
      else {
        const body = readJson(decodeFrame(frame)?.data)
        if (body === undefined && !isReadable(frame)) {
          this.#malformed.found(malformed())
          return false
        }
        textBytes = answerTextBytes(body)
      }
    }
    this.#finished += look.finished
    if (look.hasContent || textBytes > 0) this.#options.meter.add(textBytes)
    if (this.#malformed.isPending) this.#pass(frame)
    return isWorthParsing ? this.#inspect(frame, look.mayHoldError) : true
  }

  /** The event as the client shall have it: the very bytes but for the few that are to be amended. */
  #amended(frame: Uint8Array): Uint8Array {
    const { amendment } = this.#options
    if (amendment === undefined || !givesOneOf(frame, this.#amendedFields)) return frame
    const event = decodeFrame(frame)
    const body = readJson(event?.data)
    if (!isRecord(body)) return frame
    const amended = amendment.amend(body)
    return amended === body ? frame : encodeEvent(JSON.stringify(amended), event?.event)
  }

  /** An event after a malformed one. That may have held the finish reason: an end marker alone does not make up for it. */
  #pass(frame: Uint8Array): void {
    if (isSilent(frame)) return
    if (this.#done && this.#finished < this.#options.choices) throw this.#malformed.blame(undefined)
    this.#malformed.passed()
  }

  /** The rare event that is worth parsing. */
  #inspect(frame: Uint8Array, mayHoldError: boolean): boolean {
    const body = readJson(decodeFrame(frame)?.data)
    if (!isRecord(body)) return true
    if (mayHoldError && asError(body) !== undefined) throw this.#options.toError(body)
    const usage = usageFromOpenAI((this.#options.amendment?.amend(body) ?? body).usage)
    if (usage === undefined) return true
    this.#options.meter.markReported()
    this.#options.onUsage(usage, body)
    const onlyUsage = Array.isArray(body.choices) && body.choices.length === 0
    return this.#options.includeUsage || !onlyUsage
  }
}

/** Clients give up at an event that they cannot read, so it is a failure of the provider, and may be one in time. */
const malformed = (): UpstreamInvalid => new UpstreamInvalid('The provider sent an event that is not JSON.')

/** True for a comment, and for an event without data. */
const isSilent = (frame: Uint8Array): boolean => (decodeFrame(frame)?.data ?? '').trim() === ''

const LF = 0x0a
const CR = 0x0d
