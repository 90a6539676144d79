import { estimateInputTokens } from '#calls/estimate-tokens'
import { isRecord } from '#kit'
import type { CachedRequest } from './cached-request.ts'
import { fingerprint } from './canonical.ts'

/** Bounds of requests that are looked at (behaviour reference, section 6). */
const MAX_MESSAGES = 4
const MAX_INPUT_TOKENS = 8_191

/** What is compared by its meaning, and all that has to be equal. */
export interface Comparable {
  readonly scope: string
  /** Words of the last user message. */
  readonly text: string
}

/** Stands where the text is taken out, which no message can say: in JSON it is not a string. */
const TEXT = { text: true }

/**
 * Only the text of the last user message is compared by its meaning, and a first system message is not looked at; other
 * messages, pictures and parameters must be equal, tenant and target always.
 * @param reads fields that the model reads
 * @returns undefined for a request that is too long, or has no words of a user
 */
export const comparable = ({ place, params }: CachedRequest, reads: readonly string[]): Comparable | undefined => {
  const { messages, ...others } = params
  if (!Array.isArray(messages) || messages.length > MAX_MESSAGES) return undefined
  if (estimateInputTokens(params, reads) > MAX_INPUT_TOKENS) return undefined
  const rest: unknown[] = isSystem(messages[0]) ? messages.slice(1) : messages
  const last = rest.findLastIndex((message) => isRecord(message) && message.role === 'user')
  const asked = rest[last]
  if (!isRecord(asked)) return undefined
  const { text, remains } = split(asked.content)
  if (text.trim() === '') return undefined
  const context = rest.with(last, { ...asked, content: remains })
  return { text, scope: fingerprint(['semantic', place, others, context]) }
}

const isSystem = (message: unknown): boolean =>
  isRecord(message) && (message.role === 'system' || message.role === 'developer')

const split = (content: unknown): { readonly text: string; readonly remains: unknown } => {
  if (typeof content === 'string') return { text: content, remains: [TEXT] }
  if (!Array.isArray(content)) return { text: '', remains: content }
  const texts: string[] = []
  const remains = content.map((part: unknown) => {
    if (!isRecord(part) || typeof part.text !== 'string') return part
    const { text, ...rest } = part
    texts.push(text as string)
    return { ...rest, text: TEXT }
  })
  return { text: texts.join('\n'), remains }
}
