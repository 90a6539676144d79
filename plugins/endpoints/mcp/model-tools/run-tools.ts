import { parseExactly } from '#core/json/exact-numbers'
import { type Call, type Host, isRecord } from '#kit'
import { sideBySide } from '../many/side-by-side.ts'
import { askServer } from './ask-server.ts'
import type { OfferedTool } from './offers.ts'

/** What a model asked for. */
export interface ToolCall {
  readonly id: string
  readonly offered: OfferedTool
  /** JSON, as the model wrote it. */
  readonly arguments: string
}

export interface ToolResult extends ToolCall {
  /** For the model. */
  readonly text: string
  readonly isError: boolean
}

/** Tools of one turn that run at once. */
const AT_ONCE = 8

/** Runs what a model asked for; what goes wrong is told to the model, which may go on without. */
export const runTools = async (
  host: Pick<Host, 'innerCalls'>,
  call: Call,
  calls: readonly ToolCall[],
): Promise<readonly ToolResult[]> => {
  const outcomes = await sideBySide(calls, AT_ONCE, (asked) => runTool(host, call, asked))
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
}

const runTool = async (host: Pick<Host, 'innerCalls'>, call: Call, asked: ToolCall): Promise<ToolResult> => {
  const args = parsed(asked.arguments)
  if (args === undefined) return { ...asked, text: 'The arguments are no JSON object.', isError: true }
  const { target, tool } = asked.offered
  const answer = await askServer(host, call, target, { method: 'tools/call', params: { name: tool, arguments: args } })
  if ('error' in answer) return { ...asked, text: answer.error, isError: true }
  const { content, structuredContent, isError } = answer.result
  return { ...asked, text: textOf(content, structuredContent), isError: isError === true }
}

const parsed = (text: string): object | undefined => {
  if (text.trim() === '') return {}
  try {
    const value = parseExactly(text)
    return isRecord(value) && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Texts as they are; what is no text as JSON, which models read as well. */
const textOf = (content: unknown, structured: unknown): string => {
  const parts = Array.isArray(content) ? (content as readonly unknown[]) : []
  const texts = parts.map((part) =>
    isRecord(part) && part.type === 'text' && typeof part.text === 'string' ? part.text : JSON.stringify(part),
  )
  return texts.length === 0 && structured !== undefined ? JSON.stringify(structured) : texts.join('\n')
}
