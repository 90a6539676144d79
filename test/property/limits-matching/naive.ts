import type { Facts } from '../../../src/limits/match/compile.ts'
import type { Condition, LimitPolicy } from '../../../src/limits/match/policy.ts'

/**
 * The rules of matching once more, read from the interface and not from the product: slow, and obviously right. It shares
 * no code with what it judges.
 */

type Texts = string | readonly string[]

const listOf = (texts: Texts): readonly string[] => (typeof texts === 'string' ? [texts] : texts)

export const actualOf = (key: string, facts: Facts): string | null => {
  const { target } = facts
  if (key.startsWith('metadata.')) {
    const entry = Object.entries(facts.metadata).find(([name]) => `metadata.${name}` === key)
    return entry?.[1] || null
  }
  switch (key) {
    case 'api_key':
      return facts.apiKeyId || null
    case 'workspace_id':
      return facts.workspaceId || null
    case 'organisation_id':
      return facts.organisationId || null
    case 'virtual_key':
      return target?.virtualKey || null
    case 'provider':
      return target?.provider || null
    case 'config':
      return facts.config || null
    case 'prompt':
      return facts.prompt || null
    case 'model':
      return target?.model || facts.model || null
    case 'endpoint_type':
      return facts.endpointType || null
    case 'mcp_server':
      return facts.mcpServer || null
    case 'mcp_tool':
      return facts.mcpTool || null
    default:
      return null
  }
}

/** `@provider/` in front, if there is one. */
const providerPart = (text: string): string => /^@[^/]+\//.exec(text)?.[0] ?? ''

const isModel = (text: string, model: string, { target }: Facts): boolean => {
  const providers = [target?.provider, target?.virtualKey].filter((name) => name !== undefined)
  return ['', ...providers.map((name) => `@${name}/`)].some((part) => {
    if (part !== providerPart(text)) return false
    const whole = part + model
    return text !== '*' && text.endsWith('*') ? whole.startsWith(text.slice(0, -1)) : whole === text
  })
}

/** A word stands for streams too, and the first of an endpoint for all of its calls. */
const isEndpointType = (text: string, actual: string, { widerEndpointType: wider }: Facts): boolean =>
  [text, `stream-${text}`].some((word) => word === actual || word === wider)

const isValue = (key: string, text: string, actual: string, facts: Facts): boolean => {
  if (key === 'model') return isModel(text, actual, facts)
  if (key === 'endpoint_type') return isEndpointType(text, actual, facts)
  return actual === (key === 'virtual_key' ? text.replace(/^@/, '') : text)
}

export const holds = ({ key, value, excludes = [] }: Condition, facts: Facts): boolean => {
  const actual = actualOf(key, facts)
  if (actual === null) return false
  if (listOf(excludes).some((text) => isValue(key, text, actual, facts))) return false
  return value === '*' || listOf(value).some((text) => isValue(key, text, actual, facts))
}

export const matches = ({ conditions }: LimitPolicy, facts: Facts): boolean =>
  conditions.every((condition) => holds(condition, facts))

const OF_TARGET = ['provider', 'virtual_key', 'model']

export const looksAtTarget = ({ conditions, groupBy }: LimitPolicy): boolean =>
  conditions.some(({ key }) => OF_TARGET.includes(key)) || groupBy.some((key) => OF_TARGET.includes(key))

/** Values of the group, in order. */
export const groupValues = ({ groupBy }: LimitPolicy, facts: Facts): readonly (string | null)[] =>
  groupBy.map((key) => {
    const value = actualOf(key, facts)
    if (key !== 'model') return value
    const provider = actualOf('provider', facts)
    return provider === null || value === null ? null : `${provider}.${value}`
  })
