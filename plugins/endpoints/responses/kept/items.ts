import { isRecord } from '#kit'
import { ownItemId } from '#kit/provider'

type Fields = Readonly<Record<string, unknown>>

/** Beginnings of ids by type of item; others begin with `item`. */
const KINDS: Readonly<Record<string, string>> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  function_call_output: 'fco',
  custom_tool_call: 'ctc',
  custom_tool_call_output: 'ctco',
}

/** The items of an input, each with an id and in the form in which a list shows them. */
export const keptItems = (input: unknown, responseId: string): readonly Fields[] =>
  listOf(input).map((item, index) => {
    const shown = isMessage(item) ? wholeMessage(item) : item
    if (typeof shown.id === 'string' && shown.id !== '') return shown
    const kind = (typeof shown.type === 'string' ? KINDS[shown.type] : undefined) ?? 'item'
    return { id: ownItemId(kind, responseId, index, true), ...shown }
  })

/** A text is what the user says. */
export const listOf = (input: unknown): readonly Fields[] => {
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }]
  return Array.isArray(input) ? input.filter(isRecord) : []
}

const isMessage = ({ type, role }: Fields): boolean => type === 'message' || (type === undefined && role !== undefined)

const wholeMessage = ({ content, ...message }: Fields): Fields => {
  const type = message.role === 'assistant' ? 'output_text' : 'input_text'
  const parts = typeof content === 'string' ? [{ type, text: content }] : content
  return { status: 'completed', ...message, type: 'message', content: parts }
}
