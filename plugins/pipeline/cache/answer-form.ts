import type { ChatCompletion, TextCompletion } from '#kit/provider'

/** An answer with every choice finished, which can be given plain or as a stream. */
export interface WholeAnswer {
  readonly answer: ChatCompletion | TextCompletion
  /** The stream that it could have been; a chunk with usage only when the answer has one too. */
  chunks(includeUsage: boolean): Iterable<object>
}

/** Puts the chunks of a stream together. */
export interface Collector {
  /** @throws Error for what is no chunk, or cannot be put together */
  add(chunk: Record<string, unknown>): void
  /** @throws Error when it is no answer */
  whole(): unknown
}

/** How the cache reads the answers of an endpoint that streams. */
export interface AnswerForm {
  /** Undefined for what is not a whole answer. */
  read(body: unknown): WholeAnswer | undefined
  collector(): Collector
}
