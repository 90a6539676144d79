import { type Static, Type as t } from '@sinclair/typebox'
import { Uuid } from '../fields.ts'

/** Bodies and answers of feedback (interface contract, section 5.2). */

const MAX_ROWS = 1_000
const MAX_LABELS = 64

const fields = {
  value: t.Integer({ minimum: -10, maximum: 10 }),
  weight: t.Optional(t.Number({ description: '0 to 1; anything beyond counts as 1, and so does no weight.' })),
  metadata: t.Optional(
    t.Record(t.String({ minLength: 1, maxLength: 128 }), t.Unknown(), {
      maxProperties: MAX_LABELS,
      description: 'Texts are cut to 128 characters; what is no text becomes JSON.',
    }),
  ),
}
const TraceId = t.String({ minLength: 1, maxLength: 1024, description: 'That of the calls which it is about.' })

export const NewFeedback = t.Object({ trace_id: TraceId, ...fields })
export type NewFeedback = Static<typeof NewFeedback>

export const NewFeedbacks = t.Union([NewFeedback, t.Array(NewFeedback, { minItems: 1, maxItems: MAX_ROWS })])

export const FeedbackChange = t.Object({
  ...fields,
  feedback_id: t.Optional({ ...Uuid, description: 'That of the path, if given at all.' }),
  trace_id: t.Optional({ ...TraceId, description: 'What it was, if given at all: it never changes.' }),
})
export type FeedbackChange = Static<typeof FeedbackChange>

export const FeedbackSaved = t.Object({
  status: t.Literal('success'),
  message: t.String(),
  feedback_ids: t.Array(Uuid, { description: 'In the order of the body.' }),
})
