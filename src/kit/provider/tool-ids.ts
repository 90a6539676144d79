import { mapChanged } from './map-changed.ts'
import type { Message } from './openai.ts'

/** Ids of tool calls that a host takes. Those of other providers become such: the same id the same in every call. */
export interface ToolIdForm {
  readonly fits: RegExp
  /** Begins the ids that are made, in front of nine letters and digits. */
  readonly prefix: string
}

/** OpenAI's: "Expected a string with maximum length 40" (400, agno-agi/agno #5382, read 2026-11-22). */
export const OPENAI_TOOL_IDS: ToolIdForm = { fits: /^.{1,40}$/s, prefix: 'call_' }

/** Messages whose tool calls and results have ids that fit. Gives the same list back where all do. */
export const withToolIds = (messages: readonly Message[], form: ToolIdForm): readonly Message[] => {
  const ids = messages.flatMap(idsOf)
  if (ids.every((id) => form.fits.test(id))) return messages
  const mapped = new ToolIds(ids, form)
  return mapChanged(messages, (message) => {
    if (typeof message !== 'object' || message === null) return message
    if (message.role === 'tool') return withResultId(message, mapped)
    return message.role === 'assistant' ? withCallIds(message, mapped) : message
  })
}

const idsOf = (message: Message | null): readonly string[] => [
  ...(Array.isArray(message?.tool_calls) ? message.tool_calls : []).flatMap((call: { id?: unknown } | null) =>
    typeof call?.id === 'string' ? [call.id] : [],
  ),
  ...(typeof message?.tool_call_id === 'string' ? [message.tool_call_id] : []),
]

const withResultId = (message: Message, ids: ToolIds): Message => {
  const { tool_call_id: id } = message
  if (typeof id !== 'string') return message
  const short = ids.of(id)
  return short === id ? message : { ...message, tool_call_id: short }
}

const withCallIds = (message: Message, ids: ToolIds): Message => {
  const { tool_calls: calls } = message
  if (!Array.isArray(calls)) return message
  const adapted = mapChanged(calls as NonNullable<Message['tool_calls']>, (call) => {
    if (typeof call?.id !== 'string') return call
    const short = ids.of(call.id)
    return short === call.id ? call : { ...call, id: short }
  })
  return adapted === calls ? message : { ...message, tool_calls: adapted }
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const LENGTH = 9

/** Nine letters and digits for a text; the round tells apart two texts that became the same. */
export const shortId = (text: string, round = 0): string => {
  // Two halves of FNV-1a, each with a start of its own, give 64 bits; nine digits hold 53 of them.
  let low = (0x811c9dc5 ^ round) >>> 0
  let high = (0x9747b28c + round) >>> 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    low = Math.imul(low ^ unit, 0x01000193) >>> 0
    high = Math.imul(high ^ unit ^ (low >>> 13), 0x85ebca6b) >>> 0
  }
  let rest = (BigInt(high) << 32n) | BigInt(low)
  let id = ''
  while (id.length < LENGTH) {
    id += DIGITS[Number(rest % 62n)]
    rest /= 62n
  }
  return id
}

/** Maps the ids of one conversation: those that fit stay, others become short, and no two become the same. */
export class ToolIds {
  readonly #form: ToolIdForm
  readonly #short = new Map<string, string>()
  readonly #taken: Set<string>

  /** @param ids all ids of the conversation, so that none that fits is taken by another. */
  constructor(ids: Iterable<string>, form: ToolIdForm) {
    this.#form = form
    this.#taken = new Set([...ids].filter((id) => form.fits.test(id)))
  }

  of(id: string): string {
    const { fits, prefix } = this.#form
    if (fits.test(id)) return id
    const known = this.#short.get(id)
    if (known !== undefined) return known
    let round = 0
    let short = `${prefix}${shortId(id)}`
    while (this.#taken.has(short)) short = `${prefix}${shortId(id, ++round)}`
    this.#taken.add(short)
    this.#short.set(id, short)
    return short
  }
}
