import { isRecord, parseJson } from '#kit'
import { CARRIED_PREFIX, type ContentBlock } from '#kit/provider'

type Fields = Readonly<Record<string, unknown>>

/**
 * What only the provider that made it understands of its reasoning: signatures, sealed blocks, marks of tool calls. It travels
 * in `encrypted_content` of a reasoning item, which clients send back as it came, and is given to no other provider.
 */
export interface Carried {
  /** Id of the provider that made it. */
  readonly by: string
  /** Blocks of the answer in the order in which they stood. */
  readonly blocks?: readonly ContentBlock[] | undefined
  /** Marks of tool calls, by the id of the call. */
  readonly calls?: Readonly<Record<string, Fields>> | undefined
  /** `reasoning_details`, as OpenRouter names its own. */
  readonly details?: readonly unknown[] | undefined
}

export const sealCarried = (carried: Carried): string =>
  CARRIED_PREFIX + Buffer.from(JSON.stringify(carried)).toString('base64url')

/** Undefined for what no provider behind Weir made, or a client has changed. */
export const openCarried = (text: unknown): Carried | undefined => {
  if (typeof text !== 'string' || !text.startsWith(CARRIED_PREFIX)) return undefined
  const value = parsed(Buffer.from(text.slice(CARRIED_PREFIX.length), 'base64url').toString())
  if (!isRecord(value) || typeof value.by !== 'string') return undefined
  const { by, blocks, calls, details } = value
  return {
    by,
    blocks: Array.isArray(blocks) ? blocks.filter(isBlock) : undefined,
    calls: isRecord(calls) ? Object.fromEntries(Object.entries(calls).filter(isMark)) : undefined,
    details: Array.isArray(details) ? details : undefined,
  }
}

const parsed = (text: string): unknown => {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

const isBlock = (block: unknown): block is ContentBlock => isRecord(block) && typeof block.type === 'string'

const isMark = (entry: [string, unknown]): entry is [string, Record<string, unknown>] => isRecord(entry[1])
