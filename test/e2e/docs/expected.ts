import type { Plugin } from '#kit'
import { builtInPlugins } from '../../../plugins/built-in.ts'
import { MOCK_MODELS } from '../../../plugins/providers/mock/answer.ts'
import { MOCK_FAULTS } from '../../../plugins/providers/mock/faults.ts'
import { MOCK_OPTIONS, type MockOptionRow } from '../../../plugins/providers/mock/options.ts'
import { adaptRequest } from '../../../src/calls/adapt.ts'
import { OperatorConfig } from '../../../src/config/schema.ts'
import { isRecord } from '../../../src/core/json/record.ts'
import { providerConfig } from '../../../src/kit/provider/provider-config.ts'
import type { Adapter, EndpointName, Provider } from '../../../src/kit/provider.ts'
import { setUp } from '../../../src/kit/testing.ts'

/** What the tables of the documentation must say, made from the code. Each row is its cells. */

type Schema = Readonly<Record<string, unknown>>
type Rows = readonly (readonly string[])[]

const code = (text: string): string => `\`${text}\``

const propertiesOf = (schema: unknown): readonly (readonly [string, Schema])[] =>
  isRecord(schema) && isRecord(schema.properties)
    ? Object.entries(schema.properties).map(([name, property]) => [name, isRecord(property) ? property : {}])
    : []

const typeOf = (schema: Schema): string => {
  if (schema.type === 'array')
    return isRecord(schema.items) && schema.items.type === 'string' ? 'list of strings' : 'list'
  if (Array.isArray(schema.anyOf))
    return schema.anyOf.map(({ const: value }: Schema) => code(String(value))).join(' or ')
  return String(schema.type)
}

const defaultOf = ({ default: value }: Schema): string => (value === undefined ? '' : code(JSON.stringify(value)))

const settingRow = (prefix: string, [name, schema]: readonly [string, Schema]): readonly string[] => [
  code(`${prefix}${name}`),
  typeOf(schema),
  defaultOf(schema),
  String(schema.description ?? ''),
]

/** One row for each key of a section of the operator's file. */
export const sectionRows = (
  section: 'server' | 'deadlines' | 'resilience' | 'egress' | 'limits' | 'records' | 'metrics' | 'jwt' | 'signIn',
): Rows => propertiesOf(OperatorConfig.properties[section]).map((entry) => settingRow('', entry))

/** The keys of `server.cors`. */
export const corsRows = (): Rows =>
  propertiesOf(OperatorConfig.properties.server.properties.cors).map((entry) => settingRow('', entry))

/** The keys of `records.spool`. */
export const spoolRows = (): Rows =>
  propertiesOf(OperatorConfig.properties.records.properties.spool).map((entry) => settingRow('', entry))

export const clickhouseRows = (): Rows =>
  propertiesOf(OperatorConfig.properties.records.properties.clickhouse).map((entry) => settingRow('', entry))

/** The keys of an issuer of `signIn`, and of what stands in it. */
export const issuerRows = (): Rows => propertiesOf(issuerSchema).map((entry) => settingRow('', entry))
export const issuerRoleRows = (): Rows =>
  propertiesOf(issuerSchema.properties.roles).map((entry) => settingRow('', entry))
export const issuerWorkspaceRows = (): Rows =>
  propertiesOf(issuerSchema.properties.workspaces.items).map((entry) => settingRow('', entry))
const issuerSchema = OperatorConfig.properties.signIn.properties.issuers.items

/** Keys at the top of the operator's file. */
export const topRows = (): Rows =>
  Object.entries(OperatorConfig.properties).map(([name, { description }]) => [code(name), String(description ?? '')])

const common = new Map(propertiesOf(providerConfig('')).map(([name, { description }]) => [name, description]))

const isCommon = ([name, { description }]: readonly [string, Schema]): boolean => common.get(name) === description

/** Settings that every provider has in the same words; the default of `baseURL` stands in docs/providers.md. */
export const commonSettingRows = (): Rows =>
  propertiesOf(providerConfig('')).map(([name, schema]) => [code(name), typeOf(schema), String(schema.description)])

/** Settings of each built-in plugin, without those that every provider has. */
export const pluginSettingRows = (): Rows =>
  builtInPlugins.flatMap(({ name: plugin, config }) =>
    propertiesOf(config)
      .filter((entry) => !isCommon(entry))
      .map((entry) => [code(plugin), ...settingRow('', entry)]),
  )

/** The providers of a built-in plugin, set up as the gateway does; the plugin is closed again. */
const builtInProviders = async (): Promise<readonly (readonly [Provider, Schema])[]> => {
  const found: (readonly [Provider, Schema])[] = []
  for (const plugin of builtInPlugins) {
    const { parts, providers } = await setUp(plugin)
    await parts.close?.()
    for (const provider of providers) found.push([provider, plugin.config])
  }
  return found
}

const baseURLCell = ({ id, baseURL }: Provider): string => {
  if (typeof baseURL !== 'string') return 'made from the settings of the call'
  return id === 'mock' ? 'a port of its own on the loopback address' : code(baseURL)
}

/** Who lists models shows each of them too, in any form. */
const SHOWN_BY_MODELS = /^(?:model|model-delete|(?:anthropic|gemini)-models?)$/

/** Who trains models lists its jobs too, and shows and stops each of them. */
const SHOWN_BY_JOBS = /^fine-tuning-(?!create$)/

/** Who keeps files, or runs batches, does all that there is to do with them. */
const SHOWN_BY_CREATION = /^(?:file|batch)-(?!create$)/

const NAMES: Readonly<Record<string, string>> = {
  'fine-tuning-create': 'fine-tuning',
  'file-create': 'files',
  'batch-create': 'batches',
}

/** Every built-in provider: id, endpoints, base URL, whether it needs a key and in which header else. */
export const providerRows = async (): Promise<Rows> =>
  (await builtInProviders()).map(([provider]) => [
    code(provider.id),
    Object.keys(provider.endpoints)
      .filter((name) => ![SHOWN_BY_MODELS, SHOWN_BY_JOBS, SHOWN_BY_CREATION].some((shown) => shown.test(name)))
      .map((name) => NAMES[name] ?? name)
      .join(', '),
    baseURLCell(provider),
    provider.needsKey ? 'yes' : 'no',
    provider.keyHeader === undefined ? '' : code(provider.keyHeader),
  ])

/** Settings of calls and client headers that are passed on. */
export const providerHeaderRows = async (): Promise<Rows> =>
  (await builtInProviders()).flatMap(([{ id, settings = {}, headers = [] }]) => [
    ...Object.entries(settings).map(([name, suffix]) => [code(id), code(`x-gateway-${suffix}`), code(name)]),
    ...headers.map((header) => [code(id), code(header), `passed on, or ${code(header.replaceAll('-', '_'))}`]),
  ])

/** A value for each parameter of the reference that some provider treats in its own way. */
const PROBES: Readonly<Record<string, unknown>> = {
  max_tokens: 100,
  max_completion_tokens: 100,
  temperature: 1.5,
  top_p: 0.5,
  n: 2,
  stop: ['END'],
  seed: 7,
  presence_penalty: 0.5,
  frequency_penalty: 0.5,
  logit_bias: { '50256': -100 },
  logprobs: true,
  top_logprobs: 3,
  parallel_tool_calls: false,
  user: 'user-1',
  safety_identifier: 'user-1',
  metadata: { team: 'a' },
  store: true,
  service_tier: 'auto',
  prompt_cache_key: 'key',
  prompt_cache_retention: '24h',
  prediction: { type: 'content', content: 'a' },
  moderation: {},
  verbosity: 'low',
  modalities: ['text'],
  audio: { voice: 'alloy', format: 'mp3' },
  web_search_options: {},
}

/** What a provider's model is called in the probe: the rules of some depend on it. */
const PROBE_MODELS: Readonly<Record<string, string>> = {
  anthropic: 'claude-sonnet-4-5',
  google: 'gemini-2.5-flash',
  'vertex-ai': 'gemini-2.5-flash',
}

/** Where the probe goes, for a provider whose paths say it. */
const PROBE_SETTINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'vertex-ai': { vertex_project_id: 'project-1', vertex_region: 'us-central1' },
}

/** Parameters that each provider has no place for, one sent at a time. */
export const droppedRows = async (): Promise<Rows> =>
  (await builtInProviders()).flatMap(([provider]) => {
    if (provider.endpoints.chat === undefined) return []
    const chat = provider.endpoints.chat as unknown as Adapter<EndpointName>
    const model = PROBE_MODELS[provider.id] ?? 'model-1'
    const isDropped = (name: string): boolean => {
      const request = {
        model,
        messages: [{ role: 'user', content: 'Hello' }],
        [name]: PROBES[name],
        ...(name === 'top_logprobs' ? { logprobs: true } : {}),
      }
      const context = {
        model,
        stream: false,
        strict: true,
        includeUsage: false,
        callId: 'call-1',
        created: 0,
        settings: PROBE_SETTINGS[provider.id] ?? {},
      }
      return adaptRequest(chat, request as unknown as Record<string, never>, context).dropped.includes(name)
    }
    const dropped = Object.keys(PROBES).filter(isDropped)
    return [[code(provider.id), dropped.length === 0 ? 'none' : dropped.map(code).join(', ')]]
  })

export const mockModelRows = (): Rows => Object.entries(MOCK_MODELS).map(([name, text]) => [code(name), text])

export const mockOptionRows = (): Rows =>
  Object.entries(MOCK_OPTIONS).map(([name, row]: [string, MockOptionRow]) => [
    code(name),
    code(row.short),
    row.range === undefined ? 'text' : `${row.range[0]} to ${row.range[1]}`,
    row.description,
  ])

export const mockFaultRows = (): Rows =>
  Object.entries(MOCK_FAULTS).map(([name, { scope, description }]) => [code(name), scope, description])

/** Checks of a plugin: id, parameters with their defaults (`*` for those that must be given), stages, and what they say of themselves. */
export const checkRows = async (plugin: Plugin): Promise<string[][]> => {
  const { parts } = await setUp(plugin)
  return (parts.checks ?? []).map(({ id, parameters, stages, summary }) => [
    `\`${id}\``,
    Object.entries(parameters.properties)
      .map(([name, schema]) => {
        if (parameters.required?.includes(name) && schema.default === undefined) return `\`${name}\`*`
        return schema.default === undefined ? `\`${name}\`` : `\`${name}\` (${JSON.stringify(schema.default)})`
      })
      .join(', '),
    stages.join(', '),
    summary,
  ])
}
