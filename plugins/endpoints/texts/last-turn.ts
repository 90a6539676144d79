import type { Role } from './words.ts'

/**
 * Index of the message that the last turn of a conversation begins with: the last one of a user, or the last results of tools,
 * with the results of tools that stand right before it. Behind it may stand the beginning of an answer, or an instruction: they
 * must not hide what was said. A conversation of nothing else is one turn.
 * @param roleOf `tool` for what says nothing but results of tools
 */
export const lastTurn = (messages: readonly unknown[], roleOf: (message: unknown) => Role): number => {
  let first = Math.max(messages.length - 1, 0)
  while (first > 0 && isBeside(roleOf(messages[first]))) first--
  while (first > 0 && roleOf(messages[first - 1]) === 'tool') first--
  return first
}

const isBeside = (role: Role): boolean => role === 'assistant' || role === 'system'
