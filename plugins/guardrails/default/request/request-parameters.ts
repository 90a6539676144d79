import { type CheckInput, defineCheck, InvalidParameters, isRecord, type PreparedCheck, t } from '#kit'
import { shown } from '../shared/parameters.ts'

const NAMES = t.Optional(t.Array(t.String({ minLength: 1 })))
const VALUES = t.Optional(t.Array(t.Union([t.String(), t.Number(), t.Boolean()])))

type Value = string | number | boolean

interface Rule<Item> {
  readonly what: string
  readonly allowed: ReadonlySet<Item> | undefined
  readonly blocked: ReadonlySet<Item>
}

/** An empty list says nothing. @throws InvalidParameters for what is both allowed and blocked */
const ruleOf = <Item>(
  what: string,
  allowed: readonly Item[] = [],
  blocked: readonly Item[] = [],
  path: string,
): Rule<Item> => {
  const both = allowed.find((item) => blocked.includes(item))
  if (both !== undefined) throw new InvalidParameters([{ path, message: `'${both}' is allowed too` }])
  return { what, allowed: allowed.length === 0 ? undefined : new Set(allowed), blocked: new Set(blocked) }
}

/** What is wrong with an item, for people. */
const faultOf = <Item>({ what, allowed, blocked }: Rule<Item>, item: Item): readonly string[] => {
  if (blocked.has(item)) return [`${what} '${item}' is blocked`]
  return allowed === undefined || allowed.has(item) ? [] : [`${what} '${item}' is not allowed`]
}

/** Looks at the fields of the body that goes to the provider. */
export const requestParametersCheck = defineCheck({
  id: 'default.requestParametersCheck',
  summary: 'Passes when tools, parameters and their values are allowed, and none is blocked.',
  parameters: t.Object({
    tools: t.Optional(
      t.Object({
        allowedTypes: NAMES,
        blockedTypes: NAMES,
        allowedFunctionNames: NAMES,
        blockedFunctionNames: NAMES,
      }),
    ),
    params: t.Optional(
      t.Object({
        allowedKeys: NAMES,
        blockedKeys: NAMES,
        values: t.Optional(t.Record(t.String(), t.Object({ allowedValues: VALUES, blockedValues: VALUES }))),
      }),
    ),
  }),
  stages: ['input'],
  reads: 'request',
  prepare({ tools = {}, params = {} }): PreparedCheck {
    const types = ruleOf('tool type', tools.allowedTypes, tools.blockedTypes, 'tools.blockedTypes')
    const names = ruleOf(
      'function',
      tools.allowedFunctionNames,
      tools.blockedFunctionNames,
      'tools.blockedFunctionNames',
    )
    const keys = ruleOf('parameter', params.allowedKeys, params.blockedKeys, 'params.blockedKeys')
    const values = Object.entries(params.values ?? {}).map(
      ([key, { allowedValues, blockedValues }]) =>
        [key, ruleOf<unknown>(`${key}:`, allowedValues, blockedValues, `params.values.${key}.blockedValues`)] as const,
    )
    return {
      run({ json }) {
        const faults = [
          ...toolsOf(json).flatMap((tool) => [
            ...faultOf(types, tool.type),
            ...tool.names.flatMap((name) => faultOf(names, name)),
          ]),
          ...Object.keys(json).flatMap((key) => faultOf(keys, key)),
          ...values.flatMap(([key, rule]) => scalarsAt(json, key).flatMap((value) => faultOf(rule, value))),
        ]
        const verdict = faults.length === 0
        return {
          verdict,
          data: {
            verdict,
            violations: shown(faults),
            explanation: verdict ? 'All parameters are allowed.' : `${faults.length} parameters are not allowed.`,
          },
        }
      },
    }
  },
})

interface Tool {
  readonly type: string
  readonly names: readonly string[]
}

/**
 * Tools of a body in any form: OpenAI's (`function.name`), that of responses and of messages (`name`; without a type it is a
 * function), Gemini's (`functionDeclarations`), and the older `functions`.
 */
const toolsOf = (json: CheckInput['json']): readonly Tool[] => [
  ...recordsIn(json.tools).flatMap(readTool),
  ...recordsIn(json.functions).map((each) => ({ type: 'function', names: textsOf(each.name) })),
]

const readTool = (tool: Readonly<Record<string, unknown>>): readonly Tool[] => {
  const declared = [...recordsIn(tool.functionDeclarations), ...recordsIn(tool.function_declarations)]
  if (declared.length > 0) return [{ type: 'function', names: declared.flatMap(({ name }) => textsOf(name)) }]
  const type = typeof tool.type === 'string' ? tool.type : 'function'
  const own = isRecord(tool.function) ? textsOf(tool.function.name) : textsOf(tool.name)
  return [{ type: type === 'custom' && isRecord(tool.input_schema) ? 'function' : type, names: own }]
}

const recordsIn = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter(isRecord) : []

const textsOf = (value: unknown): readonly string[] => (typeof value === 'string' ? [value] : [])

const scalarsAt = (json: CheckInput['json'], key: string): readonly Value[] => {
  const value = Object.hasOwn(json, key) ? json[key] : undefined
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [value] : []
}
