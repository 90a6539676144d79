import { isRecord } from '#kit'
import type { ChatRequest } from '#kit/provider'
import type { ModelTraits } from './models.ts'
import { outputFormatOf } from './output.ts'
import { fits, NO_LOAD, strictSchema, withLoad } from './schema.ts'
import { type Block, cacheMark, type Fields, isAbsent, listAt, recordAt, refuse, stringAt } from './values.ts'

type Tool = Fields

/** Names a part that is lost on the way: see `ParamRule`. */
export type Report = (part: string) => void

/**
 * `tools`: functions are translated; tools in Anthropic's own form (web search, code execution) stay as they are. A strict
 * one is so as long as the provider's grammars can express its schema beside those before it, and that of the format.
 */
export const toolsOf = (value: unknown, request: ChatRequest, traits: ModelTraits, report: Report): readonly Tool[] => {
  const format = outputFormatOf(request.response_format, traits).strict
  let load = format === undefined ? NO_LOAD : withLoad(NO_LOAD, format, 0)
  return listAt(value, 'tools').map((item, index) => {
    const path = `tools[${index}]`
    const tool = recordAt(item, path)
    if (tool.type !== 'function') {
      const isNative = typeof tool.type === 'string' ? !Object.hasOwn(tool, tool.type) : isRecord(tool.input_schema)
      return isNative ? tool : refuse(`${path}.type`, 'must be `function` or a tool of Anthropic.')
    }
    const source = recordAt(tool.function, `${path}.function`)
    const parameters = isAbsent(source.parameters)
      ? { type: 'object', properties: {} }
      : recordAt(source.parameters, `${path}.function.parameters`)
    const strict =
      source.strict === true && traits.structuredOutputs
        ? strictSchema(parameters, `${path}.function.parameters`)
        : undefined
    const isStrict = strict?.schema.type === 'object' && fits(load, strict)
    if (isStrict) {
      load = withLoad(load, strict, 1)
      for (const word of strict.moved) report(`tools[].function.parameters.${word}`)
    } else if (source.strict === true) report('tools[].function.strict')
    return {
      name: stringAt(source.name, `${path}.function.name`),
      ...(isAbsent(source.description)
        ? {}
        : { description: stringAt(source.description, `${path}.function.description`) }),
      input_schema: isStrict ? strict.schema : objectSchema(parameters, report),
      ...(isStrict ? { strict: true } : {}),
      ...cacheMark(source),
      ...cacheMark(tool),
    }
  })
}

/**
 * The schema of a tool that is not strict: any, but an object at its root. A choice there is refused ("input_schema does not
 * support oneOf, allOf, or anyOf at the top level", issue 40075 of anthropics/claude-code, read 2026-11-22), and becomes words.
 */
const objectSchema = (parameters: Fields, report: Report): Fields => {
  const { oneOf, anyOf, allOf, ...rest } = parameters
  const choices = Object.entries({ oneOf, anyOf, allOf }).filter(([, value]) => value !== undefined)
  if (choices.length === 0) return { type: 'object', ...parameters }
  for (const [word] of choices) report(`tools[].function.parameters.${word}`)
  const words = `{${choices.map(([word, value]) => `${word}: ${JSON.stringify(value)}`).join(', ')}}`
  const description = typeof rest.description === 'string' ? `${rest.description}\n\n${words}` : words
  return { type: 'object', ...rest, description }
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
