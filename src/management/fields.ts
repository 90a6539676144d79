import { type TSchema, Type as t } from '@sinclair/typebox'
import { outsideTag } from './preconditions/entity-tag.ts'

/** Fields that many objects of the management interface share (interface contract, sections 1.6 and 1.7). */

export const nullable = <Schema extends TSchema>(schema: Schema) => t.Union([schema, t.Null()])

export const Uuid = t.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$', maxLength: 36 })
export const Slug = t.String({ pattern: '^[a-zA-Z0-9_-]+$', minLength: 1, maxLength: 255 })
export const Name = t.String({ minLength: 1, maxLength: 255 })
export const Description = t.String({ maxLength: 1024 })
/** An id or a slug; which of the two is found out by looking. */
export const Reference = t.String({ minLength: 1, maxLength: 255 })
/** The workspace that a call is about: see `resolveWorkspace`. */
export const WorkspaceReference = t.Optional({
  ...Reference,
  description: 'Id or slug. Absent: the own one, or the default one of the organisation.',
})
export const WorkspaceQuery = t.Object({ workspace_id: WorkspaceReference })
export const OrganisationReference = t.Optional({
  ...Uuid,
  description: 'The organisation of the caller, if given at all.',
})
export const Flag = t.Union([t.Boolean(), t.Literal(0), t.Literal(1)])
/** An archived object serves no calls, and can be read and restored. */
export const Status = t.Union([t.Literal('active'), t.Literal('archived')])
/** RFC 3339, always with an offset. */
export const DateTime = t.String({
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$',
})

/** A field of an answer that a client may send back as it got it. */
const shown = <Schema extends TSchema>(schema: Schema, description: string) =>
  t.Optional(outsideTag({ ...schema, readOnly: true, description: `${description} Shown; ignored in a body.` }))

export const UsageLimits = t.Object({
  credit_limit: t.Integer({ minimum: 1 }),
  type: t.Union([t.Literal('cost'), t.Literal('tokens')], {
    default: 'cost',
    description: 'What is counted: US dollars, or tokens.',
  }),
  alert_threshold: t.Optional(nullable(t.Integer({ minimum: 1 }))),
  periodic_reset: t.Optional(
    t.Union([t.Literal('monthly'), t.Literal('weekly'), t.Null()], {
      description: 'Counts begin anew on the first of each month, or on each Monday, at 00:00 UTC.',
    }),
  ),
  periodic_reset_days: t.Optional(
    t.Union([t.Integer({ minimum: 1, maximum: 365 }), t.Null()], {
      description: 'Counts begin anew each so many days, at 00:00 UTC. Not together with `periodic_reset`.',
    }),
  ),
  next_usage_reset_at: t.Optional(
    outsideTag(t.Union([DateTime, t.Null()], { description: 'The first reset, at 00:00 UTC of that day.' })),
  ),
  enforcement: t.Optional(
    t.Union([t.Literal('soft'), t.Literal('reserve')], {
      default: 'soft',
      description:
        '`soft`: calls in flight finish. `reserve`: the most that a call can cost is held back before it is made.',
    }),
  ),
  id: shown(Uuid, 'Id of the budget.'),
  status: shown(t.Union([t.Literal('active'), t.Literal('exhausted')]), 'Exhausted: calls are refused.'),
  current_usage: shown(t.Number({ minimum: 0 }), 'US dollars or tokens, since the last reset.'),
  is_threshold_alerts_sent: shown(t.Boolean(), 'Whether it was told that `alert_threshold` was reached.'),
  is_exhausted_alerts_sent: shown(t.Boolean(), 'Whether it was told that nothing is left.'),
})

const limitType = t.Union([t.Literal('requests'), t.Literal('tokens')])

/** Rate limit of an integration, provider or workspace. */
export const RateLimit = t.Object({
  type: limitType,
  unit: t.Union([t.Literal('rpd'), t.Literal('rph'), t.Literal('rpm')]),
  value: t.Integer({ minimum: 0 }),
})

/** Rate limit of an API key, which has more units. */
export const KeyRateLimit = t.Object({
  type: limitType,
  unit: t.Union([t.Literal('rpd'), t.Literal('rph'), t.Literal('rpm'), t.Literal('rps'), t.Literal('rpw')]),
  value: t.Integer({ minimum: 0 }),
})

/** A part of a text that a list is searched for. */
export const searchIn = (what: string) =>
  t.Optional(t.String({ minLength: 1, maxLength: 255, description: `A part of the ${what}, in either case.` }))

export const Empty = t.Object({})
