import { type Static, Type as t } from '@sinclair/typebox'
import { DateTime } from '../../fields.ts'

/** Items of one call. */
const MAX_ITEMS = 1_000

const Headers = t.Record(t.String({ maxLength: 256 }), t.Union([t.String({ maxLength: 16_384 }), t.Number()]), {
  maxProperties: 200,
})
const ms = t.Number({ minimum: 0, maximum: 86_400_000, description: 'Milliseconds.' })
const id = t.String({ minLength: 1, maxLength: 256 })
const others = { additionalProperties: true }

export const NewLog = t.Object(
  {
    request: t.Object(
      {
        url: t.String({
          minLength: 1,
          maxLength: 2048,
          description: 'Where the provider was asked. It is not called.',
        }),
        method: t.Optional(t.String({ pattern: '^(GET|POST|PUT|DELETE|PATCH|OPTIONS|HEAD)$' })),
        headers: t.Optional(Headers),
        body: t.Unknown({ description: 'JSON or text.' }),
        provider: t.Optional(t.String({ minLength: 1, maxLength: 128, description: 'Its id, for the price.' })),
      },
      others,
    ),
    response: t.Object(
      {
        status: t.Optional(t.Integer({ minimum: 100, maximum: 599, default: 200 })),
        headers: t.Optional(Headers),
        body: t.Unknown({ description: 'JSON or text.' }),
        response_time: t.Optional(ms),
        streamingMode: t.Optional(t.Boolean()),
      },
      others,
    ),
    metadata: t.Optional(
      t.Object(
        {
          trace_id: t.Optional(id),
          span_id: t.Optional(id),
          parent_span_id: t.Optional(id),
          span_name: t.Optional(id),
        },
        {
          additionalProperties: t.Union([t.String(), t.Number(), t.Boolean()]),
          maxProperties: 68,
          description: 'Ids of the trace, and labels; values are kept as texts of 128 characters.',
        },
      ),
    ),
    output: t.Optional(
      t.Object({
        tokens: t.Optional(t.Integer({ minimum: 0, maximum: 1_000_000_000 })),
        cost: t.Optional(t.Number({ minimum: 0, maximum: 900_000, description: 'US cents.' })),
      }),
    ),
    createdAt: t.Optional({ ...DateTime, description: 'When it was made; absent: now.' }),
  },
  { description: 'A call that was made elsewhere.' },
)
export type NewLog = Static<typeof NewLog>

export const NewLogs = t.Union([NewLog, t.Array(NewLog, { minItems: 1, maxItems: MAX_ITEMS })])
