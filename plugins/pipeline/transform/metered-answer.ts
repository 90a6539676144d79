import {
  type ByteStream,
  type Call,
  decodeFrame,
  estimateInputTokens,
  mergeUsage,
  SseFramer,
  type Usage,
  usageOfAny,
} from '#kit'
import { parseJson } from './stream-data.ts'

const USAGE = [Buffer.from('"usage"'), Buffer.from('"usageMetadata"')]

/** Reads the usage of a whole answer, in whatever format. */
export const recordAnswerUsage = (call: Call, body: unknown): void => {
  const usage = usageOfAny(body)
  if (usage !== undefined) call.recordUsage(usage)
}

/** A stream of events that goes out as it came, while its usage is read along. */
export class MeteredAnswer implements ByteStream {
  readonly #call: Call
  readonly #source: ByteStream
  readonly #framer = new SseFramer()
  #usage: Usage | undefined
  #events = 0
  #isReadable = true

  constructor(call: Call, source: ByteStream) {
    this.#call = call
    this.#source = source
    // An event is about a token, at every provider. What reports nothing is counted so.
    call.estimateUsage((reported) => {
      if (reported !== undefined || this.#events === 0) return reported
      const inputTokens = estimateInputTokens(call.params)
      return { inputTokens, outputTokens: this.#events, totalTokens: inputTokens + this.#events, estimated: true }
    })
  }

  async read(): Promise<Uint8Array | undefined> {
    const piece = await this.#source.read()
    if (piece !== undefined && this.#isReadable) this.#look(piece)
    return piece
  }

  cancel(reason?: unknown): void {
    this.#source.cancel(reason)
  }

  /** Never in the way: events that are too large to be looked at go on unseen. */
  #look(piece: Uint8Array): void {
    try {
      for (const frame of this.#framer.push(piece)) this.#count(frame)
    } catch {
      this.#isReadable = false
    }
  }

  #count(frame: Uint8Array): void {
    this.#events++
    const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength)
    if (!USAGE.some((word) => bytes.includes(word))) return
    const usage = usageOfAny(parseJson(decodeFrame(frame)?.data))
    if (usage === undefined) return
    this.#usage = mergeUsage(this.#usage, usage)
    this.#call.recordUsage(this.#usage)
  }
}
