import { type Static, Type as t } from '@sinclair/typebox'
import { RECORD_KINDS, type RecordOutcome } from '../core/records.ts'
import { DateTime } from './fields.ts'

/** What records can be looked for by, in analytics, lists of logs and exports alike (interface contract, section 5.1). */

const list = (description: string) =>
  t.Optional(t.String({ minLength: 1, maxLength: 8192, description: `${description}, separated by commas.` }))
const units = t.Optional(t.Integer({ minimum: 0 }))
const cents = t.Optional(t.Number({ minimum: 0, description: 'In cents; both ends belong to the range.' }))
const weighted = t.Optional(t.Number({ minimum: -10, maximum: 10, description: 'Value × weight, of the trace.' }))
const milliseconds = t.Optional(t.Integer({ minimum: 0, description: 'Milliseconds.' }))

const from = { ...DateTime, description: 'Not before this.' }
const to = { ...DateTime, description: 'Before this.' }

/** The time that analytics are about. */
export const requiredRange = { time_of_generation_min: from, time_of_generation_max: to }

/** The time that a list is about: absent, all that is kept. */
export const optionalRange = { time_of_generation_min: t.Optional(from), time_of_generation_max: t.Optional(to) }

/** The documented filters. */
export const recordFilters = {
  total_units_min: units,
  total_units_max: units,
  prompt_token_min: units,
  prompt_token_max: units,
  completion_token_min: units,
  completion_token_max: units,
  cost_min: cents,
  cost_max: cents,
  status_code: list('Status codes'),
  weighted_feedback_min: weighted,
  weighted_feedback_max: weighted,
  virtual_keys: list('Slugs of stored providers'),
  configs: list('Ids or slugs of configs'),
  api_key_ids: list('Ids of API keys'),
  trace_id: list('Trace ids'),
  span_id: list('Span ids'),
  prompt_slug: list('Slugs of prompts'),
  metadata: t.Optional(
    t.String({
      minLength: 2,
      maxLength: 8192,
      description: 'A JSON object: each key must have the value, or one of a list of values.',
    }),
  ),
  ai_org_model: list('Models as `provider__model`'),
}

export const OUTCOMES = [
  'completed',
  'failed',
  'client_closed',
  'truncated',
  'interrupted',
] as const satisfies readonly RecordOutcome[]
export const CACHE_STATES = ['HIT', 'SEMANTIC HIT', 'MISS', 'SEMANTIC MISS', 'REFRESH', 'DISABLED'] as const

/** Filters of ours, beside the documented ones. */
export const furtherRecordFilters = {
  id: list('Ids of records'),
  kind: list(`Kinds of records (${RECORD_KINDS.join(', ')})`),
  provider: list('Ids of providers'),
  model: list('Models, as asked for or as answered'),
  endpoint: list('Endpoints, such as `chat`'),
  outcome: list(`How it ended (${OUTCOMES.join(', ')})`),
  is_success: t.Optional(t.Boolean()),
  error_code: list('Codes of errors'),
  cache_status: list(`States of the cache (${CACHE_STATES.join(', ')})`),
  user: list('Users, as `_user` of the metadata'),
  response_time_min: milliseconds,
  response_time_max: milliseconds,
}

const Filters = t.Object({ ...optionalRange, ...recordFilters, ...furtherRecordFilters })
export type RecordFilterQuery = Static<typeof Filters>
