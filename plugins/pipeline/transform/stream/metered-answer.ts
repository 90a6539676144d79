import { answerTextBytes } from '#calls/answer-text'
import { noteAnswer } from '#calls/answered'
import { mergeUsage, usageOfAny } from '#calls/any-usage'
import { type Call, decodeFrame, isRecord, type PipeMachine, type PipeOut, SseFramer, type Usage } from '#kit'
import { AnswerMeter } from './answer-meter.ts'
import { EventLook } from './event-look.ts'
import { readJson } from './stream-data.ts'

/** Reads the usage of a stream of events, which goes out as it came, in whatever format. */
export class MeteredAnswer implements PipeMachine {
  readonly meter = new AnswerMeter()
  readonly #call: Call
  readonly #framer = new SseFramer()
  readonly #look = new EventLook()
  #usage: Usage | undefined
  #isReadable = true

  constructor(call: Call) {
    this.#call = call
  }

  push(piece: Uint8Array, out: PipeOut): void {
    this.meter.bytes += piece.length
    if (this.#isReadable) this.#read(piece)
    else this.meter.addUnread(piece.length)
    out.write(piece)
  }

  /** Never in the way: events that are too large to be looked at go on unseen, and count as text. */
  #read(piece: Uint8Array): void {
    try {
      for (const frame of this.#framer.push(piece)) this.#count(frame)
    } catch {
      this.#isReadable = false
      this.meter.addUnread(this.#framer.rest().length)
    }
  }

  #count(frame: Uint8Array): void {
    const look = this.#look
    look.look(frame)
    const { textBytes, mayHoldUsage } = look
    // The rare event that is worth parsing.
    const body = textBytes === undefined || mayHoldUsage ? readJson(decodeFrame(frame)?.data) : undefined
    if (textBytes !== undefined || body !== undefined) this.meter.add(textBytes ?? answerTextBytes(body))
    const usage = mayHoldUsage ? usageOfAny(body) : undefined
    if (usage === undefined) return
    this.#usage = mergeUsage(this.#usage, usage)
    this.meter.markReported()
    this.#call.recordUsage(this.#usage)
    if (isRecord(body)) noteAnswer(this.#call, body.response ?? body.message ?? body)
  }
}
