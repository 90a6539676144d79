import type { TextPlace } from '#core/guardrails'
import { isRecord } from '#kit'
import { addWords, isResult, type Path, type Role } from './words.ts'

/** Items that only describe tools, or stand for something that is kept elsewhere. */
const NO_WORDS: ReadonlySet<unknown> = new Set(['item_reference', 'mcp_list_tools'])

/** Adds the texts of an item of the input or the output. */
export const addItem = (places: TextPlace[], item: unknown, path: Path, role: Role): void => {
  if (isRecord(item) && !NO_WORDS.has(item.type)) addWords(places, item, path, { role, kind: 'text' })
}

/** Adds the texts of all items of a response. */
export const addOutput = (places: TextPlace[], output: unknown, path: Path): void => {
  if (!Array.isArray(output)) return
  for (let index = 0; index < output.length; index++) addItem(places, output[index], [...path, index], 'assistant')
}

/** A message has its role; any other item is the model's, unless it says what a tool gave. */
export const roleOfItem = (item: unknown): Role => {
  if (!isRecord(item)) return 'user'
  const { role, type } = item
  if (role === 'user' || role === 'assistant') return role
  if (role === 'system' || role === 'developer') return 'system'
  if (isResult(item)) return 'tool'
  return typeof type === 'string' && type !== 'message' ? 'assistant' : 'user'
}
