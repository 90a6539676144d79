import { type Static, type TProperties, Type as t } from '@sinclair/typebox'
import {
  DateTime,
  Description,
  KeyRateLimit,
  Name,
  nullable,
  OrganisationReference,
  Reference,
  UsageLimits,
  Uuid,
} from '../fields.ts'
import { pageQuery } from '../list.ts'
import { KeyLogs } from '../log-settings/model.ts'

/** The least and the default: a half hour for those who hold the old secret to change to the new one. */
export const MINIMUM_TRANSITION_MS = 1_800_000
/** A year: an old secret that works for ever was not rotated. */
const MAXIMUM_TRANSITION_MS = 365 * 24 * 3_600_000

const Scopes = t.Array(t.String({ minLength: 1, maxLength: 64 }), {
  minItems: 1,
  maxItems: 200,
  description: 'What the key may do: scopes of its kind, none that the caller may not give.',
})

const RateLimits = t.Array(KeyRateLimit, { maxItems: 20 })

export const Defaults = t.Object(
  {
    metadata: t.Optional(
      t.Record(t.String({ minLength: 1, maxLength: 128 }), t.String({ maxLength: 128 }), {
        maxProperties: 64,
        additionalProperties: false,
        description: 'Added to the metadata of each request, and wins over it; that of the workspace wins over both.',
      }),
    ),
    config_id: t.Optional(nullable(Reference)),
    allow_config_override: t.Optional(
      t.Boolean({
        default: true,
        description: 'False: a request that brings a config of its own is refused while `config_id` is set.',
      }),
    ),
  },
  { description: 'What requests get that do not bring their own.' },
)

const AlertEmails = t.Array(
  t.String({ pattern: '^[^\\s@<>"]{1,64}@[^\\s@<>"]{1,189}$', description: 'An address of electronic mail.' }),
  { maxItems: 50 },
)

const transitionPeriod = t.Integer({
  minimum: MINIMUM_TRANSITION_MS,
  maximum: MAXIMUM_TRANSITION_MS,
  description: 'For how long the old secret works beside the new one. Milliseconds.',
})

export const RotationPolicy = t.Object(
  {
    rotation_period: t.Optional(nullable(t.Union([t.Literal('weekly'), t.Literal('monthly')]))),
    rotation_period_days: t.Optional(nullable(t.Integer({ minimum: 1, maximum: 365 }))),
    next_rotation_at: t.Optional({
      ...nullable(DateTime),
      description: 'For a single rotation. With a period it is shown, and may be written back as it was.',
    }),
    key_transition_period_ms: t.Optional(nullable(transitionPeriod)),
  },
  { description: 'When the key gets a new secret by itself: exactly one of the first three.' },
)

/** What both a creation and an update may set. */
const settings = {
  description: t.Optional(nullable(Description)),
  rate_limits: t.Optional(nullable(RateLimits)),
  usage_limits: t.Optional(nullable(UsageLimits)),
  logs: t.Optional(nullable(KeyLogs)),
  defaults: t.Optional(nullable(Defaults)),
  alert_emails: t.Optional(nullable(AlertEmails)),
  expires_at: t.Optional(nullable(DateTime)),
  rotation_policy: t.Optional(nullable(RotationPolicy)),
} satisfies TProperties

/** Older clients say again what the path says; `sub-type` is their spelling. */
const said = {
  type: t.Optional(t.Union([t.Literal('organisation'), t.Literal('workspace')])),
  'sub-type': t.Optional(t.Union([t.Literal('service'), t.Literal('user')])),
}

const creation = {
  ...said,
  name: Name,
  scopes: Scopes,
  organisation_id: OrganisationReference,
  ...settings,
}

const workspaceId = t.Optional({
  ...Reference,
  description: 'Id or slug. Absent: the workspace of the caller, or the default one of the organisation.',
})

export const CreateOrganisationKey = t.Object(creation)
export const CreateServiceKey = t.Object({ ...creation, workspace_id: workspaceId })
export const CreateUserKey = t.Object({
  ...creation,
  workspace_id: workspaceId,
  user_id: t.Optional({
    ...Uuid,
    description:
      'Whose key it is: a member of the workspace. Goes into the logs of its calls. Only people who make their own may leave it out.',
  }),
})

/** The body of a creation, whichever kind of key. */
export type CreateKeyBody = Static<typeof CreateOrganisationKey> &
  Partial<Pick<Static<typeof CreateUserKey>, 'workspace_id' | 'user_id'>>

export const UpdateKey = t.Object({
  id: t.Optional({ ...Uuid, description: 'That of the path, if given at all.' }),
  name: t.Optional(Name),
  scopes: t.Optional(Scopes),
  ...settings,
  reset_usage: t.Optional(t.Boolean({ description: 'True: an exhausted key is active again.' })),
})
export type UpdateKeyBody = Static<typeof UpdateKey>

export const RotateKey = t.Object({
  key_transition_period_ms: t.Optional({
    ...transitionPeriod,
    description: `For how long the old secret works beside the new one. Milliseconds; absent: what the rotation policy of the key says, else ${MINIMUM_TRANSITION_MS}.`,
  }),
})

export const CollectRotatedKey = t.Object({}, { description: 'Nothing.' })

export const SHOWN_STATUSES = t.Union([t.Literal('active'), t.Literal('exhausted'), t.Literal('expired')])

export const ListKeys = t.Object({
  ...pageQuery(100, 1000),
  workspace_id: t.Optional({
    ...Reference,
    description: 'Id or slug. Absent with a key of the organisation: all of its keys, in every workspace.',
  }),
  status: t.Optional(SHOWN_STATUSES),
})

export const CreatedKey = t.Object({
  id: Uuid,
  key: t.String({ description: 'The key itself. Shown this once.' }),
  object: t.Literal('api-key'),
})

export const RotatedKey = t.Object({
  id: Uuid,
  key: t.String({ description: 'The new secret. Shown this once.' }),
  key_transition_expires_at: DateTime,
})

export const ReadKey = t.Object({
  workspace_id: t.Optional({ ...Reference, description: 'Id or slug: the key must belong to it.' }),
  include_usage: t.Optional(t.Boolean({ default: false, description: 'True: the answer has `rate_limit_usage`.' })),
})
