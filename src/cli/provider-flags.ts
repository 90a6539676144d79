import { isSecretField } from '../management/integrations/configuration-fields.ts'
import type { Configurations } from '../management/integrations/configurations.ts'
import type { Environment } from './terminal/environment.ts'
import { flag, many, parseFlags, text, WrongUsage } from './terminal/flags.ts'

/** The flags of `weir providers`, as they were given. */
export type ProviderFlags = ReturnType<typeof parseProviderFlags>['values']

/** @throws WrongUsage; the library's own words name the option at fault and never hold its value */
export const parseProviderFlags = (args: readonly string[]) =>
  parseFlags(args, {
    name: text,
    provider: text,
    workspace: text,
    slug: text,
    'key-env': text,
    'key-stdin': flag,
    set: many,
    'set-env': many,
    expires: text,
    json: flag,
  })

/**
 * The key of the provider, which some do without: from the environment or standard input, never from an argument, which
 * other users of the machine can read.
 * @throws WrongUsage
 */
export const readKey = async (environment: Environment, flags: ProviderFlags): Promise<string | undefined> => {
  const variable = flags['key-env']
  if (variable !== undefined && flags['key-stdin'] === true) throw new WrongUsage('--key-env or --key-stdin, not both')
  if (variable !== undefined) return fromEnvironment(environment, variable)
  if (flags['key-stdin'] !== true) return undefined
  const key = (await environment.readInput()).trim()
  if (key === '') throw new WrongUsage('standard input holds no key')
  return key
}

/** @throws WrongUsage, also for a secret that is given as an argument */
export const readConfigurations = (environment: Environment, flags: ProviderFlags): Configurations => {
  const configurations: Record<string, unknown> = {}
  for (const pair of flags.set ?? []) {
    const [field, value] = splitPair(pair, '--set')
    if (isSecretField(field)) throw new WrongUsage(`${field} is a secret: give it with --set-env`)
    configurations[field] = toValue(field, value)
  }
  for (const pair of flags['set-env'] ?? []) {
    const [field, variable] = splitPair(pair, '--set-env')
    configurations[field] = toValue(field, fromEnvironment(environment, variable))
  }
  return configurations
}

const fromEnvironment = ({ env }: Environment, variable: string): string => {
  const value = env[variable]?.trim()
  if (value === undefined || value === '') throw new WrongUsage(`the environment variable ${variable} is not set`)
  return value
}

const splitPair = (pair: string, option: string): readonly [string, string] => {
  const [, field, value] = /^([a-z][a-z0-9_]*)=(.+)$/s.exec(pair) ?? []
  if (field === undefined || value === undefined) throw new WrongUsage(`${option} needs the form field=value`)
  return [field, value]
}

const toValue = (field: string, text: string): unknown => {
  if (!/^[[{]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    throw new WrongUsage(`the value of ${field} begins like JSON and is none`)
  }
}
