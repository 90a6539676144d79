import {
  type AnswerForm,
  type ByteStream,
  type Collector,
  decodeFrame,
  isRecord,
  parseJson,
  SseFramer,
  type WholeAnswer,
} from '#kit'

export interface CollectedStreamOptions {
  readonly form: AnswerForm
  /** Characters of text that the answer may have. */
  readonly maxCharacters: number
  /** It will not be whole, or is not one to keep. Called once at most. */
  readonly onGiveUp: () => void
}

/** A stream of chunks that is put together while it passes through, byte by byte as it is. */
export class CollectedStream implements ByteStream {
  readonly #source: ByteStream
  readonly #options: CollectedStreamOptions
  readonly #framer = new SseFramer()
  #collector: Collector | undefined
  #characters = 0
  #ended = false

  constructor(source: ByteStream, options: CollectedStreamOptions) {
    this.#source = source
    this.#options = options
    this.#collector = options.form.collector()
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
  whole(): WholeAnswer | undefined {
    if (!this.#ended || this.#collector === undefined) return undefined
    try {
      return this.#options.form.read(this.#collector.whole())
    } catch {
      return undefined
    }
  }

  #collect(bytes: Uint8Array): void {
    if (this.#collector === undefined) return
    try {
      for (const frame of this.#framer.push(bytes)) this.#add(decodeFrame(frame)?.data)
    } catch {
      // Whatever it is, it is no answer that could be given again; the client gets it as it is.
      this.#giveUp()
    }
  }

  #add(data: string | undefined): void {
    if (data === undefined || data.trim() === '[DONE]') return
    const chunk: unknown = parseJson(data)
    if (!isRecord(chunk) || chunk.error !== undefined) throw new Error('an event is not a chunk')
    this.#characters += textLength(chunk.choices)
    if (this.#characters > this.#options.maxCharacters) this.#giveUp()
    else this.#collector?.add(chunk)
  }

  #giveUp(): void {
    if (this.#collector === undefined) return
    this.#collector = undefined
    this.#options.onGiveUp()
  }
}

const textLength = (value: unknown): number => {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, item) => sum + textLength(item), 0)
}
