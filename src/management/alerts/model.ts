import { type Static, Type as t } from '@sinclair/typebox'
import type { Alert, AlertDelivery, AlertWebhook } from '../../store/objects/alerts.ts'
import { ALERT_KINDS, DELIVERY_STATES } from '../../store/schema/alerts.ts'
import { DateTime, nullable, OrganisationReference, Uuid, WorkspaceQuery, WorkspaceReference } from '../fields.ts'
import { pageQuery } from '../list.ts'
import { answerOf } from '../resource/answer.ts'

/** Bodies, queries and answers of alerts and their webhooks: ours, the reference has none. */

const Kind = t.Union(ALERT_KINDS.map((kind) => t.Literal(kind)))
const Kinds = t.Array(Kind, { minItems: 1, maxItems: ALERT_KINDS.length, uniqueItems: true })
const Url = t.String({ minLength: 8, maxLength: 2_048, pattern: '^https?://' })
const Name = t.String({ maxLength: 255 })
const Secret = t.String({
  minLength: 8,
  maxLength: 128,
  description: '`whsec_` and 24 to 64 bytes in base64. Absent: one is made.',
})

export const AlertsQuery = t.Object({ ...WorkspaceQuery.properties, kind: t.Optional(Kind), ...pageQuery(50, 1_000) })
export const WebhooksQuery = t.Object({ ...WorkspaceQuery.properties, ...pageQuery(50, 1_000) })

export const NewWebhook = t.Object({
  url: Url,
  name: t.Optional(nullable(Name)),
  kinds: t.Optional(nullable({ ...Kinds, description: 'Alerts that are sent there. Absent: all.' })),
  secret: t.Optional(Secret),
  is_enabled: t.Optional(t.Boolean({ default: true })),
  workspace_id: WorkspaceReference,
  organisation_id: OrganisationReference,
})
export type NewWebhookBody = Static<typeof NewWebhook>

export const WebhookChange = t.Object(
  {
    url: t.Optional(Url),
    name: t.Optional(nullable(Name)),
    kinds: t.Optional(nullable(Kinds)),
    secret: t.Optional(Secret),
    is_enabled: t.Optional(t.Boolean()),
  },
  { minProperties: 1 },
)
export type WebhookChangeBody = Static<typeof WebhookChange>

export const WebhookReceipt = t.Object({
  id: Uuid,
  secret: t.String({ description: 'What messages are signed with. Shown now alone.' }),
  object: t.Literal('alert_webhook'),
})

export const webhookAnswer = answerOf<AlertWebhook>()({
  id: Uuid,
  name: nullable(t.String()),
  url: t.String(),
  kinds: nullable(t.Array(Kind)),
  is_enabled: t.Boolean(),
  workspace_id: Uuid,
  organisation_id: Uuid,
  created_at: DateTime,
  last_updated_at: DateTime,
  object: t.Literal('alert_webhook'),
})

export const TestReceipt = t.Object({ alert_id: Uuid, object: t.Literal('alert') })

const deliveryAnswer = answerOf<AlertDelivery>()(
  {
    webhook_id: nullable({ ...Uuid, description: 'null: the webhook of the operator.' }),
    status: t.Union(DELIVERY_STATES.map((state) => t.Literal(state))),
    attempts: t.Integer(),
    last_status: nullable(t.Integer({ description: 'HTTP status of the last answer.' })),
    last_error: nullable(t.String()),
    next_attempt_at: nullable(DateTime),
    ended_at: nullable(DateTime),
  },
  {
    next_attempt_at: ({ status, nextAttemptAt }) => (status === 'pending' ? nextAttemptAt.toISOString() : null),
  },
)

/** An alert with what became of it. */
export type SentAlert = Alert & { readonly sent: readonly AlertDelivery[] }

export const alertAnswer = answerOf<SentAlert>()(
  {
    id: Uuid,
    type: Kind,
    data: t.Record(t.String(), t.Unknown()),
    deliveries: t.Array(deliveryAnswer.schema),
    workspace_id: nullable(Uuid),
    organisation_id: Uuid,
    created_at: DateTime,
    object: t.Literal('alert'),
  },
  { type: ({ kind }) => kind, deliveries: ({ sent }) => sent.map(deliveryAnswer.of) },
)
