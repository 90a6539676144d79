import { isRecord } from '#kit'
import { type Block, type Fields, listAt, recordAt, stringAt } from './values.ts'

/** Fields that other providers' blocks have: Google's carry their signature there. */
const isForeign = ({ extra_content: extra }: Fields): boolean => isRecord(extra)

export const isThinkingBlock = ({ type }: Fields): boolean => type === 'thinking' || type === 'redacted_thinking'

/** Thinking that this provider sealed: any other is refused ("Invalid `signature` in `thinking` block", ding113/claude-code-hub #518, read 2026-11-22). */
export const isSealed = ({ type, signature, data }: Fields): boolean =>
  (type === 'thinking' && typeof signature === 'string' && signature !== '') ||
  (type === 'redacted_thinking' && typeof data === 'string')

/**
 * Blocks of an earlier answer, sent back as they came: a changed thinking block is refused ("Thinking"). Of another provider's
 * answer only its text is left: thinking without this provider's seal and pictures have no place in a turn of the assistant.
 * @throws InvalidRequest naming the block that is none.
 */
export const ownBlocks = (value: unknown, path: string): readonly Block[] => {
  if (value === undefined || value === null) return []
  return listAt(value, path).flatMap((item, index): readonly Block[] => {
    const block = recordAt(item, `${path}[${index}]`)
    const type = stringAt(block.type, `${path}[${index}].type`)
    if (isThinkingBlock(block)) return isSealed(block) && !isForeign(block) ? [{ ...block, type }] : []
    if (type === 'image') return []
    if (type !== 'text') return [{ ...block, type }]
    const { extra_content: _, ...text } = block
    return typeof block.text === 'string' && /\S/.test(block.text) ? [{ ...text, type }] : []
  })
}
