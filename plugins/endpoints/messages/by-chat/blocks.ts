import { isRecord } from '#kit'
import { type AdapterContext, type MessagesBlock, type SealedThinking, sealThinking } from '#kit/provider'
import type { Fields } from './values.ts'

/** How the client wants to see the model think. */
export type Shown = 'whole' | 'omitted' | 'never'

export const shownOf = ({ thinking }: Fields): Shown => {
  if (!isRecord(thinking)) return 'whole'
  if (thinking.type === 'disabled') return 'never'
  return thinking.display === 'omitted' ? 'omitted' : 'whole'
}

export const makerOf = ({ provider = '' }: AdapterContext): string => provider

/** What a provider needs to have back of one thought, besides its text. */
export interface Kept {
  readonly rest?: Fields | undefined
  readonly details?: readonly unknown[] | undefined
}

/** The signature of a thinking block. */
export const signatureOf = (by: string, shown: Shown, thinking: string, { rest, details = [] }: Kept): string => {
  const sealed: SealedThinking = {
    by,
    ...(shown === 'omitted' ? { text: thinking } : {}),
    ...(rest === undefined ? {} : { rest }),
    ...(details.length === 0 ? {} : { details }),
  }
  return sealThinking(sealed)
}

/** What else a block of the provider says about its thinking, besides the text. */
export const restOf = ({ type: _type, thinking: _thinking, index: _index, ...rest }: Fields): Fields | undefined =>
  Object.keys(rest).length === 0 ? undefined : rest

/** Something that the client cannot read, and only sends back. */
export const opaqueBlock = (sealed: SealedThinking): MessagesBlock => ({
  type: 'redacted_thinking',
  data: sealThinking(sealed),
})

export const textBlock = (text: string): MessagesBlock => ({ type: 'text', text, citations: null })

/** A picture that the model made: turns of the assistant have no place for one but in the text. */
export const pictureText = ({ source }: Fields): string => {
  if (!isRecord(source)) return ''
  const { media_type: type, data } = source
  return typeof type === 'string' && typeof data === 'string' ? `![image](data:${type};base64,${data})` : ''
}

/** `extra_content` of a tool call, which its maker wants back. */
export const callExtra = ({ extra_content: extra }: Fields): Fields | undefined => (isRecord(extra) ? extra : undefined)

export const toolUse = (id: string, name: string, input: Fields): MessagesBlock => ({
  type: 'tool_use',
  id,
  caller: { type: 'direct' },
  name,
  input,
})

/** What a piece of a content block says. */
interface Said {
  readonly text?: string
  readonly thought?: string
  readonly rest?: Fields | undefined
  readonly opaque?: Fields
}

/** @param piece `{index, ...block}` as it begins or comes whole, `{index, delta}` as it goes on */
export const saidBy = (piece: Fields): Said => {
  const { delta, index: _place, ...block } = piece
  if (isRecord(delta)) {
    if (delta.type === 'signature_delta') return { thought: '', rest: { signature: delta.signature } }
    return {
      ...(typeof delta.text === 'string' ? { text: delta.text } : {}),
      ...(typeof delta.thinking === 'string' ? { thought: delta.thinking } : {}),
    }
  }
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string' ? { text: block.text } : {}
    case 'thinking':
      return { thought: typeof block.thinking === 'string' ? block.thinking : '', rest: restOf(block) }
    case 'redacted_thinking':
      return { opaque: block }
    case 'image':
      return { text: pictureText(block) }
    default:
      return {}
  }
}
