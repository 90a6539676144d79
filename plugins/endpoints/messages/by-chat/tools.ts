import type { FunctionTool, ToolChoice } from '#kit/provider'
import { cacheMark, type Fields, isGiven, listAt, type Report, recordAt, refuse, stringAt } from './values.ts'

/** What a tool of the client may be called besides nothing at all. */
const CUSTOM = 'custom'

const isCustom = ({ type }: Fields): boolean => !isGiven(type) || type === CUSTOM

/** Fields that a function of a chat has a place for. */
const KNOWN: ReadonlySet<string> = new Set(['type', 'name', 'description', 'input_schema', 'strict', 'cache_control'])

/**
 * Tools of the client as functions. Those that Anthropic runs itself, or has trained its models on without a schema, exist
 * nowhere else: they are left out and named by their type (`tools[].web_search_20250305`).
 */
export const toFunctions = (value: unknown, report: Report): readonly FunctionTool[] =>
  listAt(value, 'tools').flatMap((item, index) => {
    const path = `tools[${index}]`
    const tool = recordAt(item, path)
    if (!isCustom(tool)) {
      report(`tools[].${stringAt(tool.type, `${path}.type`)}`)
      return []
    }
    for (const name of Object.keys(tool)) if (!KNOWN.has(name) && isGiven(tool[name])) report(`tools[].${name}`)
    return [toFunction(tool, path)]
  })

const toFunction = (tool: Fields, path: string): FunctionTool => ({
  type: 'function',
  function: {
    name: stringAt(tool.name, `${path}.name`),
    ...(isGiven(tool.description) ? { description: stringAt(tool.description, `${path}.description`) } : {}),
    parameters: recordAt(tool.input_schema, `${path}.input_schema`),
    ...(tool.strict === true ? { strict: true } : {}),
  },
  ...cacheMark(tool),
})

/**
 * `tool_choice` and `disable_parallel_tool_use` as the two fields that they are in a chat.
 * A choice without a tool that is left means nothing, and hosts refuse it.
 */
export const toToolChoice = (value: unknown, tools: unknown, report: Report): Fields => {
  const { type, name, disable_parallel_tool_use: serial } = recordAt(value, 'tool_choice')
  const left = (Array.isArray(tools) ? tools : []).map((tool: Fields) => tool).filter(isCustom)
  const choice = choiceOf(type, name)
  const isMissing = type === 'tool' && !left.some((tool) => tool.name === name)
  if (left.length === 0 || isMissing) {
    // Without any tool it is just what happens.
    if (type === 'any' || type === 'tool') report('tool_choice')
    return {}
  }
  return { tool_choice: choice, ...(serial === true ? { parallel_tool_calls: false } : {}) }
}

const choiceOf = (type: unknown, name: unknown): ToolChoice => {
  switch (type) {
    case 'auto':
    case 'none':
      return type
    case 'any':
      return 'required'
    case 'tool':
      return { type: 'function', function: { name: stringAt(name, 'tool_choice.name') } }
    default:
      return refuse('tool_choice.type', 'must be auto, any, tool or none')
  }
}
