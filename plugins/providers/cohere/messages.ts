import { isRecord } from '#kit'
import { type ChatRequest, jsonInstruction, type Message, wordsOf } from '#kit/provider'

type Report = (part: string) => void
type Fields = Readonly<Record<string, unknown>>

/** The messages as Cohere takes them, and behind them what it cannot be asked for otherwise. */
export const toMessages = (request: ChatRequest, report: Report): readonly Fields[] => {
  const messages = request.messages.flatMap((message) => toMessage(message, report))
  const instruction = formatInstruction(request)
  return instruction === undefined ? messages : [...messages, { role: 'system', content: instruction }]
}

/** The format cannot be asked for beside documents or tools ("Limitation" of `response_format`). */
export const cannotFormat = ({ tools, documents }: ChatRequest): boolean =>
  (Array.isArray(tools) && tools.length > 0) || (Array.isArray(documents) && documents.length > 0)

const formatInstruction = (request: ChatRequest): string | undefined => {
  const format: unknown = request.response_format
  if (!isRecord(format) || !cannotFormat(request)) return undefined
  if (format.type === 'json_object') return jsonInstruction()
  if (format.type !== 'json_schema') return undefined
  return jsonInstruction(isRecord(format.json_schema) ? format.json_schema.schema : undefined)
}

const toMessage = (message: Message, report: Report): Fields | readonly Fields[] => {
  switch (message.role) {
    case 'assistant':
      return toAnswer(message)
    case 'tool':
      return { role: 'tool', tool_call_id: message.tool_call_id, content: textOf(message.content, report) }
    case 'user':
      return { role: 'user', content: toContent(message.content, report) }
    default:
      return { role: 'system', content: textOf(message.content, report) }
  }
}

/** An earlier answer, or nothing for an empty one. What was thought before a call goes back with it: the model goes on from there. */
const toAnswer = (message: Message): Fields | readonly Fields[] => {
  const { tool_calls: calls, reasoning_content: thinking } = message
  const hasCalls = Array.isArray(calls) && calls.length > 0
  const text = wordsOf(message)
  const thought = hasCalls && typeof thinking === 'string' && thinking !== '' ? [{ type: 'thinking', thinking }] : []
  if (text === '' && !hasCalls) return []
  const said = text === '' ? [] : [{ type: 'text', text }]
  return {
    role: 'assistant',
    ...(thought.length === 0 ? (text === '' && hasCalls ? {} : { content: text }) : { content: [...thought, ...said] }),
    ...(hasCalls ? { tool_calls: calls.map(toCall) } : {}),
  }
}

const toCall = (call: unknown): unknown => {
  if (!isRecord(call) || !isRecord(call.function)) return call
  const { name, arguments: written } = call.function
  return { id: call.id, type: 'function', function: { name, arguments: written === '' ? '{}' : written } }
}

/** One text as it is; parts where there are images. */
const toContent = (content: unknown, report: Report): unknown => {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : ''
  const parts = content.flatMap((part: unknown): readonly Fields[] => {
    if (isRecord(part) && part.type === 'text') return [{ type: 'text', text: part.text }]
    if (isRecord(part) && part.type === 'image_url') {
      const image = part.image_url
      return [{ type: 'image_url', image_url: typeof image === 'string' ? { url: image } : image }]
    }
    report(`messages[].content[].${isRecord(part) && typeof part.type === 'string' ? part.type : 'type'}`)
    return []
  })
  const [first, ...others] = parts
  if (first === undefined) return ''
  return others.length === 0 && first.type === 'text' ? first.text : parts
}

const textOf = (content: unknown, report: Report): string => {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .flatMap((part: unknown) => {
      if (isRecord(part) && typeof part.text === 'string') return [part.text]
      report('messages[].content')
      return []
    })
    .join('\n')
}
