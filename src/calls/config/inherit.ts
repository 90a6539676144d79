import type { BreakerPolicy, Leaf, StreamRecovery } from '../../kit/plan.ts'
import type { ConfigNode, NodeGuardrails } from './fields.ts'
import { splitModel } from './model-name.ts'
import { toBreaker, toCache, toRetry } from './policies.ts'

/** What a node has for itself and what it has from above: all of a leaf but its place. */
export type Inherited = Omit<Leaf, 'kind' | 'path' | 'name' | 'guardrails'> & {
  readonly guardrails?: NodeGuardrails
  /** What the branches say. */
  readonly breaker?: BreakerPolicy
  readonly streamRecovery?: StreamRecovery
}

export const NOTHING_INHERITED: Inherited = { settings: {} }

/** Longest time-out of a config: a longer one is meaningless, and timers cannot hold it. */
const MAX_TIMEOUT_MS = 24 * 60 * 60 * 1000

/**
 * The node's own words over those from above: the nearest one counts, parameters and settings are merged. Name, weight,
 * conditions and stickiness are never handed down (behaviour reference, section 2.2).
 */
export const inherit = (node: ConfigNode, from: Inherited): Inherited => ({
  ...placeOf(node, from),
  settings: { ...from.settings, ...node.settings },
  ...given('overrideParams', merged(from.overrideParams, node.override_params)),
  ...given('defaultParams', merged(from.defaultParams, node.default_params)),
  ...given('dropParams', node.drop_params),
  ...given('customHost', node.custom_host),
  ...given('requestTimeoutMs', node.request_timeout && Math.min(node.request_timeout, MAX_TIMEOUT_MS)),
  ...given('firstTokenTimeoutMs', node.first_token_timeout && Math.min(node.first_token_timeout, MAX_TIMEOUT_MS)),
  ...given('forwardHeaders', node.forward_headers),
  ...given('strict', node.strict_open_ai_compliance),
  ...given('promptId', node.prompt_id),
  ...given('retry', node.retry && toRetry(node.retry)),
  ...given('cache', node.cache && toCache(node.cache)),
  ...given('guardrails', node.guardrails && { ...from.guardrails, ...node.guardrails }),
  ...given('streamRecovery', node.strategy?.stream_recovery),
  ...given('breaker', node.strategy?.cb_config && toBreaker(node.strategy.cb_config)),
})

/**
 * Who is asked, and with which key, go together: a target that names a provider does not get the key that stands beside
 * another one. A key that stands alone is meant for the targets below it.
 */
const placeOf = (node: ConfigNode, from: Inherited): Inherited => {
  const { provider, virtualKey, apiKey, ...rest } = from
  const namesItself =
    node.provider !== undefined ||
    node.virtual_key !== undefined ||
    splitModel(node.override_params?.model) !== undefined
  const keyAbove = namesItself && (provider !== undefined || virtualKey !== undefined) ? undefined : apiKey
  return {
    ...rest,
    ...given('provider', namesItself ? node.provider : provider),
    ...given('virtualKey', namesItself ? node.virtual_key : virtualKey),
    ...given('apiKey', node.api_key ?? keyAbove),
  }
}

const merged = (
  from: Readonly<Record<string, unknown>> | undefined,
  own: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, unknown>> | undefined =>
  from === undefined || own === undefined ? (own ?? from) : { ...from, ...own }

/** The field, unless it has no value. */
const given = <Key extends keyof Inherited>(key: Key, value: Inherited[Key] | undefined): Partial<Inherited> =>
  value === undefined ? {} : ({ [key]: value } as Partial<Inherited>)
