import { type Static, Type as t } from '@sinclair/typebox'
import { defined } from '../../core/defined.ts'
import type { DefaultSets } from '../../store/objects/guardrail-defaults.ts'
import { DEFAULT_WORKSPACE_SLUG, type Workspace } from '../../store/objects/workspaces.ts'
import { DateTime, Description, Name, nullable, RateLimit, Reference, searchIn, UsageLimits, Uuid } from '../fields.ts'
import { showSetDefaults } from '../guardrails/default-sets.ts'
import { defaultSets } from '../guardrails/model.ts'
import { pageQuery } from '../list.ts'
import { fromLogSettings, Logs } from '../log-settings/model.ts'
import { NewMember } from '../members/model.ts'
import { showUsageLimits, type WithUse } from '../own-budgets/live-budgets.ts'
import { answerOf } from '../resource/answer.ts'

/** Bodies, queries and answers of workspaces (interface contract, section 8). */

const Status = t.Union([t.Literal('active'), t.Literal('archived')])

const Defaults = t.Object(
  {
    metadata: t.Optional(
      t.Record(t.String({ minLength: 1, maxLength: 128 }), t.String({ maxLength: 128 }), {
        maxProperties: 64,
        additionalProperties: false,
        description: 'Added to the metadata of each request, and wins over it.',
      }),
    ),
    config_id: t.Optional(
      nullable({
        ...Reference,
        description:
          'Id or slug of the default config of the workspace; absent: it stays. A creation cannot name one yet.',
      }),
    ),
    ...defaultSets,
  },
  { description: 'What requests of the workspace get that do not bring their own.' },
)

const UserKeyConfig = t.Object(
  {
    enabled: t.Boolean({ description: 'True: whoever becomes a member gets a key without asking.' }),
    scopes: t.Optional(
      t.Array(t.String({ minLength: 1, maxLength: 64 }), {
        minItems: 1,
        maxItems: 200,
        description: 'What such a key may do, as far as the role of the member lets them. Absent: all of that.',
      }),
    ),
  },
  { description: 'Keys of members.' },
)

const settings = {
  description: t.Optional(nullable(Description)),
  defaults: t.Optional(nullable(Defaults)),
  usage_limits: t.Optional(
    nullable(
      t.Array(UsageLimits, {
        maxItems: 2,
        description: 'Budgets of the workspace as a whole: at most one of each type.',
      }),
    ),
  ),
  logs: t.Optional(nullable(Logs)),
  rate_limits: t.Optional(
    nullable(t.Array(RateLimit, { maxItems: 6, description: 'At most one for each pair of type and unit.' })),
  ),
  user_api_key_config: t.Optional(nullable(UserKeyConfig)),
}

export const CreateWorkspace = t.Object({
  name: Name,
  ...settings,
  users: t.Optional(
    t.Array(
      t.Union([Reference, NewMember], {
        description: 'Id or address of a user, who becomes a member; or with a role.',
      }),
      {
        maxItems: 100,
      },
    ),
  ),
})

export const UpdateWorkspace = t.Object(
  {
    name: t.Optional(Name),
    ...settings,
    reset_usage: t.Optional(t.Boolean({ description: 'True: the counts of its budgets begin at 0 again.' })),
  },
  { minProperties: 1 },
)
export type UpdateWorkspaceBody = Static<typeof UpdateWorkspace>

export const DeleteWorkspace = t.Object({
  workspace_id: t.Optional({ ...Reference, description: 'Id or slug once more, as older clients send it.' }),
  name: t.String({ minLength: 1, maxLength: 255, description: 'Name of the workspace, as a safeguard.' }),
  force_delete: t.Boolean({
    default: false,
    description: 'True: its API keys, providers, integrations and configs are deleted with it.',
  }),
})
export type DeleteWorkspaceBody = Static<typeof DeleteWorkspace>

export const ListWorkspaces = t.Object({
  ...pageQuery(100, 1000),
  name: searchIn('name'),
  exact_name: t.Optional(t.String({ minLength: 1, maxLength: 255 })),
  status: t.Optional(Status),
})

/** A workspace with the slugs of its default config and guardrails. */
export interface ShownWorkspace extends Workspace {
  readonly config: string | undefined
  readonly guardrails: DefaultSets
}

export const workspaceAnswer = answerOf<WithUse<ShownWorkspace>>()(
  {
    id: Uuid,
    slug: t.String(),
    name: t.String(),
    description: nullable(t.String()),
    organisation_id: Uuid,
    status: Status,
    is_default: t.Boolean({ description: 'The one that is meant where none is named; it cannot be deleted.' }),
    defaults: nullable(Defaults),
    usage_limits: t.Array(UsageLimits),
    rate_limits: t.Array(RateLimit),
    logs: nullable(Logs),
    user_api_key_config: nullable(UserKeyConfig),
    created_at: DateTime,
    last_updated_at: DateTime,
    object: t.Literal('workspace'),
  },
  {
    is_default: ({ slug }) => slug === DEFAULT_WORKSPACE_SLUG,
    defaults: ({ defaults, config, guardrails }) => {
      const named = { ...defined({ config_id: config }), ...showSetDefaults(guardrails) }
      const isEmpty = defaults === null && Object.keys(named).length === 0
      return isEmpty ? null : { metadata: defaults?.metadata ?? {}, ...named }
    },
    usage_limits: ({ usageLimits, budgetUse }) =>
      (usageLimits ?? []).map((stored) => showUsageLimits(stored, 'workspace', budgetUse)),
    rate_limits: ({ rateLimits }) => [...(rateLimits ?? [])],
    logs: ({ logs }) => logs && fromLogSettings(logs),
    user_api_key_config: ({ userKeyConfig: config }) =>
      config && { enabled: config.isAutomatic, ...(config.scopes && { scopes: [...config.scopes] }) },
  },
)
