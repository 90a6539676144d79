import {
  type ByteStream,
  type ChatCompletion,
  type ChatCompletionChunk,
  createAccumulator,
  decodeFrame,
  isRecord,
  SseFramer,
} from '#kit'
import { isCompletion } from './completion.ts'

export interface CollectedStreamOptions {
  /** Characters of text that the answer may have. */
  readonly maxCharacters: number
  /** It will not be whole, or is not one to keep. Called once at most. */
  readonly onGiveUp: () => void
}

/** A stream of chat chunks that is put together while it passes through, byte by byte as it is. */
export class CollectedStream implements ByteStream {
  readonly #source: ByteStream
  readonly #options: CollectedStreamOptions
  readonly #framer = new SseFramer()
  #accumulator: ReturnType<typeof createAccumulator> | undefined = createAccumulator()
  #characters = 0
  #ended = false

  constructor(source: ByteStream, options: CollectedStreamOptions) {
    this.#source = source
    this.#options = options
  }

  async read(): Promise<Uint8Array | undefined> {
    try {
      const bytes = await this.#source.read()
      if (bytes === undefined) this.#ended = true
      else this.#collect(bytes)
      return bytes
    } catch (thrown) {
      this.#giveUp()
      throw thrown
    }
  }

  cancel(reason?: unknown): void {
    this.#source.cancel(reason)
  }

  /** The answer, once the stream has come to its proper end. */
  whole(): ChatCompletion | undefined {
    if (!this.#ended || this.#accumulator === undefined) return undefined
    try {
      const answer: unknown = this.#accumulator.whole()
      return isCompletion(answer) ? answer : undefined
    } catch {
      return undefined
    }
  }

  #collect(bytes: Uint8Array): void {
    if (this.#accumulator === undefined) return
    try {
      for (const frame of this.#framer.push(bytes)) this.#add(decodeFrame(frame)?.data)
    } catch {
      // Whatever it is, it is no answer that could be given again; the client gets it as it is.
      this.#giveUp()
    }
  }

  #add(data: string | undefined): void {
    if (data === undefined || data.trim() === '[DONE]') return
    const chunk: unknown = JSON.parse(data)
    if (!isChunk(chunk)) throw new Error('an event is not a chunk')
    this.#characters += textLength(chunk.choices)
    if (this.#characters > this.#options.maxCharacters) this.#giveUp()
    else this.#accumulator?.add(chunk)
  }

  #giveUp(): void {
    if (this.#accumulator === undefined) return
    this.#accumulator = undefined
    this.#options.onGiveUp()
  }
}

const isChunk = (chunk: unknown): chunk is ChatCompletionChunk =>
  isRecord(chunk) &&
  chunk.error === undefined &&
  Array.isArray(chunk.choices) &&
  chunk.choices.every((choice) => isRecord(choice) && isRecord(choice.delta) && canBeAdded(choice.delta))

/** Pieces of an object of its own form, such as audio or the older function call, cannot be put together. */
const canBeAdded = (delta: Record<string, unknown>): boolean => !Object.values(delta).some(isRecord)

const textLength = (value: unknown): number => {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, item) => sum + textLength(item), 0)
}
