import { Type as t } from '@sinclair/typebox'
import { DateTime, nullable, Uuid } from '../../fields.ts'

/** What a log says of one message; its headers and body where they are kept. */
const Headers = t.Record(t.String(), t.String())
const Body = t.Unknown({ description: 'JSON where it is that, else text; null where it is not kept.' })
const truncated = t.Optional(t.Boolean({ description: 'There was more of the body.' }))

const Message = t.Object({
  url: t.String(),
  method: t.String(),
  headers: Headers,
  body: Body,
  truncated,
})

const ms = nullable(t.Number({ description: 'Milliseconds.' }))
const text = nullable(t.String())
const count = nullable(t.Number())

export const Metrics = t.Object({
  id: Uuid,
  organisation_id: Uuid,
  organisation_name: text,
  workspace_slug: text,
  prompt_id: text,
  prompt_version_id: text,
  prompt_slug: text,
  config_id: text,
  config: text,
  config_version_id: text,
  created_at: DateTime,
  is_success: t.Union([t.Literal(0), t.Literal(1)]),
  ai_org: text,
  ai_model: text,
  req_units: count,
  res_units: count,
  total_units: count,
  cost: nullable(t.Number({ description: 'US cents; null where the price is not known.' })),
  cost_currency: t.Literal('USD'),
  request_url: t.String(),
  request_method: t.String(),
  response_status_code: t.Integer(),
  response_time: ms,
  is_proxy_call: t.Union([t.Literal(0), t.Literal(1)]),
  cache_status: text,
  cache_type: text,
  stream_mode: t.Union([t.Literal(0), t.Literal(1)]),
  retry_success_count: t.Integer(),
  trace_id: t.String(),
  span_id: text,
  span_name: text,
  parent_span_id: text,
  internal_trace_id: t.String(),
  mode: text,
  virtual_key: text,
  source: text,
  runtime: text,
  runtime_version: text,
  sdk_version: text,
  last_used_option_index: nullable(t.Integer()),
  log_store_file_path_format: t.String(),
  'metadata.key': t.Array(t.String()),
  'metadata.value': t.Array(t.String()),
  api_key_id: text,
  request_parsing_time: ms,
  pre_processing_time: ms,
  cache_processing_time: ms,
  response_parsing_time: ms,
  gateway_processing_time: ms,
  upstream_response_time: ms,
  unpriced: t.Boolean({ description: 'Something was bought whose price is not known.' }),
  cost_parts: nullable(
    t.Object(
      { input: t.Number(), output: t.Number(), cache: t.Number(), other: t.Number() },
      { description: 'What the cost is made of, in US cents.' },
    ),
  ),
  price_id: nullable(
    t.String({ description: 'Where the price is from: `table:2026-11-22`, `file`, `integration`, …' }),
  ),
  cached_units: nullable(t.Number({ description: 'Tokens of the request that the provider had in its cache.' })),
  refused_by: t.Array(t.String(), { description: 'Ids of the limits that refused the call.' }),
  shadow_refusals: t.Array(t.String(), { description: 'Ids of limits in shadow mode that would have.' }),
})

const Response = t.Object({
  status: t.Integer(),
  headers: Headers,
  body: Body,
  truncated,
  responseTime: ms,
  lastUsedOptionJsonPath: text,
})

const Original = t.Object({ ...Message.properties, status: t.Optional(t.Integer()) })

const check = t.Object(
  {
    id: t.String(),
    verdict: t.Boolean(),
    transformed: t.Boolean(),
    execution_time: t.Number({ description: 'Milliseconds.' }),
    created_at: DateTime,
    error: t.Optional(t.Object({ name: t.String(), message: t.Optional(t.String()) })),
    data: t.Optional(t.Unknown({ description: 'Where the messages are kept.' })),
  },
  { additionalProperties: true },
)
const Hooks = t.Array(
  t.Object(
    { id: t.String(), verdict: t.Boolean(), deny: t.Boolean(), async: t.Boolean(), checks: t.Array(check) },
    { additionalProperties: true },
  ),
)

const parts = {
  metrics: Metrics,
  hook_results: nullable(
    t.Object(
      { before_request_hooks: Hooks, after_request_hooks: Hooks },
      { description: 'What guardrails came to; null where none has run.' },
    ),
  ),
  finalUntransformedRequest: nullable(Message),
  transformedRequest: nullable(Message),
  originalResponse: nullable(Original),
}

export const Log = t.Object({
  _id: Uuid,
  request: t.Object({ ...Message.properties, gatewayHeaders: Headers }),
  response: Response,
  organisation_id: Uuid,
  created_at: DateTime,
  ...parts,
  attempts: t.Array(t.Object({ response: Response, ...parts }), {
    description: 'Each target of a call that went to more than one, in order.',
  }),
})

export const ReadLog = t.Object({
  path_format: t.Optional(
    t.Union([t.Literal('v1'), t.Literal('v2')], { default: 'v1', description: 'Changes nothing.' }),
  ),
  created_at: t.Optional({ ...DateTime, description: 'When the call was made. Changes nothing.' }),
  type: t.Optional(t.Literal('hooks', { description: 'Changes nothing: `hook_results` are always there.' })),
})
