import { Type as t } from '@sinclair/typebox'
import { searchIn, Uuid } from '../fields.ts'
import { listOf, pageQuery } from '../list.ts'

/** Queries and answers of the use of usage limits policies. */

export const EntityStatus = t.Union([t.Literal('active'), t.Literal('exhausted')])

export const EntitiesQuery = t.Object({
  status: t.Optional({ ...EntityStatus, description: 'Absent: both.' }),
  search: searchIn('value key'),
  ...pageQuery(50, 100),
})

export const EntityList = listOf(
  t.Object({
    id: Uuid,
    value_key: t.String(),
    current_usage: t.Number({ minimum: 0, description: 'US dollars, tokens or requests, by the type of the policy.' }),
  }),
)

export const ValueKeyUsage = t.Object({
  current_usage: t.Number({ minimum: 0 }),
  status: EntityStatus,
  is_threshold_alerts_sent: t.Boolean(),
  is_exhausted_alerts_sent: t.Boolean(),
})
