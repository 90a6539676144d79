import { textTokens } from '#calls/estimate-tokens'

/** Counts what comes of a stream, so that its usage is known wherever it ends. */
export class AnswerMeter {
  /** All bytes that the provider sent. */
  bytes = 0
  #text = 0
  #events = 0
  #reportedText = 0
  #reportedEvents = 0

  /** An event with so many bytes of text in it. */
  add(textBytes: number): void {
    this.#text += textBytes
    this.#events++
  }

  /** Bytes that cannot be told apart. */
  addUnread(bytes: number): void {
    this.#text += bytes
  }

  /** The provider has reported its usage: it covers what came so far. */
  markReported(): void {
    this.#reportedText = this.#text
    this.#reportedEvents = this.#events
  }

  /** All that came. Events of a form whose text is not known here are about a token each, at every provider. */
  get outputTokens(): number {
    return this.#text === 0 ? this.#events : textTokens(this.#text)
  }

  /** What came after the last report. */
  get unreportedTokens(): number {
    return this.#text === 0 ? this.#events - this.#reportedEvents : textTokens(this.#text - this.#reportedText)
  }
}
