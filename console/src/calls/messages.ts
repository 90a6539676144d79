/** Messages as OpenAI's interface has them: what the playground sends, and what every record is shown as. */

export interface TextPart {
  readonly type: 'text'
  readonly text: string
}

export interface ImagePart {
  readonly type: 'image_url'
  readonly image_url: { readonly url: string }
}

export type Part = TextPart | ImagePart

export interface ToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

export const ROLES = ['system', 'developer', 'user', 'assistant', 'tool'] as const

export interface Message {
  readonly role: (typeof ROLES)[number]
  readonly content: string | readonly Part[] | null
  readonly tool_calls?: readonly ToolCall[]
  /** Which call this is the result of. */
  readonly tool_call_id?: string
}

export type Json = Readonly<Record<string, unknown>>

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)

const isRole = (value: unknown): value is Message['role'] => ROLES.some((role) => role === value)

/** The text of a message, without its images. */
export const wordsOf = ({ content }: Message): string =>
  typeof content === 'string'
    ? content
    : (content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')

export const imagesOf = ({ content }: Message): readonly string[] =>
  typeof content === 'string' || content === null
    ? []
    : content.flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : []))

/** A piece of a message in any of the forms: chat, Anthropic's messages, responses. */
const toPart = (value: unknown): Part | undefined => {
  if (!isJson(value)) return undefined
  const { type, text, image_url: image, source } = value
  if (typeof text === 'string') return { type: 'text', text }
  if (type === 'image_url' && isJson(image)) return { type: 'image_url', image_url: { url: textOf(image.url) } }
  if (type === 'input_image') return { type: 'image_url', image_url: { url: textOf(image) } }
  if (type === 'image' && isJson(source)) {
    const url = source.type === 'base64' ? `data:${source.media_type};base64,${source.data}` : textOf(source.url)
    return { type: 'image_url', image_url: { url } }
  }
  return undefined
}

const toContent = (value: unknown): string | readonly Part[] =>
  Array.isArray(value) ? value.flatMap((part) => toPart(part) ?? []) : textOf(value)

const toToolCall = (id: unknown, name: unknown, given: unknown): ToolCall => ({
  ...{ id: textOf(id), type: 'function' },
  function: { name: textOf(name), arguments: textOf(given) },
})

const callsIn = (value: unknown): readonly ToolCall[] =>
  Array.isArray(value)
    ? value.flatMap((each: unknown) =>
        isJson(each) && isJson(each.function) ? [toToolCall(each.id, each.function.name, each.function.arguments)] : [],
      )
    : []

/** Messages of one item; several where results of tools stand inside a message, as Anthropic has them. */
const toMessages = (value: unknown): readonly Message[] => {
  if (typeof value === 'string') return [{ role: 'user', content: value }]
  if (!isJson(value)) return []
  const { type, role, content, output } = value
  if (type === 'function_call') {
    return [{ role: 'assistant', content: null, tool_calls: [toToolCall(value.call_id, value.name, value.arguments)] }]
  }
  if (type === 'function_call_output') {
    return [{ role: 'tool', tool_call_id: textOf(value.call_id), content: toContent(output) }]
  }
  if (!isRole(role)) return []
  const parts: readonly unknown[] = Array.isArray(content) ? content : []
  const results = parts.flatMap((part): Message[] =>
    isJson(part) && part.type === 'tool_result'
      ? [{ role: 'tool', tool_call_id: textOf(part.tool_use_id), content: toContent(part.content) }]
      : [],
  )
  const uses = parts.flatMap((part) =>
    isJson(part) && part.type === 'tool_use' ? [toToolCall(part.id, part.name, part.input)] : [],
  )
  const calls = [...callsIn(value.tool_calls), ...uses]
  const shown = toContent(content)
  if (results.length > 0 && shown.length === 0) return results
  const message: Message = {
    ...{ role, content: shown },
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(role === 'tool' ? { tool_call_id: textOf(value.tool_call_id) } : {}),
  }
  return [...results, message]
}

/** What a request says to a model; empty for one that is no conversation. */
export const askedIn = (body: unknown): readonly Message[] => {
  if (!isJson(body)) return []
  const { messages, input, system, instructions, prompt } = body
  const first: unknown = system ?? instructions
  const items: readonly unknown[] = Array.isArray(messages)
    ? messages
    : Array.isArray(input)
      ? input
      : [input ?? prompt]
  const told: readonly Message[] = first === undefined ? [] : [{ role: 'system', content: toContent(first) }]
  return [...told, ...items.flatMap(toMessages)]
}

/** What a model answered; several where it was asked for several. */
export const answeredIn = (body: unknown): readonly Message[] => {
  if (!isJson(body)) return []
  const { choices, output, content, role } = body
  if (Array.isArray(choices)) {
    return choices.flatMap((choice: unknown): readonly Message[] => {
      if (!isJson(choice)) return []
      return typeof choice.text === 'string'
        ? [{ role: 'assistant', content: choice.text }]
        : toMessages(choice.message)
    })
  }
  if (Array.isArray(output)) return output.flatMap(toMessages)
  return role === 'assistant' ? toMessages({ role, content }) : []
}
