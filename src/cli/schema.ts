import { builtInPlugins } from '../../plugins/built-in.ts'
import { OperatorConfig } from '../config/schema.ts'
import type { Environment, ExitCode } from './environment.ts'

/** `weir schema`: the JSON Schema of the config file, with the settings of every built-in plugin. */
export const schemaCommand = async (environment: Environment): Promise<ExitCode> => {
  const settings = Object.fromEntries(
    builtInPlugins.map(({ name, config }) => [
      name,
      { anyOf: [{ ...config, additionalProperties: false }, { type: 'null' }] },
    ]),
  )
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Weir config',
    ...OperatorConfig,
    properties: {
      ...OperatorConfig.properties,
      plugins: {
        ...OperatorConfig.properties.plugins,
        items: {
          anyOf: [
            ...OperatorConfig.properties.plugins.items.anyOf.slice(0, 2),
            { type: 'object', properties: settings, minProperties: 1, maxProperties: 1 },
          ],
        },
      },
    },
  }
  await environment.out(`${JSON.stringify(schema, null, 2)}\n`)
  return 0
}
