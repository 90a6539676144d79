import { parseJson } from '../../core/json/json-depth.ts'
import { isRecord } from '../../core/json/record.ts'
import type { MessagesBlock, MessagesRequest, MessagesTurn } from './anthropic.ts'
import type { ParamMap } from './params.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * What a provider that is not Anthropic needs back of its reasoning, on its way through a client of Anthropic's form. Such clients
 * send `signature` of a `thinking` block and `data` of a `redacted_thinking` block back as they came ("Thinking", preserving
 * thinking blocks, read 2026-11-22), so it stands there. It names its maker, as nobody else can read it.
 */
export interface SealedThinking {
  /** Id of the provider that thought. */
  readonly by: string
  /** The text, where the client did not want to see it. */
  readonly text?: string
  /** Fields of the thinking block besides its text: a signature of the provider's own. */
  readonly rest?: Fields
  /** A whole block that no reader could read. */
  readonly block?: Fields
  /** Its `reasoning_details`, as OpenRouter and its kin name them, in the order in which they came. */
  readonly details?: readonly unknown[]
  /** `extra_content` of the tool call that comes next. */
  readonly call?: Fields
}

/** Nothing that Anthropic makes begins like this: its signatures are Base64, which has no dot. */
const MARK = 'weir.1.'

export const sealThinking = (sealed: SealedThinking): string =>
  MARK + Buffer.from(JSON.stringify(sealed)).toString('base64url')

/** Undefined for what was not sealed here. */
export const unsealThinking = (value: unknown): SealedThinking | undefined => {
  if (typeof value !== 'string' || !value.startsWith(MARK)) return undefined
  try {
    const sealed = parseJson(Buffer.from(value.slice(MARK.length), 'base64url').toString())
    return isWellFormed(sealed) ? sealed : undefined
  } catch {
    // A client cut it short.
    return undefined
  }
}

/** It has been out of the house. */
const isWellFormed = (sealed: unknown): sealed is SealedThinking & Fields => {
  if (!isRecord(sealed) || typeof sealed.by !== 'string') return false
  const { text, rest, block, details, call } = sealed
  return (
    (text === undefined || typeof text === 'string') &&
    (details === undefined || Array.isArray(details)) &&
    [rest, block, call].every((fields) => fields === undefined || isRecord(fields))
  )
}

/** Thinking of another maker, which Anthropic would refuse: its signatures are checked. */
const isSealed = (block: unknown): boolean => {
  const { type, signature, data } = isRecord(block) ? block : {}
  const seal = type === 'thinking' ? signature : type === 'redacted_thinking' ? data : undefined
  return typeof seal === 'string' && seal.startsWith(MARK)
}

const hasSealed = (turn: unknown): boolean =>
  isRecord(turn) && turn.role === 'assistant' && Array.isArray(turn.content) && turn.content.some(isSealed)

const withoutSealed = (turn: MessagesTurn): MessagesTurn[] => {
  if (!hasSealed(turn)) return [turn]
  const content = (turn.content as readonly MessagesBlock[]).filter((block) => !isSealed(block))
  return content.length === 0 ? [] : [{ ...turn, content }]
}

/**
 * Rules of a provider that speaks Anthropic's form itself: all passes as it came, but for thinking of other makers in a
 * conversation that they had a part in.
 */
export const messagesParams: ParamMap<MessagesRequest> = {
  messages: (messages, _request, _context, report) => {
    if (!messages.some(hasSealed)) return { messages }
    report('messages[].content[].thinking')
    return { messages: messages.flatMap(withoutSealed) }
  },
}
