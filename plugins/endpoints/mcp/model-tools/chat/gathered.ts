import { createAccumulator } from '#calls/accumulate'
import { isRecord } from '#kit'
import type { ChatCompletionChunk } from '#kit/provider'
import type { Fields } from '../turns.ts'

/**
 * What the chunks of one turn come to. Words go on at once; calls of tools and the end are held back, as they may be for us and not
 * for the client.
 */
export class Gathered {
  readonly #sum = createAccumulator()
  readonly #held: Fields[] = []
  #isEmpty = true

  /** @returns what the client gets now */
  take(chunk: Fields): Fields | undefined {
    const [choice] = Array.isArray(chunk.choices) ? (chunk.choices as readonly unknown[]) : []
    if (!isRecord(choice)) return undefined
    const { delta, finish_reason: finish } = choice
    if (isRecord(delta)) {
      this.#sum.add(chunk as unknown as ChatCompletionChunk)
      this.#isEmpty = false
    }
    const { usage: _, ...shown } = chunk
    const hasCalls = isRecord(delta) && Array.isArray(delta.tool_calls) && delta.tool_calls.length > 0
    if (!hasCalls && (finish === null || finish === undefined)) return shown
    this.#held.push(shown)
    return undefined
  }

  /** What was held back, for an answer that is the last one. */
  rest(): readonly Fields[] {
    return this.#held
  }

  /** The whole turn, as the next one is told of it: with thoughts too, which some providers want back. */
  message(): unknown {
    return this.#isEmpty ? undefined : this.#sum.whole().choices[0]?.message
  }
}
