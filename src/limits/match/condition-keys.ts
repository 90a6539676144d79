import type { CallFacts, TargetFacts } from '../../core/limits.ts'
import type { LimitPolicy } from './policy.ts'

/** All that policies can look at. */
export interface Facts extends CallFacts {
  /** Absent until a target is chosen. */
  readonly target?: TargetFacts
}

/** Finds the value of one key in a call. Nothing when there is none; a value without characters counts as none. */
export type Read = (facts: Facts) => string | undefined

/** Calls that conditions are about: those of rate limits policies by their target, and those that budgets count. */
export type ConditionedCalls = LimitPolicy['target'] | 'budgets'

const BUDGET_KEYS = [
  'api_key',
  'workspace_id',
  'organisation_id',
  'virtual_key',
  'provider',
  'config',
  'prompt',
  'model',
] as const

/** Keys that conditions and groups may name, by the kind of call. `metadata.<name>` is allowed besides. */
export const CONDITION_KEYS: Readonly<Record<ConditionedCalls, readonly string[]>> = {
  llm: [...BUDGET_KEYS, 'endpoint_type'],
  mcp_tools: ['api_key', 'workspace_id', 'mcp_server', 'mcp_tool'],
  budgets: BUDGET_KEYS,
}

const METADATA = 'metadata.'
const LONGEST_NAME = 128

/** Policies are filed under it; none may name it. */
export const WIDER_ENDPOINT_TYPE = 'wider_endpoint_type'

const READERS: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['api_key', (facts) => facts.apiKeyId || undefined],
  ['workspace_id', (facts) => facts.workspaceId || undefined],
  ['organisation_id', (facts) => facts.organisationId || undefined],
  ['virtual_key', (facts) => facts.target?.virtualKey || undefined],
  ['provider', (facts) => facts.target?.provider || undefined],
  ['config', (facts) => facts.config || undefined],
  ['prompt', (facts) => facts.prompt || undefined],
  // What the provider is asked for; what it says it used does not count.
  ['model', (facts) => facts.target?.model || facts.model || undefined],
  ['endpoint_type', (facts) => facts.endpointType || undefined],
  [WIDER_ENDPOINT_TYPE, (facts) => facts.widerEndpointType],
  ['mcp_server', (facts) => facts.mcpServer || undefined],
  ['mcp_tool', (facts) => facts.mcpTool || undefined],
])

const absent: Read = () => undefined

/** `team` of `metadata.team`; nothing for other keys. */
export const metadataName = (key: string): string | undefined =>
  key.startsWith(METADATA) ? key.slice(METADATA.length) : undefined

/** Whether a policy for such calls may name the key, in a condition or a group. */
export const isConditionKey = (calls: ConditionedCalls, key: string): boolean => {
  const name = metadataName(key)
  return name === undefined ? CONDITION_KEYS[calls].includes(key) : name.length > 0 && name.length <= LONGEST_NAME
}

/** A key that no call has is always absent. */
export const readerOf = (key: string): Read => {
  const name = metadataName(key)
  if (name === undefined) return READERS.get(key) ?? absent
  // The caller chooses the names: `constructor` must not find what every object has.
  return ({ metadata }) => (Object.hasOwn(metadata, name) ? metadata[name] || undefined : undefined)
}

/** A stored provider is written with a leading `@` where it is called, and without one where it is stored. */
export const toStoredForm = (key: string, text: string): string =>
  key === 'virtual_key' && text.startsWith('@') ? text.slice(1) : text
