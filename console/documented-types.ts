import { join } from 'node:path'
import { builtInEndpoints, builtInPlugins } from '../plugins/built-in.ts'
import { setUp } from '../src/kit/testing.ts'
import { CONDITION_KEYS } from '../src/limits/match/condition-keys.ts'
import { describedRoutes } from '../src/management/described-routes.ts'
import { openapiDocument } from '../src/management/openapi/document.ts'
import { toJsonSchema } from '../src/management/openapi/json-schema.ts'
import { WORKSPACE_SERVICE_SCOPES } from '../src/store/scopes.ts'

export const SCHEMA_FILE = join(import.meta.dir, 'src', 'api', 'schema.d.ts')
export const KNOWN_FILE = join(import.meta.dir, 'src', 'api', 'known.ts')

export const CHECKS_FILE = join(import.meta.dir, 'src', 'guardrails', 'known-checks.ts')

/** Checks of guardrails with their parameters, from which forms are made. */
export const knownChecks = async (): Promise<string> => {
  const checks: object[] = []
  for (const plugin of builtInPlugins) {
    const { parts } = await setUp(plugin)
    await parts.close?.()
    for (const { id, summary, parameters } of parts.checks ?? []) {
      const fields = Object.entries(parameters.properties).map(([name, schema]) => {
        const { type, enum: choices, items, description, default: standard } = toJsonSchema(schema)
        const isRequired = parameters.required?.includes(name) === true && standard === undefined
        return {
          name,
          isRequired,
          ...kindOf(type, choices, items),
          ...(description === undefined ? {} : { description }),
        }
      })
      checks.push({ id, summary, fields })
    }
  }
  const type = "import type { KnownCheck } from './known-check.ts'"
  const values = JSON.stringify(checks, null, 2)
  return `/** Written by \`bun run console:types\`. */\n${type}\n\nexport const KNOWN_CHECKS: readonly KnownCheck[] = ${values}\n`
}

/** How a form asks for a parameter. What is none of the simple kinds is JSON. */
const kindOf = (type: unknown, choices: unknown, items: unknown): object => {
  if (Array.isArray(choices)) return { kind: 'choice', choices: choices.map(String) }
  if (type === 'boolean') return { kind: 'flag' }
  if (type === 'integer' || type === 'number') return { kind: 'number' }
  if (type === 'string') return { kind: 'text' }
  const item: unknown = typeof items === 'object' && items !== null ? Reflect.get(items, 'type') : undefined
  const listed: unknown = typeof items === 'object' && items !== null ? Reflect.get(items, 'enum') : undefined
  return type === 'array' && (item === 'string' || Array.isArray(listed)) ? { kind: 'lines' } : { kind: 'json' }
}

/** Names that forms offer: the document leaves them open, as plugins bring more. */
export const knownNames = async (): Promise<string> => {
  const ids: string[] = []
  for (const plugin of builtInPlugins) {
    const { parts, providers } = await setUp(plugin)
    await parts.close?.()
    ids.push(...providers.map(({ id }) => id))
  }
  return [
    '/** Written by `bun run console:types`. */',
    ...[
      ['PROVIDERS', ids.toSorted()],
      ['CALL_KEYS', CONDITION_KEYS.llm],
      ['TOOL_KEYS', CONDITION_KEYS.mcp_tools],
      ['BUDGET_KEYS', CONDITION_KEYS.budgets],
      ['KEY_SCOPES', WORKSPACE_SERVICE_SCOPES],
    ].map(([name, values]) => `export const ${name} = ${JSON.stringify(values)}`),
    '',
  ].join('\n')
}

/** Parts of the interface that no page of the console asks for: they would be most of the file. */
const UNUSED_TAGS: ReadonlySet<string> = new Set([
  ...['Inference', 'Pass-through', 'Deprecated', 'SCIM', 'Tokens', 'Documentation', 'Metrics'],
])

/** Types of the routes that the console may ask, made by openapi-typescript. */
export const documentedTypes = async (): Promise<string> => {
  const document = openapiDocument(describedRoutes(), { version: 'any', basePath: '', endpoints: builtInEndpoints })
  const paths = Object.entries(document.paths).flatMap(([path, item]) => {
    const used = Object.entries(item).filter(([, { tags }]) => !tags.some((tag) => UNUSED_TAGS.has(tag)))
    return used.length === 0 ? [] : [[path, Object.fromEntries(used)] as const]
  })
  useOlderCompiler()
  const { default: toTypes, astToString } = await import('openapi-typescript')
  // Without its prose, so that the file changes with the interface alone.
  const text = JSON.stringify({ ...document, paths: Object.fromEntries(paths) }, (key, value) =>
    (key === 'description' || key === 'summary') && typeof value === 'string' && value !== '' ? undefined : value,
  )
  return astToString(await toTypes(text, { excludeDeprecated: true }))
}

/** openapi-typescript builds its output with the compiler's JavaScript interface, which TypeScript 7 has no more. */
const useOlderCompiler = (): void => {
  Bun.plugin({
    name: 'older-compiler',
    setup(build) {
      build.module('typescript', async () => ({ exports: { ...(await import('typescript-5')) }, loader: 'object' }))
    },
  })
}
