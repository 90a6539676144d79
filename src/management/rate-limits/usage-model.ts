import { Type as t } from '@sinclair/typebox'
import { DateTime } from '../fields.ts'
import { listOf, pageQuery } from '../list.ts'
import { Group } from '../policies/evaluation-model.ts'

/** Bodies, queries and answers of the use of rate limits policies. */

export const UsageQuery = t.Object(pageQuery(50, 100))

const Milliseconds = t.Integer({ minimum: 0 })

export const UsageList = listOf(
  t.Object({
    group: Group,
    used: t.Number({ minimum: 0 }),
    limit: t.Integer(),
    remaining: t.Number({ minimum: 0 }),
    debt: t.Number({ minimum: 0, description: 'Tokens used beyond the limit: calls wait until they have left.' }),
    release_in_ms: { ...Milliseconds, description: 'Until the oldest part of `used` has left the window.' },
    reset_in_ms: { ...Milliseconds, description: 'Until all of it has.' },
    resets_at: DateTime,
  }),
)

export const ResetUsage = t.Object({
  group: t.Record(t.String(), t.Union([t.String({ maxLength: 1024 }), t.Null()]), {
    maxProperties: 20,
    additionalProperties: false,
    description: 'A value for each key of `group_by`; null for calls that have none.',
  }),
})
