import { isRecord } from '../../core/json/record.ts'
import { isSecretField } from '../integrations/configuration-fields.ts'

/** A config object as people write it: version 2.0, keys in snake_case or camelCase. */
export type ConfigObject = Readonly<Record<string, unknown>>

/** One level of a config: its root, or a target. */
export interface ConfigTreeNode {
  /** Empty for the root, else such as `targets[0].targets[1]`. */
  readonly path: string
  readonly fields: ConfigObject
  /** From the root down to the parent. */
  readonly ancestors: readonly ConfigObject[]
}

/** The name of a field as the interface writes it. */
export const toFieldName = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Whether a field of a config holds a secret. `virtual_key` is the name of a stored provider, in spite of its own. */
export const isSecretName = (name: string): boolean =>
  (isSecretField(name) || name.endsWith('_passphrase')) && name !== 'virtual_key'

/** Where a field of a node stands. */
export const fieldPath = ({ path }: Pick<ConfigTreeNode, 'path'>, key: string): string =>
  path === '' ? key : `${path}.${key}`

/** The targets of a node; what is none is left out. */
export const targetsOf = ({ targets }: ConfigObject): readonly ConfigObject[] =>
  Array.isArray(targets) ? targets.filter(isRecord) : []

/** The root and every target, each before its own targets. Only for a config whose depth has been checked. */
export function* nodesOf(
  fields: ConfigObject,
  path = '',
  ancestors: readonly ConfigObject[] = [],
): Generator<ConfigTreeNode> {
  yield { path, fields, ancestors }
  for (const [index, target] of targetsOf(fields).entries()) {
    yield* nodesOf(target, `${path === '' ? '' : `${path}.`}targets[${index}]`, [...ancestors, fields])
  }
}

/** A copy with other texts at the given paths: `targets[0].api_key`. Only for a config whose depth has been checked. */
export const withTexts = (fields: ConfigObject, texts: ReadonlyMap<string, string>): ConfigObject =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, withTextsAt(value, texts, key)]))

const withTextsAt = (value: unknown, texts: ReadonlyMap<string, string>, path: string): unknown => {
  const text = texts.get(path)
  if (text !== undefined) return text
  if (Array.isArray(value)) return value.map((item, index) => withTextsAt(item, texts, `${path}[${index}]`))
  if (!isRecord(value)) return value
  const fields = Object.entries(value).map(([key, inner]) => [key, withTextsAt(inner, texts, fieldPath({ path }, key))])
  return Object.fromEntries(fields)
}
