import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { isGuardrailList } from '../../../src/calls/config/guardrail-fields.ts'
import { readCallConfig } from '../../../src/calls/config/read.ts'
import { validConfig } from './arbitrary-config.ts'

const read = (config: unknown) => readCallConfig(config, { settingNames: new Set() })

/** Objects whose keys are not the config's own. */
const FOREIGN = ['override_params', 'default_params', 'query', 'parameters', 'on_fail', 'on_success']

const camel = (key: string): string => key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** Each own key in camelCase where `pick` says so. */
const respelt = (value: unknown, pick: () => boolean): unknown => {
  if (Array.isArray(value)) return value.map((item) => respelt(item, pick))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      pick() ? camel(key) : key,
      FOREIGN.includes(key) ? inner : respelt(inner, pick),
    ]),
  )
}

/** Guardrails say where they stand, as it is written. */
const withoutPaths = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === 'path' ? undefined : inner)))

test('camelCase and snake_case mean the same, in any mixture', () => {
  fc.assert(
    fc.property(validConfig, fc.infiniteStream(fc.boolean()), (config, choices) => {
      const written = respelt(config, () => choices.next().value === true)
      expect(withoutPaths(read(written))).toEqual(withoutPaths(read(config)))
      expect(withoutPaths(read(respelt(config, () => true)))).toEqual(withoutPaths(read(config)))
    }),
    { numRuns: 300 },
  )
})

test('a config that was read says all that was written', () => {
  /** The settings back beside the other keys, the resource by its longer name. */
  const flat = (node: object): unknown =>
    Object.fromEntries(
      Object.entries(node).flatMap(([key, value]) => {
        if (key === 'settings') {
          return Object.entries(value as object).map(([name, each]) => [
            name === 'resource_name' ? 'azure_resource_name' : name,
            each,
          ])
        }
        // They are read into another form, which has tests of its own.
        if (key === 'guardrails') return []
        if (key === 'targets') return [[key, (value as object[]).map(flat)]]
        return [[key, value]]
      }),
    )
  const longCache = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (key, inner: unknown) =>
        isGuardrailList(key) ? undefined : key === 'cache' && typeof inner === 'string' ? { mode: inner } : inner,
      ),
    )
  fc.assert(
    fc.property(validConfig, (config) => {
      expect(longCache(flat(read(config)))).toEqual(longCache(config))
    }),
    { numRuns: 300 },
  )
})
