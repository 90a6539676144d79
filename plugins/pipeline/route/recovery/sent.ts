import { answerOf, ChatEvents, choicesOf, deltaOf, type Fields, isSaid } from './events.ts'

/** What the client has of an answer. */
export class SentAnswer {
  readonly #events = new ChatEvents()
  #text = ''
  #head: Fields = {}
  #finished = false
  #isPlain: boolean

  /** @param choices how many were asked for */
  constructor({ choices }: { readonly choices: number }) {
    this.#isPlain = choices <= 1
  }

  get text(): string {
    return this.#text
  }

  /** What all chunks of the answer have in common. */
  get head(): Fields {
    return this.#head
  }

  /** Whether another model could go on from here: it is nothing but the beginning of one text. */
  get canGoOn(): boolean {
    return this.#isPlain && !this.#finished
  }

  /** Whether all was said: what is still to come is the end. */
  get isFinished(): boolean {
    return this.#finished
  }

  add(piece: Uint8Array): void {
    try {
      for (const event of this.#events.push(piece)) {
        if (event === 'done') this.#finished = true
        else this.#addChunk(event.chunk)
      }
    } catch {
      // Too large or no JSON: the client has something that cannot be told.
      this.#isPlain = false
    }
  }

  #addChunk(chunk: Fields): void {
    if (!isSaid(this.#head.id)) {
      const { id, object, created, model } = chunk
      this.#head = { id, object, created, model }
    }
    for (const choice of choicesOf(chunk)) {
      const { content, ...others } = answerOf(deltaOf(choice))
      if (typeof content === 'string') this.#text += content
      const isPlain = (content === undefined || typeof content === 'string') && Object.keys(others).length === 0
      if (!isPlain || (choice.index ?? 0) !== 0) this.#isPlain = false
      if (isSaid(choice.finish_reason)) this.#finished = true
    }
  }
}
