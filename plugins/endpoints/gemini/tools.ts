import { isRecord } from '#kit'
import { camelOf, type Fields, fieldOf, recordAt, recordsAt, refuse, textAt } from './fields.ts'
import { toJsonSchema } from './schema.ts'

type Lose = (name: string) => void

/** Functions as tools of a chat. Tools that Google itself runs are lost. @throws InvalidRequest naming the field */
export const toTools = (request: Fields, lose: Lose): readonly Fields[] => {
  const tools: Fields[] = []
  for (const [index, tool] of recordsAt(request, 'tools').entries()) {
    const place = `tools[${index}].`
    for (const name of Object.keys(tool)) {
      if (camelOf(name) !== 'functionDeclarations') lose(`tools[].${camelOf(name)}`)
    }
    const declarations = recordsAt(tool, 'functionDeclarations', place)
    tools.push(...declarations.map((each, at) => toTool(each, `${place}functionDeclarations[${at}].`, lose)))
  }
  return tools
}

const KNOWN: ReadonlySet<string> = new Set(['name', 'description', 'parameters', 'parametersJsonSchema'])

const toTool = (declaration: Fields, place: string, lose: Lose): Fields => {
  const name = textAt(declaration, 'name', place)
  if (name === undefined || name === '') throw refuse(`${place}name`, 'is required')
  for (const field of Object.keys(declaration)) {
    if (!KNOWN.has(camelOf(field)) && declaration[field] !== null) {
      lose(`tools[].functionDeclarations[].${camelOf(field)}`)
    }
  }
  const description = textAt(declaration, 'description', place)
  const schema = fieldOf(declaration, 'parametersJsonSchema')
  if (schema !== undefined && !isRecord(schema)) throw refuse(`${place}parametersJsonSchema`, 'must be an object')
  const own = fieldOf(declaration, 'parameters')
  const parameters = schema ?? (own === undefined ? undefined : toJsonSchema(own, `${place}parameters`))
  return {
    type: 'function',
    function: {
      name,
      ...(description === undefined ? {} : { description }),
      ...(parameters === undefined ? {} : { parameters }),
    },
  }
}

/**
 * The choice among the functions. `VALIDATED` is `AUTO` whose calls are sure to fit, which no chat can promise otherwise. Source:
 * `FunctionCallingConfig` of @google/genai 3.1.0, read 2026-11-22.
 * @throws InvalidRequest naming the field
 */
export const toToolChoice = (request: Fields, lose: Lose): unknown => {
  const config = recordAt(request, 'toolConfig')
  if (config === undefined) return undefined
  for (const name of Object.keys(config)) {
    if (camelOf(name) !== 'functionCallingConfig') lose(`toolConfig.${camelOf(name)}`)
  }
  const calling = recordAt(config, 'functionCallingConfig', 'toolConfig.')
  if (calling === undefined) return undefined
  const place = 'toolConfig.functionCallingConfig.'
  const mode = textAt(calling, 'mode', place) ?? 'AUTO'
  if (mode === 'NONE') return 'none'
  const forced = mode === 'ANY'
  if (!forced && mode !== 'AUTO' && mode !== 'VALIDATED' && mode !== 'MODE_UNSPECIFIED') {
    throw refuse(`${place}mode`, 'must be AUTO, ANY, NONE or VALIDATED')
  }
  const names = fieldOf(calling, 'allowedFunctionNames') ?? []
  if (!Array.isArray(names) || names.some((name) => typeof name !== 'string')) {
    throw refuse(`${place}allowedFunctionNames`, 'must be an array of strings')
  }
  if (names.length === 0) return forced ? 'required' : 'auto'
  const tools = names.map((name: unknown) => ({ type: 'function', function: { name } }))
  if (forced && tools.length === 1) return tools[0]
  return { type: 'allowed_tools', allowed_tools: { mode: forced ? 'required' : 'auto', tools } }
}
