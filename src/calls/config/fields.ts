import { type Static, Type as t } from '@sinclair/typebox'
import type { GuardrailUse } from '../../core/guardrails.ts'
import { GUARDRAIL_LISTS, type GuardrailList } from './guardrail-fields.ts'

/** Fields of the objects of a config that hold no other nodes. Keys are those of the interface (contract, section 6). */

const Text = t.String({ minLength: 1 })
const Params = t.Record(t.String(), t.Unknown())
const StatusCodes = t.Array(t.Integer({ minimum: 100, maximum: 599 }))

const Retry = t.Object({
  /** More than 5 count as 5. */
  attempts: t.Integer({ minimum: 0 }),
  on_status_codes: t.Optional(StatusCodes),
  use_retry_after_header: t.Optional(t.Boolean()),
})

const Cache = t.Object({
  mode: t.Union([t.Literal('simple'), t.Literal('semantic')]),
  /** Seconds; outside its bounds the default counts. */
  max_age: t.Optional(t.Number()),
})

export const NodeFields = t.Object({
  name: t.Optional(Text),
  /** Relative to the other targets of a load balance; 0 sends nothing here. */
  weight: t.Optional(t.Number({ minimum: 0, maximum: 1_000_000_000 })),
  /** Id of a provider, or `@` and the slug of a stored one. */
  provider: t.Optional(Text),
  /** The older way to write `provider: "@slug"`. */
  virtual_key: t.Optional(Text),
  api_key: t.Optional(Text),
  prompt_id: t.Optional(Text),
  custom_host: t.Optional(Text),
  forward_headers: t.Optional(t.Array(Text)),
  /** Milliseconds until the first byte of an answer. */
  request_timeout: t.Optional(t.Integer({ minimum: 1 })),
  /** Milliseconds until the first meaningful piece of an answer. Ours. */
  first_token_timeout: t.Optional(t.Integer({ minimum: 1 })),
  retry: t.Optional(Retry),
  cache: t.Optional(Cache),
  override_params: t.Optional(Params),
  default_params: t.Optional(Params),
  drop_params: t.Optional(t.Array(t.String({ minLength: 1, maxLength: 256 }), { maxItems: 100 })),
  strict_open_ai_compliance: t.Optional(t.Boolean()),
  fetch_integrated_models: t.Optional(t.Boolean()),
  passthrough: t.Optional(t.Boolean()),
})

/** The interface's word for the target of a condition. Named here, so that nothing takes a condition for a promise. */
export const THEN = 'then'

const Breaker = t.Object({
  failure_threshold: t.Optional(t.Integer({ minimum: 1 })),
  failure_threshold_percentage: t.Optional(t.Number({ exclusiveMinimum: 0, maximum: 100 })),
  minimum_requests: t.Optional(t.Integer({ minimum: 1 })),
  /** Milliseconds. */
  cooldown_interval: t.Optional(t.Integer({ minimum: 30_000, maximum: 24 * 60 * 60 * 1000 })),
  failure_status_codes: t.Optional(StatusCodes),
})

export const StrategyFields = t.Object({
  mode: t.Union([t.Literal('single'), t.Literal('loadbalance'), t.Literal('fallback'), t.Literal('conditional')]),
  on_status_codes: t.Optional(StatusCodes),
  conditions: t.Optional(t.Array(t.Object({ query: t.Record(t.String(), t.Unknown()), [THEN]: Text }))),
  default: t.Optional(Text),
  sticky: t.Optional(
    t.Object({
      enabled: t.Boolean(),
      hash_fields: t.Optional(t.Array(t.String({ pattern: '^(metadata|params|headers)\\..+$' }), { maxItems: 100 })),
      /** Seconds. */
      ttl: t.Optional(t.Number({ exclusiveMinimum: 0, maximum: 365 * 24 * 60 * 60 })),
    }),
  ),
  cb_config: t.Optional(Breaker),
  /** What becomes of a stream that breaks half-way. Ours. */
  stream_recovery: t.Optional(t.Union([t.Literal('error'), t.Literal('restart'), t.Literal('continue')])),
  /** A fallback also goes on when the model refused the content. Ours. */
  on_content_refusal: t.Optional(t.Boolean()),
})

export type ConfigStrategy = Static<typeof StrategyFields>

/** Keys of a node, without the settings of providers. */
export const NODE_KEYS: readonly string[] = [
  ...Object.keys(NodeFields.properties),
  ...Object.keys(GUARDRAIL_LISTS),
  'strategy',
  'targets',
]

/** Guardrails by the list that they stand in. */
export type NodeGuardrails = Readonly<Partial<Record<GuardrailList, readonly GuardrailUse[]>>>

/** A node of a config, read: keys by the names of the interface. */
export interface ConfigNode extends Static<typeof NodeFields> {
  /** Provider settings by their snake_case name. */
  readonly settings: Readonly<Record<string, string>>
  readonly guardrails?: NodeGuardrails
  readonly strategy?: ConfigStrategy
  readonly targets?: readonly ConfigNode[]
}
