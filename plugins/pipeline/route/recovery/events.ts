import { decodeFrame, isRecord, parseJson, SseFramer } from '#kit'

export type Fields = Readonly<Record<string, unknown>>

/** An event of a stream of chat chunks: a chunk, or the end marker. */
export type ChatEvent = { readonly chunk: Fields } | 'done'

/** Reads whole events out of pieces; comments and what is no chunk are passed over. */
export class ChatEvents {
  readonly #framer = new SseFramer()

  /** @throws what the parser throws for an event that is too large or no JSON */
  push(piece: Uint8Array): readonly ChatEvent[] {
    return this.#framer.push(piece).flatMap((frame) => eventsOf(decodeFrame(frame)?.data.trim() ?? ''))
  }
}

const eventsOf = (data: string): readonly ChatEvent[] => {
  if (data === '') return []
  if (data === '[DONE]') return ['done']
  const chunk: unknown = parseJson(data)
  return isRecord(chunk) ? [{ chunk }] : []
}

export const choicesOf = ({ choices }: Fields): readonly Fields[] =>
  Array.isArray(choices) ? choices.filter(isRecord) : []

export const deltaOf = ({ delta }: Fields): Fields => (isRecord(delta) ? delta : {})

/** False for null, and for what is empty. */
export const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

/** Fields of a delta that hold what the model thinks before it answers. */
const REASONING_FIELDS: ReadonlySet<string> = new Set(['reasoning_content', 'reasoning', 'reasoning_details'])

/** A delta without role and reasoning: what of it belongs to the answer itself. */
export const answerOf = (delta: Fields): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(delta).filter(([name, value]) => name !== 'role' && !REASONING_FIELDS.has(name) && isSaid(value)),
  )
