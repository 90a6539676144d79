import { InvalidRequest, isRecord } from '#kit'
import type { ChatRequest, ParamMap } from '#kit/provider'
import { cannotFormat, toMessages } from './messages.ts'

/** Tokens of thinking for `reasoning_effort`: as for Claude, which has no levels either. */
const BUDGETS: Readonly<Record<string, number>> = {
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 16_384,
  xhigh: 32_768,
  max: 32_768,
}

const isNamed = (choice: unknown): choice is { readonly function: { readonly name: string } } =>
  isRecord(choice) && isRecord(choice.function) && typeof choice.function.name === 'string'

/** The tools, or the one that is to be called: Cohere can be told to call one of them, and not which. */
const toTools = (request: ChatRequest, report: (part: string) => void): readonly unknown[] => {
  const { tools, tool_choice: choice } = request
  const wanted = isNamed(choice) ? choice.function.name : undefined
  const listed: readonly unknown[] = Array.isArray(tools) ? tools : []
  return listed.flatMap((tool) => {
    if (!isRecord(tool) || !isRecord(tool.function)) {
      report('tools[]')
      return []
    }
    const { name, description, parameters } = tool.function
    if (wanted !== undefined && name !== wanted) return []
    const definition = { name, description, parameters: parameters ?? { type: 'object', properties: {} } }
    return [{ type: 'function', function: definition }]
  })
}

const isStrict = (tool: unknown): boolean => isRecord(tool) && isRecord(tool.function) && tool.function.strict === true

/** A thinking budget in the words of the interface, or Cohere's own. */
const toThinking = (value: unknown): Readonly<Record<string, unknown>> | undefined => {
  if (!isRecord(value)) return undefined
  const budget = value.token_budget ?? value.budget_tokens
  return { thinking: { type: value.type, ...(budget === undefined ? {} : { token_budget: budget }) } }
}

export const chatParams: ParamMap<ChatRequest> = {
  model: true,
  messages: (_messages, request, _context, report) => ({ messages: toMessages(request, report) }),
  stream: true,
  stream_options: () => ({}),
  max_tokens: (value, { max_completion_tokens: newer }) => (newer == null ? { max_tokens: value } : {}),
  max_completion_tokens: 'max_tokens',
  temperature: true,
  top_p: { clamp: [0.01, 0.99], as: 'p' },
  top_k: 'k',
  seed: true,
  stop: (stop) => ({ stop_sequences: typeof stop === 'string' ? [stop] : stop }),
  frequency_penalty: { clamp: [0, 1] },
  presence_penalty: { clamp: [0, 1] },
  // What happens anyway.
  n: (count) => (count === 1 ? {} : undefined),
  parallel_tool_calls: (isAllowed) => (isAllowed ? {} : undefined),
  logprobs: (isWanted) => (isWanted ? undefined : {}),
  store: (isStored) => (isStored === false ? {} : undefined),
  tools: (tools, request, _context, report) => {
    const made = toTools(request, report)
    if (made.length === 0) return {}
    return { tools: made, ...(Array.isArray(tools) && tools.some(isStrict) ? { strict_tools: true } : {}) }
  },
  tool_choice: (choice, { tools }) => {
    if (choice === 'auto') return {}
    if (choice === 'none') return { tool_choice: 'NONE' }
    if (choice === 'required') return { tool_choice: 'REQUIRED' }
    if (!isNamed(choice)) return undefined
    const { name } = choice.function
    const isThere =
      Array.isArray(tools) &&
      tools.some((tool: unknown) => isRecord(tool) && isRecord(tool.function) && tool.function.name === name)
    if (isThere) return { tool_choice: 'REQUIRED' }
    throw new InvalidRequest(`\`tool_choice\` names no tool of this call.`, { param: 'tool_choice' })
  },
  response_format: (format: unknown, request) => {
    if (!isRecord(format) || format.type === 'text') return {}
    // It is an instruction then: see messages.ts.
    if (cannotFormat(request)) return undefined
    if (format.type === 'json_object') return { response_format: { type: 'json_object' } }
    const schema = isRecord(format.json_schema) ? format.json_schema.schema : undefined
    return { response_format: { type: 'json_object', ...(isRecord(schema) ? { json_schema: schema } : {}) } }
  },
  reasoning_effort: (effort, { thinking }) => {
    if (isRecord(thinking)) return {}
    if (effort === 'none') return { thinking: { type: 'disabled' } }
    const budget = Object.hasOwn(BUDGETS, effort) ? BUDGETS[effort] : undefined
    return budget === undefined ? undefined : { thinking: { type: 'enabled', token_budget: budget } }
  },
  thinking: (value: unknown) => toThinking(value),
  documents: true,
  citation_options: true,
  safety_mode: true,
  strict_tools: true,
  priority: true,
}
