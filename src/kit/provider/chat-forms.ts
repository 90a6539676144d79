import { isRecord } from '../../core/json/record.ts'
import { InvalidRequest } from '../../errors/gateway-error.ts'
import type { ChatRequest, FunctionTool, Message, ToolCall } from './openai.ts'

/**
 * A chat request in the forms that adapters of another wire format read: the older `functions`, `function_call` and role
 * `function` as tools, and `tool_choice: allowed_tools` as the tools that it leaves. Gives the request itself back where it has
 * none of them. Source: "Chat" of OpenAI's API reference, types of openai 7.55, read 2026-11-22.
 * @throws InvalidRequest naming the field that has no sense.
 */
export const plainForms = (request: ChatRequest): ChatRequest => onlyAllowedTools(withoutFunctions(request))

/** Whether the client asks in the older form, so that it expects calls in it too. */
export const asksForFunctions = ({ functions, tools }: Pick<ChatRequest, 'tools'> & { functions?: unknown }): boolean =>
  Array.isArray(functions) && functions.length > 0 && (tools ?? undefined) === undefined

const withoutFunctions = (request: ChatRequest): ChatRequest => {
  const messages = withToolMessages(request.messages)
  if (!asksForFunctions(request)) return messages === request.messages ? request : { ...request, messages }
  const { functions, function_call: choice, ...rest } = request
  return {
    ...rest,
    messages,
    tools: (functions as unknown[]).map(
      // Whatever is no function is refused by whoever reads it, by its name.
      (definition) => ({ type: 'function', function: definition }) as FunctionTool,
    ),
    ...(choice === undefined || choice === null ? {} : { tool_choice: toolChoiceOf(choice) }),
    // The older form has room for one call.
    parallel_tool_calls: false,
  }
}

const toolChoiceOf = (choice: unknown): NonNullable<ChatRequest['tool_choice']> => {
  if (choice === 'auto' || choice === 'none') return choice
  if (!isRecord(choice) || typeof choice.name !== 'string') {
    throw invalid('function_call', 'must be `auto`, `none`, or an object with the `name` of a function')
  }
  return { type: 'function', function: { name: choice.name } }
}

/**
 * Calls and results of the older form as those of tools. They have no ids, and are told apart by where they stand. Gives the
 * same list back where there are none.
 * @throws InvalidRequest naming the message that answers no call.
 */
export const withToolMessages = (messages: readonly Message[]): readonly Message[] => {
  if (
    !messages.some((message) => message?.role === 'function' || (message?.function_call ?? undefined) !== undefined)
  ) {
    return messages
  }
  let open: { readonly id: string; readonly name: unknown } | undefined
  return messages.map((message, index): Message => {
    const at = `messages[${index}]`
    if (!isRecord(message)) return message
    if (message.role === 'function') {
      if (open === undefined || (message.name !== undefined && message.name !== open.name)) {
        throw invalid(at, 'is the result of a function that the message of the assistant before it does not call')
      }
      const { name: _, ...rest } = message
      const { id } = open
      open = undefined
      return { ...rest, role: 'tool', tool_call_id: id, content: message.content ?? '' }
    }
    const { function_call: call, ...rest } = message
    if (call === undefined || call === null) return message
    if (!isRecord(call)) throw invalid(`${at}.function_call`, 'must be an object')
    if ((message.tool_calls ?? undefined) !== undefined) return rest
    const { extra_content: extra, ...definition } = call
    open = { id: `call_${index}`, name: call.name }
    const toolCall = { id: open.id, type: 'function', function: definition } as unknown as ToolCall
    return { ...rest, tool_calls: [extra === undefined ? toolCall : { ...toolCall, extra_content: extra }] }
  })
}

const ALLOWED = 'tool_choice.allowed_tools'

/** `tool_choice: allowed_tools` as the tools that it leaves. @throws InvalidRequest naming the field that has no sense. */
export const onlyAllowedTools = (request: ChatRequest): ChatRequest => {
  const choice: unknown = request.tool_choice
  if (!isRecord(choice) || choice.type !== 'allowed_tools') return request
  const allowed = choice.allowed_tools
  if (!isRecord(allowed)) throw invalid(ALLOWED, 'must be an object')
  const { mode, tools: listed } = allowed
  if (mode !== 'auto' && mode !== 'required') throw invalid(`${ALLOWED}.mode`, 'must be `auto` or `required`')
  if (!Array.isArray(listed) || listed.length === 0) throw invalid(`${ALLOWED}.tools`, 'must list at least one tool')
  const names = new Set(listed.map((tool: unknown, index) => nameOf(tool, `${ALLOWED}.tools[${index}]`)))
  const tools = (Array.isArray(request.tools) ? request.tools : []).filter((tool: unknown) => {
    const name = isRecord(tool) ? namedIn(tool) : undefined
    return name !== undefined && names.has(name)
  })
  if (tools.length === 0) throw invalid(`${ALLOWED}.tools`, 'names none of the tools of this call')
  return { ...request, tools, tool_choice: mode }
}

/**
 * A `tool_choice` that names one function, for hosts that know it in words alone: that function alone, and `required`.
 * @throws InvalidRequest where it names none of the tools.
 */
export const onlyNamedTool = (request: ChatRequest): ChatRequest => {
  const choice: unknown = request.tool_choice
  if (!isRecord(choice) || choice.type !== 'function') return request
  const named = nameOf(choice, 'tool_choice.function.name')
  const tools = (Array.isArray(request.tools) ? request.tools : []).filter(
    (tool: unknown) => isRecord(tool) && namedIn(tool) === named,
  )
  if (tools.length === 0) throw invalid('tool_choice.function.name', 'names none of the tools of this call')
  return { ...request, tools, tool_choice: 'required' }
}

const nameOf = (tool: unknown, path: string): string => {
  const name = isRecord(tool) ? namedIn(tool) : undefined
  if (name === undefined) throw invalid(path, 'must name a tool')
  return name
}

/** A function, or a tool in a provider's own form. */
const namedIn = (tool: Readonly<Record<string, unknown>>): string | undefined => {
  const name = isRecord(tool.function) ? tool.function.name : (tool.name ?? tool.type)
  return typeof name === 'string' ? name : undefined
}

const invalid = (param: string, problem: string): InvalidRequest =>
  new InvalidRequest(`\`${param}\` ${problem}.`, { param })
