import {
  type AnswerForm,
  type Collector,
  decodeFrame,
  isRecord,
  type PipeMachine,
  type PipeOut,
  parseJson,
  SseFramer,
  type WholeAnswer,
} from '#kit'

export interface CollectedAnswerOptions {
  readonly form: AnswerForm
  /** Characters of text that the answer may have. */
  readonly maxCharacters: number
  /** It will not be whole, or is not one to keep. Called once at most. */
  readonly onGiveUp: () => void
}

/** Puts a stream of chunks together while it passes through, byte by byte as it is. */
export class CollectedAnswer implements PipeMachine {
  readonly #options: CollectedAnswerOptions
  readonly #framer = new SseFramer()
  #collector: Collector | undefined
  #characters = 0
  #ended = false

  constructor(options: CollectedAnswerOptions) {
    this.#options = options
    this.#collector = options.form.collector()
  }

  push(piece: Uint8Array, out: PipeOut): void {
    this.#collect(piece)
    out.write(piece)
  }

  end(): void {
    this.#ended = true
  }

  fail(thrown: unknown): void {
    this.#giveUp()
    throw thrown
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
    this.#characters += textLength(chunk.choices ?? chunk)
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
