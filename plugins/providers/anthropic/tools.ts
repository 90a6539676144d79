import type { ChatRequest } from '#kit'
import type { ModelTraits } from './models.ts'
import { type Block, cacheMark, type Fields, isAbsent, isRecord, listAt, recordAt, refuse, stringAt } from './values.ts'

type Tool = Fields

/** `tools`: functions are translated; tools in Anthropic's own form (web search, code execution) stay as they are. */
export const toolsOf = (value: unknown, traits: ModelTraits): readonly Tool[] =>
  listAt(value, 'tools').map((tool, index) => toolOf(recordAt(tool, `tools[${index}]`), `tools[${index}]`, traits))

const toolOf = (tool: Fields, path: string, traits: ModelTraits): Tool => {
  if (tool.type !== 'function') {
    const isNative = typeof tool.type === 'string' ? !Object.hasOwn(tool, tool.type) : isRecord(tool.input_schema)
    return isNative ? tool : refuse(`${path}.type`, 'must be `function` or a tool of Anthropic.')
  }
  const source = recordAt(tool.function, `${path}.function`)
  const { description, parameters, strict } = source
  return {
    name: stringAt(source.name, `${path}.function.name`),
    ...(isAbsent(description) ? {} : { description: stringAt(description, `${path}.function.description`) }),
    input_schema: {
      type: 'object',
      ...(isAbsent(parameters) ? { properties: {} } : recordAt(parameters, `${path}.function.parameters`)),
    },
    ...(strict === true && traits.structuredOutputs ? { strict: true } : {}),
    ...cacheMark(source),
    ...cacheMark(tool),
  }
}

/**
 * `tool_choice` and `parallel_tool_calls` as the one field they are at Anthropic.
 * Nothing when both are at their default, when there are no tools, or when the choice cannot be expressed.
 */
export const toolChoiceOf = (request: ChatRequest, traits: ModelTraits): Block | undefined => {
  const tools: unknown = request.tools
  if (!Array.isArray(tools) || tools.length === 0) return undefined
  const choice = wantedChoice(request, traits)
  const serial: unknown = request.parallel_tool_calls
  if (serial !== false || choice?.type === 'none') return choice
  return { ...(choice ?? { type: 'auto' }), disable_parallel_tool_use: true }
}

const NAMED_CHOICES: Readonly<Record<string, Block>> = {
  auto: { type: 'auto' },
  none: { type: 'none' },
  required: { type: 'any' },
}

const NATIVE_CHOICES: readonly unknown[] = ['auto', 'any', 'tool', 'none']

const wantedChoice = (request: ChatRequest, traits: ModelTraits): Block | undefined => {
  const choice = readChoice(request.tool_choice)
  return choice !== undefined && isForced(choice) && !traits.forcedToolChoice ? undefined : choice
}

const readChoice = (value: unknown): Block | undefined => {
  if (isAbsent(value)) return undefined
  if (typeof value === 'string') {
    const choice = Object.hasOwn(NAMED_CHOICES, value) ? NAMED_CHOICES[value] : undefined
    return choice ?? refuse('tool_choice', 'must be auto, none, required or an object.')
  }
  const choice = recordAt(value, 'tool_choice')
  const type = stringAt(choice.type, 'tool_choice.type')
  if (type === 'function') {
    const name = stringAt(recordAt(choice.function, 'tool_choice.function').name, 'tool_choice.function.name')
    return { type: 'tool', name }
  }
  return NATIVE_CHOICES.includes(type) ? { ...choice, type } : undefined
}

const isForced = ({ type }: Block): boolean => type === 'any' || type === 'tool'

/** False when the choice of the client is lost: the model refuses a forced call, or it is a form Anthropic does not have. */
export const keepsToolChoice = (request: ChatRequest, traits: ModelTraits): boolean =>
  isAbsent(request.tool_choice) || wantedChoice(request, traits) !== undefined

/** True when the model will be made to call a tool. */
export const asksForCall = (request: ChatRequest, traits: ModelTraits): boolean => {
  const choice = wantedChoice(request, traits)
  return choice !== undefined && isForced(choice)
}
