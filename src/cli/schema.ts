import { builtInPlugins } from '../../plugins/built-in.ts'
import { OperatorConfig } from '../config/schema.ts'
import { isRecord } from '../core/json/record.ts'
import type { Environment, ExitCode } from './terminal/environment.ts'

/** `weir schema`: the JSON Schema of the config file, with the settings of every built-in plugin. */
export const schemaCommand = async (environment: Environment): Promise<ExitCode> => {
  await environment.out(`${JSON.stringify(configSchema(), null, 2)}\n`)
  return 0
}

const configSchema = (): unknown => {
  const { plugins } = OperatorConfig.properties
  const settings = Object.fromEntries(
    builtInPlugins.map(({ name, config }) => [
      name,
      { anyOf: [{ ...config, additionalProperties: false }, { type: 'null' }] },
    ]),
  )
  const items = {
    anyOf: [
      ...plugins.items.anyOf.slice(0, 2),
      {
        type: 'object',
        properties: { ...settings, defaults: DEFAULTS_ENTRY },
        // Paths and packages of the operator have settings that nobody here knows.
        additionalProperties: { type: ['object', 'null'] },
        minProperties: 1,
        maxProperties: 1,
      },
    ],
  }
  return withoutRequired({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Weir config',
    ...OperatorConfig,
    properties: { ...OperatorConfig.properties, plugins: { ...plugins, items } },
  })
}

const DEFAULTS_ENTRY = {
  type: 'object',
  description: 'Every built-in plugin, but those that `without` names.',
  properties: { without: { type: 'array', items: { type: 'string' } } },
  additionalProperties: false,
}

/** A key with a default may be left out of the file: only what a reader of the checked config sees is complete. */
const withoutRequired = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(withoutRequired)
  if (typeof node !== 'object' || node === null) return node
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, withoutRequired(value)]),
  )
  if (Array.isArray(copy.required) && isRecord(copy.properties)) {
    const { properties } = copy
    copy.required = copy.required.filter((name) => !hasDefault(properties[String(name)]))
  }
  return copy
}

const hasDefault = (property: unknown): boolean => isRecord(property) && property.default !== undefined
