import { isRecord } from '#kit'
import type { ChatRequest } from '#kit/provider'
import { fits, NO_LOAD, strictSchema, withLoad } from '../anthropic/schema.ts'
import { type Fields, isAbsent, listAt, recordAt, refuse, stringAt } from '../anthropic/values.ts'
import { type Block, type ContentRules, cachePointOf } from './content.ts'
import { type BedrockModel, hasSchemas, toolChoicesOf } from './models.ts'
import { formatOf } from './output.ts'

/** `toolConfig`, and whether the client's choice of a tool is lost. */
export interface ToolConfig {
  readonly config: Fields | undefined
  readonly choiceLost: boolean
}

/**
 * `tools`, `tool_choice` and what the conversation called already, as the one field they are in Converse. There is no choice
 * `none`: the tools are left out, unless the conversation has calls in it, which are refused without ("The toolConfig field must
 * be defined when using toolUse and toolResult content blocks", langgenius/dify #17545, read 2026-11-22).
 * @throws InvalidRequest naming the tool that is none
 */
export const toolConfigOf = (request: ChatRequest, model: BedrockModel, rules: ContentRules): ToolConfig => {
  const asked = isAbsent(request.tools) ? [] : listAt(request.tools, 'tools')
  const called = calledTools(request)
  const wanted = choiceOf(request.tool_choice)
  if (called.size === 0 && (asked.length === 0 || wanted === 'none')) return { config: undefined, choiceLost: false }
  const tools = specsOf(asked, request, model, rules)
  if (tools.length === 0) for (const name of called) tools.push(bareSpec(name))
  const canHave = wanted === undefined || (isRecord(wanted) && canDemand(wanted, model))
  return {
    config: { tools, ...(canHave && wanted !== undefined ? { toolChoice: wanted } : {}) },
    choiceLost: !canHave,
  }
}

/** One that the model does not have is left out: `any` would be no substitute for a tool by its name. */
const canDemand = (choice: Fields, model: BedrockModel): boolean => {
  const can = toolChoicesOf(model)
  return 'auto' in choice || ('any' in choice && can.some) || ('tool' in choice && can.named)
}

const specsOf = (
  asked: readonly unknown[],
  request: ChatRequest,
  model: BedrockModel,
  rules: ContentRules,
): Block[] => {
  const strictOnes = hasSchemas(model)
  const format = formatOf(request.response_format, model).strict
  let load = format === undefined ? NO_LOAD : withLoad(NO_LOAD, format, 0)
  return asked.flatMap((item, index) => {
    const path = `tools[${index}]`
    const tool = recordAt(item, path)
    // Converse's own: `{toolSpec}`, `{systemTool}`, `{cachePoint}`.
    if (isAbsent(tool.type) && isRecord(tool.toolSpec ?? tool.systemTool ?? tool.cachePoint)) return [tool]
    if (tool.type !== 'function') return refuse(`${path}.type`, 'must be `function` or a tool of Converse.')
    const source = recordAt(tool.function, `${path}.function`)
    const parameters = isAbsent(source.parameters)
      ? { type: 'object', properties: {} }
      : recordAt(source.parameters, `${path}.function.parameters`)
    const strict =
      source.strict === true && strictOnes ? strictSchema(parameters, `${path}.function.parameters`) : undefined
    const isStrict = strict?.schema.type === 'object' && fits(load, strict)
    if (isStrict) {
      load = withLoad(load, strict, 1)
      for (const word of strict.moved) rules.report(`tools[].function.parameters.${word}`)
    } else if (source.strict === true) rules.report('tools[].function.strict')
    const description = isAbsent(source.description)
      ? ''
      : stringAt(source.description, `${path}.function.description`).trim()
    const toolSpec = {
      name: stringAt(source.name, `${path}.function.name`),
      ...(description === '' ? {} : { description }),
      inputSchema: { json: isStrict ? strict.schema : { type: 'object', ...parameters } },
      ...(isStrict ? { strict: true } : {}),
    }
    return [{ toolSpec }, ...cachePointOf({ ...source, ...tool }, rules)]
  })
}

/** A tool that is only there because the conversation called it. */
const bareSpec = (name: string): Block => ({
  toolSpec: { name, inputSchema: { json: { type: 'object', properties: {} } } },
})

/** Names of the tools that the conversation called. */
const calledTools = ({ messages }: ChatRequest): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const message of messages) {
    const calls: unknown = message.tool_calls
    if (message.role !== 'assistant' || !Array.isArray(calls)) continue
    for (const call of calls) {
      const name = isRecord(call) && isRecord(call.function) ? call.function.name : undefined
      if (typeof name === 'string') names.add(name)
    }
  }
  return names
}

const NAMED_CHOICES: Readonly<Record<string, Fields | 'none'>> = {
  auto: { auto: {} },
  none: 'none',
  required: { any: {} },
}

const choiceOf = (value: unknown): Fields | 'none' | undefined => {
  if (isAbsent(value)) return undefined
  if (typeof value === 'string') {
    const choice = Object.hasOwn(NAMED_CHOICES, value) ? NAMED_CHOICES[value] : undefined
    return choice ?? refuse('tool_choice', 'must be auto, none, required or an object.')
  }
  const choice = recordAt(value, 'tool_choice')
  if (choice.type === 'function') {
    const name = stringAt(recordAt(choice.function, 'tool_choice.function').name, 'tool_choice.function.name')
    return { tool: { name } }
  }
  const isOwn = isAbsent(choice.type) && isRecord(choice.auto ?? choice.any ?? choice.tool)
  // Other forms cannot be had: the model chooses, and the choice is lost.
  return isOwn ? choice : {}
}
