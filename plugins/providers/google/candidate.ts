import { isRecord, UpstreamError } from '#kit'
import type { AdapterContext, ToolCall } from '#kit/provider'
import { type Fields, textOf, unreadable, writeObject } from './json.ts'

/** What a piece of a candidate says, in the reference's form. Both replies and stream chunks are made of it. */
export type Pieces = {
  readonly content?: string
  readonly reasoning_content?: string
  readonly refusal?: string
  readonly tool_calls?: readonly (ToolCall & { readonly index: number })[]
  readonly content_blocks?: readonly ({ readonly index: number; readonly type: string } & Fields)[]
}

export interface Candidate {
  readonly index: number
  /** Reads the `content` of one more piece. @throws UpstreamInvalid when it has an unknown form. */
  read(content: unknown): Pieces
  /** Takes the prompt's block reason in place of an answer. */
  block(reason: string): Pieces
  /** Takes the finish reason. @throws UpstreamError when the word means that the model failed. */
  stop(word: string, message: string | undefined): void
  isStopped(): boolean
  /** The end of the answer: `content` is set when the model honestly said nothing. @throws UpstreamInvalid */
  finish(): { readonly finish_reason: string; readonly content?: '' }
}

/** Words that mean that a filter ended the answer (reference "FinishReason", read 2026-11-21). */
const FILTERED: ReadonlySet<string> = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MODEL_ARMOR',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
])

export const createCandidate = (index: number, context: AdapterContext): Candidate => {
  const { strict, ownFinishReason, callId } = context
  let calls = 0
  let hasText = false
  let isBlocked = false
  let hasImage = false
  /** A part was left out because the chat format has no place for it. */
  let hasUnspokenPart = false
  let word: string | undefined
  const blockIndex = createBlockCounter()
  const saidAnything = () => hasText || calls > 0 || hasImage

  const readCall = (call: Fields, signature: string | undefined) => {
    const name = textOf(call.name)
    const args = call.args ?? {}
    if (name === undefined || name === '' || !isRecord(args))
      throw unreadable('a function call has no name or arguments')
    const id = textOf(call.id)
    const position = calls++
    return {
      index: position,
      // Models before Gemini 3 give no ids.
      id: id === undefined || id === '' ? `call_${callId}_${index}_${position}` : id,
      type: 'function' as const,
      function: { name, arguments: writeObject(args) },
      // Whatever strict says: Gemini 3 refuses the next turn when it does not come back.
      ...(signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } }),
    }
  }

  const isFailure = (reason: string) => reason !== 'STOP' && reason !== 'MAX_TOKENS' && !FILTERED.has(reason)

  return {
    index,
    read: (content) => {
      const toolCalls: NonNullable<Pieces['tool_calls']>[number][] = []
      const blocks: NonNullable<Pieces['content_blocks']>[number][] = []
      let text = ''
      let thoughts = ''
      for (const part of partsOf(content)) {
        const signature = textOf(part.thoughtSignature) || undefined
        if (isRecord(part.functionCall)) {
          toolCalls.push(readCall(part.functionCall, signature))
          blockIndex.interrupt()
          continue
        }
        if (part.thought === true) thoughts += textOf(part.text) ?? ''
        else text += textOf(part.text) ?? ''
        const block = toBlock(part, signature)
        if (block === undefined) hasUnspokenPart ||= !isEmpty(part)
        else if (strict) hasUnspokenPart ||= block.type === 'image'
        else {
          hasImage ||= block.type === 'image'
          blocks.push({ index: blockIndex.next(block.type, signature !== undefined), ...block })
        }
      }
      hasText ||= text !== ''
      return {
        ...(text === '' ? {} : { content: text }),
        ...(thoughts === '' ? {} : { reasoning_content: thoughts }),
        ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
        ...(blocks.length === 0 ? {} : { content_blocks: joined(blocks) }),
      }
    },
    block: (reason) => {
      isBlocked = true
      word = reason
      return { refusal: `The provider blocked the prompt: ${reason}.` }
    },
    stop: (reason, message) => {
      word = reason
      // A broken call or an unknown end is an error, never a `stop`; where the client asked for it, the word itself tells.
      if (!isFailure(reason) || (saidAnything() && ownFinishReason === true)) return
      throw new UpstreamError(message ?? `The model ended its answer with ${reason}.`, {
        provider: 'google',
        wireCode: reason,
      })
    },
    isStopped: () => word !== undefined,
    finish: () => {
      if (word === undefined) throw unreadable('a candidate has no finish reason')
      const isFiltered = isBlocked || FILTERED.has(word)
      if (hasUnspokenPart && !saidAnything() && !isFiltered) {
        throw unreadable('it holds only parts that the chat format has no place for')
      }
      const honest = saidAnything() || isFiltered ? {} : { content: '' as const }
      if (ownFinishReason === true) return { ...honest, finish_reason: word }
      if (isFiltered) return { finish_reason: 'content_filter' }
      return { ...honest, finish_reason: word === 'MAX_TOKENS' ? 'length' : calls > 0 ? 'tool_calls' : 'stop' }
    },
  }
}

const partsOf = (content: unknown): readonly Fields[] => {
  if (content === undefined || content === null) return []
  const parts = isRecord(content) ? (content.parts ?? []) : undefined
  if (!Array.isArray(parts) || !parts.every(isRecord)) throw unreadable('the parts of a candidate have an unknown form')
  return parts
}

/** A part as a content block, its signature in it; nothing for a part that has no form there. */
const toBlock = (part: Fields, signature: string | undefined): ({ readonly type: string } & Fields) | undefined => {
  // A place of its own: `signature` is Anthropic's, and neither takes the other's.
  const signed = signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } }
  const text = textOf(part.text) ?? (signature !== undefined && isBare(part) ? '' : undefined)
  if (text !== undefined) {
    if (text === '' && signature === undefined) return undefined
    return part.thought === true ? { type: 'thinking', thinking: text, ...signed } : { type: 'text', text, ...signed }
  }
  if (part.thought === true || !isRecord(part.inlineData)) return undefined
  const { mimeType, data } = part.inlineData
  return { type: 'image', source: { type: 'base64', media_type: mimeType, data }, ...signed }
}

/** A part that is nothing but its marks: an empty text may be left out of it. */
const isBare = (part: Fields): boolean =>
  Object.keys(part).every((name) => name === 'thought' || name === 'thoughtSignature')

/** Nothing in it that a reader could miss: no text, or the text of a thought. */
const isEmpty = (part: Fields): boolean => typeof part.text === 'string' || part.thought === true || isBare(part)

/**
 * Numbers the content blocks. Text goes on in the block before it; a signed part stands alone, since a signature must go
 * back on the very part it came with (page "Thought signatures", read 2026-11-21).
 */
const createBlockCounter = () => {
  let index = -1
  let open: string | undefined
  return {
    next: (type: string, isSigned: boolean): number => {
      if (open !== type || isSigned) index++
      open = isSigned || type === 'image' ? undefined : type
      return index
    },
    /** A function call came between: what follows is another part. */
    interrupt: (): void => {
      open = undefined
    },
  }
}

/** Puts neighbours of the same block together. */
const joined = (blocks: NonNullable<Pieces['content_blocks']>): NonNullable<Pieces['content_blocks']> => {
  const whole = new Map<number, NonNullable<Pieces['content_blocks']>[number]>()
  for (const block of blocks) {
    const before = whole.get(block.index)
    const field = block.type === 'thinking' ? 'thinking' : 'text'
    const text = `${before?.[field] ?? ''}${block[field]}`
    whole.set(block.index, before === undefined ? block : { ...before, [field]: text })
  }
  return [...whole.values()]
}
