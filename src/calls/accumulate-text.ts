import { isRecord } from '../core/json/record.ts'
import type { TextChoice, TextCompletion } from '../kit/provider/openai.ts'

type Fields = Record<string, unknown>

/** Adds up the pieces of one stream of a text completion as they come. */
export interface TextAccumulator {
  add(piece: TextCompletion): void
  /** @throws Error when there were no pieces. */
  whole(): TextCompletion
}

/**
 * Adds the pieces up to the completion that they are the pieces of, the way clients do: texts are joined, lists of log
 * probabilities appended, and of anything else the last one stays.
 */
export const createTextAccumulator = (): TextAccumulator => {
  let first: TextCompletion | undefined
  const extras: Fields = {}
  const choices = new Map<number, TextChoice>()
  return {
    add(piece) {
      first ??= piece
      for (const [name, value] of Object.entries(piece)) {
        if (name !== 'choices' && value !== null && value !== undefined) extras[name] = value
      }
      for (const choice of piece.choices) choices.set(choice.index, joined(choices.get(choice.index), choice))
    },
    whole() {
      if (first === undefined) throw new Error('a stream without pieces adds up to nothing')
      return {
        ...extras,
        id: first.id,
        object: 'text_completion',
        created: first.created,
        model: first.model,
        choices: [...choices.values()].sort((one, other) => one.index - other.index),
      }
    },
  }
}

const joined = (known: TextChoice | undefined, piece: TextChoice): TextChoice => ({
  ...known,
  ...piece,
  text: (known?.text ?? '') + piece.text,
  logprobs: appended(known?.logprobs ?? null, piece.logprobs),
  finish_reason: piece.finish_reason ?? known?.finish_reason ?? null,
})

const appended = (known: unknown, more: unknown): unknown => {
  if (more === null || more === undefined) return known
  if (!isRecord(known) || !isRecord(more)) return more
  const sum: Fields = { ...known }
  for (const [name, value] of Object.entries(more)) {
    const before = sum[name]
    sum[name] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value
  }
  return sum
}
