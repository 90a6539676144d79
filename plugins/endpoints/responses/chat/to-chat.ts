import { defined, isRecord } from '#kit'
import { type AdapterContext, type Bridge, type ResponseFormat, readOwnResponseId } from '#kit/provider'
import { messagesOf } from './history.ts'
import { type Lose, refused } from './parts.ts'
import { toolChoiceOf, toolsOf } from './tools.ts'

type Fields = Readonly<Record<string, unknown>>

/** Parameters that have a form of their own in a chat, are the answer's alone, or mean the gateway. */
const TOLD: ReadonlySet<string> = new Set([
  'background',
  'conversation',
  'include',
  'input',
  'instructions',
  'max_output_tokens',
  // The response has them; with a chat they would be kept by the provider, which only takes them with `store`.
  'metadata',
  'model',
  'previous_response_id',
  'prompt',
  'reasoning',
  // Weir keeps it itself.
  'store',
  'stream_options',
  'text',
  'tool_choice',
  'tools',
  'top_logprobs',
  'truncation',
])

/** What a chat has no place for; and the value that asks for nothing. */
const NO_PLACE: ReadonlyMap<string, (value: unknown) => boolean> = new Map<string, (value: unknown) => boolean>([
  ['access_programs', () => false],
  ['context_management', (value) => Array.isArray(value) && value.length === 0],
  ['image', () => false],
  ['max_tool_calls', () => false],
])

/**
 * A request for a response as one for a chat.
 * @throws InvalidRequest naming what only a provider with responses of its own can do
 */
export const toChat = (params: Fields, context: AdapterContext): ReturnType<Bridge['request']> => {
  const dropped = new Set<string>()
  const lose: Lose = (part) => {
    dropped.add(part)
  }
  refuseNativeOnly(params)
  const { tools, names } = toolsOf(params.tools, lose)
  const chosen = toolChoiceOf(params.tool_choice, names, lose)
  const rest: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(params)) {
    if (value === null || TOLD.has(name)) continue
    const isNothing = NO_PLACE.get(name)
    if (isNothing === undefined) rest[name] = value
    else if (!isNothing(value)) lose(name)
  }
  if (tools.length === 0) delete rest.parallel_tool_calls
  if (params.truncation === 'auto') lose('truncation')
  const request = defined({
    ...rest,
    model: params.model,
    messages: messagesOf(params, context.provider, lose),
    max_completion_tokens: params.max_output_tokens ?? undefined,
    tools: tools.length === 0 ? undefined : tools,
    tool_choice: chosen,
    ...textFields(params.text),
    ...reasoningFields(params.reasoning, lose),
    ...logprobFields(params),
  })
  return { request, dropped: [...dropped] }
}

/** What a chat cannot do at all: left out it would change what the call means. */
const refuseNativeOnly = (params: Fields): void => {
  const { background, conversation, prompt, previous_response_id: previous, model } = params
  if (background === true) throw nativeOnly('background')
  if (!isAbsent(conversation)) throw nativeOnly('conversation')
  if (!isAbsent(prompt)) throw nativeOnly('prompt')
  if (!isAbsent(previous) && readOwnResponseId(previous) === undefined) {
    throw refused('previous_response_id', 'is of another provider, or of none: this one does not know it')
  }
  if (isAbsent(model)) throw refused('model', 'is required')
}

const nativeOnly = (name: string) => refused(name, 'is only known to providers with responses of their own')

const textFields = (text: unknown): Fields => {
  if (!isRecord(text)) return {}
  const { format, verbosity } = text
  return defined({
    response_format: isRecord(format) ? responseFormat(format) : undefined,
    verbosity: typeof verbosity === 'string' ? verbosity : undefined,
  })
}

const responseFormat = ({ type, name, schema, description, strict }: Fields): ResponseFormat | undefined => {
  if (type === 'json_object') return { type }
  if (type !== 'json_schema') return undefined
  return {
    type,
    json_schema: {
      name: typeof name === 'string' ? name : 'response',
      ...(isRecord(schema) ? { schema } : {}),
      ...(typeof description === 'string' ? { description } : {}),
      ...(typeof strict === 'boolean' ? { strict } : {}),
    },
  }
}

/** What the provider shows of its reasoning is the summary, whichever one was asked for. */
const reasoningFields = (reasoning: unknown, lose: Lose): Fields => {
  if (!isRecord(reasoning)) return {}
  const { effort, context, mode } = reasoning
  if (!isAbsent(context) && context !== 'auto') lose('reasoning.context')
  if (!isAbsent(mode) && mode !== 'standard') lose('reasoning.mode')
  return typeof effort === 'string' ? { reasoning_effort: effort } : {}
}

const logprobFields = ({ include, top_logprobs: top }: Fields): Fields => {
  const isAsked = Array.isArray(include) && include.includes('message.output_text.logprobs')
  const count = typeof top === 'number' && top > 0 ? top : undefined
  return isAsked || count !== undefined ? defined({ logprobs: true, top_logprobs: count }) : {}
}

const isAbsent = (value: unknown): boolean => value === null || value === undefined
