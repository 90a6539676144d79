import { DONE_EVENT, encodeEvent, isRecord, StreamTruncated, type Usage } from '#kit'
import { answerOf, ChatEvents, choicesOf, deltaOf, type Fields, isSaid } from './events.ts'

export interface RestOptions {
  /** What all chunks of the answer have in common. */
  readonly head: Fields
  readonly echo: Echo
  /** The tokens of what was sent before. */
  readonly before: Usage | undefined
}

/** Makes the answer of one target the rest of the answer of another. */
export class Rest {
  readonly #options: RestOptions
  readonly #events = new ChatEvents()

  constructor(options: RestOptions) {
    this.#options = options
  }

  /**
   * The events to send for a piece of the new answer; often none.
   * @throws StreamTruncated when it is not the same answer
   */
  push(piece: Uint8Array): Uint8Array[] {
    const events: Uint8Array[] = []
    for (const event of this.#events.push(piece)) {
      if (event === 'done') {
        if (!this.#options.echo.isOver) throw differs()
        events.push(DONE_EVENT)
        continue
      }
      const chunk = this.#fitted(event.chunk)
      if (chunk !== undefined) events.push(encodeEvent(JSON.stringify(chunk)))
    }
    return events
  }

  /** The chunk as a part of the first answer; nothing when it says nothing new. */
  #fitted(chunk: Fields): Fields | undefined {
    const choices = choicesOf(chunk).flatMap((choice) => this.#choice(choice))
    const usage = isRecord(chunk.usage) ? { usage: added(chunk.usage, this.#options.before) } : {}
    if (choices.length === 0 && !isRecord(chunk.usage)) return undefined
    return { ...chunk, ...this.#options.head, choices, ...usage }
  }

  #choice(choice: Fields): Fields[] {
    const { echo } = this.#options
    const { content = '', ...others } = answerOf(deltaOf(choice))
    if (typeof content !== 'string') throw differs()
    const isEnd = isSaid(choice.finish_reason)
    const speaksOtherwise = Object.keys(others).length > 0
    let fresh = echo.take(content)
    if (fresh !== undefined && !echo.isOver && (isEnd || speaksOtherwise)) fresh = echo.end()
    if (fresh === undefined) throw differs()
    if (fresh === '' && !isEnd && !speaksOtherwise) return []
    return [{ ...choice, delta: { ...(fresh === '' ? {} : { content: fresh }), ...others } }]
  }
}

const differs = (): StreamTruncated =>
  new StreamTruncated(
    'The stream of the provider broke, and the answer of the next target does not begin with the text that was sent already.',
  )

/** The usage of the whole: that of each part, added up. */
const added = (usage: Fields, before: Usage | undefined): Fields => {
  if (before === undefined) return usage
  const sum = (value: unknown, more = 0): number => (typeof value === 'number' ? value : 0) + more
  const { prompt_tokens_details: prompt, completion_tokens_details: completion } = usage
  return {
    ...usage,
    prompt_tokens: sum(usage.prompt_tokens, before.inputTokens),
    completion_tokens: sum(usage.completion_tokens, before.outputTokens),
    total_tokens: sum(usage.total_tokens, before.totalTokens),
    ...(isRecord(prompt)
      ? { prompt_tokens_details: { ...prompt, cached_tokens: sum(prompt.cached_tokens, before.cachedInputTokens) } }
      : {}),
    ...(isRecord(completion)
      ? {
          completion_tokens_details: {
            ...completion,
            reasoning_tokens: sum(completion.reasoning_tokens, before.reasoningTokens),
          },
        }
      : {}),
  }
}

/** Takes away what an answer repeats of a text that was sent already. */
export class Echo {
  readonly #mustRepeat: boolean
  #left: string
  #repeated = ''

  /**
   * @param text what the answer begins with
   * @param mustRepeat whether an answer that begins with anything else is the wrong one; else it is not touched
   */
  constructor(text: string, mustRepeat: boolean) {
    this.#left = text
    this.#mustRepeat = mustRepeat
  }

  /** True once the answer has come to what is new. */
  get isOver(): boolean {
    return this.#left === ''
  }

  /** What is new in the next piece of the answer. @returns undefined when it is the wrong answer */
  take(piece: string): string | undefined {
    if (this.#left === '') return piece
    if (piece.startsWith(this.#left)) {
      const fresh = piece.slice(this.#left.length)
      this.#left = ''
      return fresh
    }
    if (!this.#left.startsWith(piece)) return this.#differs(piece)
    this.#left = this.#left.slice(piece.length)
    this.#repeated += piece
    return ''
  }

  /** What is new at the end of the answer. @returns undefined when it is the wrong answer */
  end(): string | undefined {
    return this.#left === '' ? '' : this.#differs('')
  }

  #differs(piece: string): string | undefined {
    if (this.#mustRepeat) return undefined
    this.#left = ''
    return this.#repeated + piece
  }
}
