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

/** The signature of a thinking block: what the provider needs to have it back. */
export const signatureOf = (by: string, shown: Shown, thinking: string, rest: Fields | undefined): string => {
  const sealed: SealedThinking = {
    by,
    ...(shown === 'omitted' ? { text: thinking } : {}),
    ...(rest === undefined ? {} : { rest }),
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
