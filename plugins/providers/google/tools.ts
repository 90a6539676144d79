import { defined, isRecord } from '#kit'
import type { AdapterContext, ChatRequest } from '#kit/provider'
import { type Fields, refuse, textOf } from './json.ts'
import { heededSchema } from './schema.ts'

/** Names a part that is lost on the way: see `ParamRule`. */
export type Report = (part: string) => void

/** `tools` as function declarations. `parametersJsonSchema` takes JSON Schema, but does not heed all of it. */
export const toTools = (tools: unknown, _request: ChatRequest, _context: AdapterContext, report: Report): Fields => {
  if (!Array.isArray(tools)) throw refuse('tools', '`tools` must be an array.')
  if (tools.length === 0) return {}
  return {
    tools: [
      { functionDeclarations: tools.map((tool: unknown, index) => declaration(tool, `tools[${index}]`, report)) },
    ],
  }
}

const declaration = (tool: unknown, path: string, report: Report): Fields => {
  if (!isRecord(tool)) throw refuse(path, 'A tool must be an object.')
  if (tool.type !== 'function') throw refuse(`${path}.type`, 'Only tools of the type function can be sent to Gemini.')
  const definition = isRecord(tool.function) ? tool.function : {}
  const name = textOf(definition.name)
  if (name === undefined || name === '') throw refuse(`${path}.function.name`, 'A function needs a name.')
  const description = textOf(definition.description)
  const schema = definition.parameters ?? undefined
  if (schema !== undefined && !isRecord(schema)) {
    throw refuse(`${path}.function.parameters`, 'The parameters of a function must be a JSON Schema object.')
  }
  const heeded = schema === undefined ? undefined : heededSchema(schema, `${path}.function.parameters`)
  // Without strictness nothing was promised, so that nothing is lost.
  if (definition.strict === true) {
    for (const word of heeded?.moved ?? []) report(`tools[].function.parameters.${word}`)
  }
  return defined({ name, description, parametersJsonSchema: heeded?.schema })
}

const MODES: Fields = { none: 'NONE', auto: 'AUTO', required: 'ANY' }

/** `tool_choice` as the function calling mode. */
export const toToolConfig = (choice: unknown): Fields => {
  if (typeof choice === 'string' && Object.hasOwn(MODES, choice)) return config({ mode: MODES[choice] })
  const name = isRecord(choice) && isRecord(choice.function) ? textOf(choice.function.name) : undefined
  if (name === undefined) {
    throw refuse('tool_choice', '`tool_choice` must be none, auto, required or `{type: "function", function: {name}}`.')
  }
  return config({ mode: 'ANY', allowedFunctionNames: [name] })
}

const config = (functionCallingConfig: Fields): Fields => ({ toolConfig: { functionCallingConfig } })
