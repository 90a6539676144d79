import { parseJson } from '../core/json/json-depth.ts'
import { isRecord } from '../core/json/record.ts'
import type { ContentBlock } from '../kit/provider/openai.ts'

type Fields = Record<string, unknown>

/** Fields of a content block that come in pieces, with the type of a block that begins with one. */
const TYPE_BY_TEXT_FIELD: Readonly<Record<string, string>> = {
  text: 'text',
  thinking: 'thinking',
  signature: 'thinking',
  data: 'redacted_thinking',
}

/**
 * Adds up the pieces of content blocks: `{index, ...block}` and `{index, delta: {...}}`, in Anthropic's block form.
 * Texts, thinking and signatures are joined; `partial_json` is joined and parsed to `input`.
 */
export const createBlockList = () => {
  const blocks = new Map<number, Fields>()
  return {
    add: (piece: Readonly<Fields>): void => {
      const { index, delta, ...fields } = piece
      if (typeof index !== 'number') throw new Error('a piece of a content block has no index')
      const block = blocks.get(index) ?? {}
      blocks.set(index, block)
      addFields(block, fields)
      if (isRecord(delta)) addFields(block, delta)
    },
    /** The blocks so far, in the order of their index. */
    whole: (): ContentBlock[] =>
      [...blocks.entries()].sort(([one], [other]) => one - other).map(([, block]) => wholeBlock(block)),
  }
}

const addFields = (block: Fields, fields: Readonly<Fields>): void => {
  for (const [name, value] of Object.entries(fields)) {
    // The type of a delta (`text_delta`) says which field it carries, not what the block is.
    if (name === 'type' && typeof value === 'string' && value.endsWith('_delta')) continue
    const known = block[name]
    const comesInPieces = name in TYPE_BY_TEXT_FIELD || name === 'partial_json'
    block[name] = comesInPieces && typeof known === 'string' && typeof value === 'string' ? known + value : value
  }
}

const wholeBlock = ({ partial_json: json, ...block }: Fields): ContentBlock => {
  const type = typeof block.type === 'string' ? block.type : inferredType(block)
  return { ...block, type, ...(typeof json === 'string' && json !== '' ? { input: parseJson(json) } : {}) }
}

const inferredType = (block: Fields): string => {
  for (const [field, type] of Object.entries(TYPE_BY_TEXT_FIELD)) if (field in block) return type
  throw new Error('a content block has no type and no field that tells it')
}
