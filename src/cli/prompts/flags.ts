import { isRecord } from '../../core/json/record.ts'
import { flag, many, parseFlags, text, WrongUsage } from '../terminal/flags.ts'

/** The flags of `weir prompts`, as they were given. */
export type PromptFlags = ReturnType<typeof parsePromptFlags>['values']

/** @throws WrongUsage */
export const parsePromptFlags = (args: readonly string[]) =>
  parseFlags(args, {
    workspace: text,
    prune: flag,
    publish: flag,
    'dry-run': flag,
    json: flag,
    var: many,
    vars: text,
    param: many,
    strict: flag,
  })

const FLAGS_OF = {
  pull: ['workspace', 'prune', 'json'],
  push: ['workspace', 'publish', 'dry-run', 'prune', 'json'],
  render: ['workspace', 'var', 'vars', 'param', 'strict'],
} as const

export type PromptAction = keyof typeof FLAGS_OF

export const isPromptAction = (name: string | undefined): name is PromptAction =>
  name !== undefined && Object.hasOwn(FLAGS_OF, name)

/** @throws WrongUsage for a flag that another action has */
export const expectFlagsOf = (action: PromptAction, flags: PromptFlags): void => {
  const known: readonly string[] = FLAGS_OF[action]
  const strange = Object.keys(flags).find((flag) => !known.includes(flag))
  if (strange !== undefined) throw new WrongUsage(`--${strange} does not belong to this action`)
}

type Values = Readonly<Record<string, unknown>>

/**
 * Variables of `--var name=value`, over those of a file. A dotted name is a value inside an object: `user.name=Ada` is
 * `{user: {name: 'Ada'}}`. Values are texts.
 * @throws WrongUsage
 */
export const withVariables = (base: Values, assignments: readonly string[]): Values =>
  assignments.reduce((variables, assignment) => {
    const [name, value] = split(assignment, '--var')
    return withValue(variables, name.split('.'), value, name)
  }, base)

const withValue = (values: Values, [key = '', ...rest]: readonly string[], value: string, name: string): Values => {
  if (key === '' || key === '__proto__') throw new WrongUsage(`--var cannot set '${name}'`)
  if (rest.length === 0) return { ...values, [key]: value }
  const inner = Object.hasOwn(values, key) ? values[key] : {}
  if (!isRecord(inner)) throw new WrongUsage(`--var cannot set '${name}': '${key}' is no object`)
  return { ...values, [key]: withValue(inner, rest, value, name) }
}

/** A field that is no parameter, in the body of a call. */
const NOT_A_PARAMETER = ['variables', 'hyperparameters', 'messages', 'prompt', '__proto__']

/**
 * Parameters of `--param name=value`. A value that is JSON is taken as that, any other as text.
 * @throws WrongUsage
 */
export const toParameters = (assignments: readonly string[]): Values =>
  Object.fromEntries(
    assignments.map((assignment) => {
      const [name, text] = split(assignment, '--param')
      if (NOT_A_PARAMETER.includes(name)) throw new WrongUsage(`--param cannot set '${name}'`)
      return [name, toValue(text)]
    }),
  )

const split = (assignment: string, flag: string): readonly [string, string] => {
  const at = assignment.indexOf('=')
  if (at < 1) throw new WrongUsage(`${flag} needs the form name=value`)
  return [assignment.slice(0, at), assignment.slice(at + 1)]
}

const toValue = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
