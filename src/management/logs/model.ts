import { type Static, Type as t } from '@sinclair/typebox'
import { DateTime, nullable, Reference, Uuid } from '../fields.ts'
import { furtherRecordFilters, optionalRange, recordFilters } from '../record-filters.ts'

/** Queries and answers of the list of logs and of its live tail. */

const workspace = t.Optional({
  ...Reference,
  description: 'Id or slug. Absent: the own one or, for a key of the organisation, all.',
})

export const ListLogs = t.Object({
  workspace_slug: workspace,
  ...optionalRange,
  ...recordFilters,
  ...furtherRecordFilters,
  search: t.Optional(
    t.String({
      minLength: 2,
      maxLength: 256,
      description: 'Words that all stand in the bodies of a call, in either case. Needs `logs.view`.',
    }),
  ),
  order: t.Union([t.Literal('desc'), t.Literal('asc')], { default: 'desc', description: '`desc`: the newest first.' }),
  limit: t.Integer({ minimum: 1, maximum: 500, default: 50, description: 'Rows of a page.' }),
  cursor: t.Optional(t.String({ minLength: 1, maxLength: 200, description: '`next` of the page before.' })),
})
export type ListLogsQuery = Static<typeof ListLogs>

const { weighted_feedback_min: _min, weighted_feedback_max: _max, ...filtersOfOne } = recordFilters

/** A live tail knows neither what was before nor what people will think of it. */
export const StreamLogs = t.Object({ workspace_slug: workspace, ...filtersOfOne, ...furtherRecordFilters })

const count = t.Integer({ minimum: 0 })
const text = nullable(t.String())
const number = nullable(t.Number({ minimum: 0 }))

export const LogRow = t.Object({
  id: t.String(),
  workspace_id: t.String(),
  workspace_slug: nullable(t.String({ description: 'Null for a workspace that is gone.' })),
  created_at: DateTime,
  trace_id: t.String(),
  span_id: text,
  kind: t.String(),
  method: t.String(),
  path: t.String(),
  request_url: t.String(),
  endpoint: t.String(),
  request_type: t.String(),
  stream: t.Boolean(),
  ai_org: text,
  ai_model: text,
  model_asked: text,
  virtual_key: text,
  api_key_id: text,
  config: text,
  prompt_slug: text,
  mode: text,
  option_path: text,
  last_used_option_index: nullable(count),
  response_status_code: count,
  is_success: t.Union([t.Literal(0), t.Literal(1)]),
  outcome: t.String(),
  error_code: text,
  error_message: text,
  attempts: count,
  retry_success_count: count,
  fallback: t.Boolean(),
  cache_status: text,
  req_units: number,
  res_units: number,
  total_units: number,
  estimated: t.Boolean({ description: 'The tokens were counted here.' }),
  cost: nullable(t.Number({ minimum: 0, description: 'Cents. Null: nothing was bought, or see `unpriced`.' })),
  cost_currency: t.Literal('USD'),
  unpriced: t.Boolean({ description: 'The price is not known.' }),
  response_time: nullable(t.Number({ minimum: 0, description: 'Milliseconds, as all times.' })),
  first_byte_time: number,
  upstream_response_time: number,
  _user: text,
  metadataKey: t.Array(t.String()),
  metadataValue: t.Array(t.String()),
  has_bodies: t.Boolean(),
  feedback: t.Array(t.Object({ id: Uuid, value: t.Integer({ minimum: -10, maximum: 10 }), weight: t.Number() }), {
    description: 'Of the trace. Always empty in a live tail.',
  }),
})
export type LogRow = Static<typeof LogRow>

export const LogList = t.Object({
  object: t.Literal('list'),
  data: t.Array(LogRow),
  has_more: t.Boolean(),
  next: nullable(t.String({ description: '`cursor` of the next page.' })),
  search: t.Optional(
    t.Object({
      complete: t.Boolean({ description: 'False: not all were looked at; `next` goes on from there.' }),
      looked_at: t.Integer({ minimum: 0, description: 'Calls whose bodies were opened.' }),
    }),
  ),
})

export const LogEvents = t.String({
  description:
    `Server-sent events: \`ready\` at first, a \`log\` with a row for each record, \`dropped\` with the number of
those that were left out, as they were not read in time, and \`end\` with a reason.`.replaceAll('\n', ' '),
})
