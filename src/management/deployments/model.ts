import { type Static, Type as t } from '@sinclair/typebox'
import { DateTime, Flag, Name, nullable, OrganisationReference, Reference, Status, searchIn, Uuid } from '../fields.ts'
import { Tags } from '../integrations/model.ts'
import { pageQuery } from '../list.ts'
import { outsideTag } from '../preconditions/entity-tag.ts'
import { answerOf } from '../resource/answer.ts'
import type { ShownDeployment } from './shown.ts'

/** Bodies, queries and answers of deployments (interface contract, section 3.9; behaviours, section 12.5). */

const DeploymentType = t.Union([t.Literal('production'), t.Literal('non_production')])
const DeploymentSlug = t.String({ pattern: '^[a-zA-Z0-9_-]+$', minLength: 1, maxLength: 50 })
const Url = t.String({ minLength: 1, maxLength: 2048, pattern: '^[hH][tT][tT][pP][sS]?://' })
const Bit = t.Union([t.Literal(0), t.Literal(1)])
const Workspaces = t.Array(Reference, { maxItems: 1000, description: 'Ids or slugs.' })
const Subject = t.String({ minLength: 1, maxLength: 255 })
const Subjects = t.Array(Subject, { maxItems: 1000 })
const SubjectWorkspaces = t.Record(Subject, Reference, {
  maxProperties: 1000,
  additionalProperties: false,
  description: 'Id or slug of a workspace, by subject.',
})
/** Whatever the operator wants to keep with it; shown as it is. */
const DeploymentConfig = t.Record(t.String({ minLength: 1, maxLength: 255 }), t.Unknown(), {
  maxProperties: 200,
  additionalProperties: false,
  description: 'Kept and shown as it is. No place for secrets.',
})

const settings = {
  gateway_base_url: t.Optional({ ...nullable(Url), description: 'Where the data plane is reached, for the ping.' }),
  mcp_gateway_base_url: t.Optional(nullable(Url)),
  is_dataservice_hosted: t.Optional(Flag),
  is_playground_proxy_allowed: t.Optional(Flag),
  allow_all_workspaces: t.Optional({
    ...Flag,
    description: 'Every workspace, later ones too. Not together with `workspaces_allowed`.',
  }),
  workspaces_allowed: t.Optional(Workspaces),
  jwt_subs_allowed: t.Optional(Subjects),
  jwt_sub_workspace_mapping: t.Optional(nullable(SubjectWorkspaces)),
}

const NewSettings = t.Object(settings)
const SettingsChange = t.Object({
  ...settings,
  remove_workspaces_allowed: t.Optional(Workspaces),
  remove_subs_allowed: t.Optional(Subjects),
})
export type SettingsBody = Static<typeof SettingsChange>

/** The older form says `tags[name]=value`, once for each. */
const TagsQuery = t.Union(
  [
    t.String({ minLength: 1, maxLength: 4096 }),
    t.Record(t.String({ minLength: 1, maxLength: 128 }), t.String({ maxLength: 255 }), {
      minProperties: 1,
      maxProperties: 50,
      additionalProperties: false,
    }),
  ],
  { description: '`tags[name]=value`, or the same as a JSON object; or the name of a tag, whatever its value.' },
)

export const DeploymentsQuery = t.Object({
  ...pageQuery(100, 1000),
  status: t.Optional(Status),
  type: t.Optional(DeploymentType),
  workspace_slug: t.Optional(
    t.Array(Reference, {
      maxItems: 100,
      description: 'Those that are allowed this workspace, or one of several: may be given more than once.',
    }),
  ),
  search: searchIn('name'),
  tags: t.Optional(TagsQuery),
})
export type TagsAsked = Static<typeof TagsQuery>

export const NewDeployment = t.Object({
  name: Name,
  slug: t.Optional(DeploymentSlug),
  type: t.Optional({ ...DeploymentType, default: 'production' }),
  deployment_config: t.Optional(nullable(DeploymentConfig)),
  is_default: t.Optional({ ...Flag, description: 'One of an organisation at most.' }),
  auth_settings: t.Optional(NewSettings),
  tags: t.Optional(nullable(Tags)),
  organisation_id: OrganisationReference,
})
export type NewDeploymentBody = Static<typeof NewDeployment>

export const DeploymentChange = t.Object(
  {
    name: t.Optional(Name),
    type: t.Optional(DeploymentType),
    status: t.Optional({ ...Status, description: '`archived` ends its data planes, `active` restores it.' }),
    deployment_config: t.Optional(nullable(DeploymentConfig)),
    is_default: t.Optional(Flag),
    rotate_auth: t.Optional(
      t.Boolean({ description: 'True: new credentials, shown in this answer alone. The old ones end at once.' }),
    ),
    override_existing: t.Optional(
      t.Boolean({ description: 'True: lists take the place of those before; else they are added to them.' }),
    ),
    auth_settings: t.Optional(SettingsChange),
    tags: t.Optional(nullable(Tags)),
  },
  { minProperties: 1 },
)
export type DeploymentChangeBody = Static<typeof DeploymentChange>

export const ReadDeployment = t.Object({
  include_credentials: t.Optional(t.Boolean({ default: true, description: 'False: without the masked credentials.' })),
})

const Credentials = t.Object({ username: t.String(), password: t.String() })
const secrets = {
  client_auth: t.String({ description: 'Both as a client sends them: what stands behind `Basic`.' }),
  credentials: Credentials,
}

export const DeploymentReceipt = t.Object({
  id: Uuid,
  organisation_id: Uuid,
  ...secrets,
  object: t.Literal('deployment'),
})
/** Empty, unless the credentials were rotated. */
export const ChangeReceipt = t.Partial(t.Object(secrets))

const Connection = t.Union([t.Literal('healthy'), t.Literal('unhealthy'), t.Literal('unknown')])

const listedFields = {
  id: Uuid,
  name: t.String(),
  slug: t.String(),
  type: DeploymentType,
  status: Status,
  is_default: Bit,
  connection_status: outsideTag(Connection),
  created_by: t.String(),
  created_at: DateTime,
  last_updated_at: DateTime,
  last_synced_at: outsideTag(nullable(DateTime)),
  last_resynced_at: outsideTag(nullable(DateTime)),
  tags: nullable(Tags),
  object: t.Literal('deployment'),
}

const toBit = (flag: boolean): 0 | 1 => (flag ? 1 : 0)
const listed = { is_default: ({ isDefault }: ShownDeployment) => toBit(isDefault) }

export const listedDeployment = answerOf<ShownDeployment>()(listedFields, listed)

const ShownSettings = t.Object({
  gateway_base_url: nullable(t.String()),
  mcp_gateway_base_url: nullable(t.String()),
  is_dataservice_hosted: Bit,
  is_playground_proxy_allowed: Bit,
  workspaces_allowed: t.Array(Uuid),
  allow_all_workspaces: Bit,
  jwt_subs_allowed: t.Array(t.String()),
  jwt_sub_workspace_mapping: t.Record(t.String(), t.String()),
  private_link_endpoint: t.Null(),
  use_private_link_proxy: t.Literal(0),
  disable_gateway: t.Literal(0),
})

export const deploymentAnswer = answerOf<ShownDeployment>()(
  {
    ...listedFields,
    organisation_id: Uuid,
    auth_settings: ShownSettings,
    deployment_config: nullable(t.Record(t.String(), t.Unknown())),
    workspaces: t.Array(t.Object({ id: Uuid, slug: t.String() })),
    client_auth: t.Optional(outsideTag(t.String({ description: 'Masked.' }))),
    credentials: t.Optional(
      outsideTag(t.Object({ ...Credentials.properties, password: t.String({ description: 'Masked.' }) })),
    ),
  },
  {
    ...listed,
    auth_settings: ({ settings, allowAllWorkspaces, workspaces }) => ({
      gateway_base_url: settings.gateway_base_url ?? null,
      mcp_gateway_base_url: settings.mcp_gateway_base_url ?? null,
      is_dataservice_hosted: settings.is_dataservice_hosted ?? 0,
      is_playground_proxy_allowed: settings.is_playground_proxy_allowed ?? 0,
      workspaces_allowed: workspaces.map(({ id }) => id),
      allow_all_workspaces: toBit(allowAllWorkspaces),
      jwt_subs_allowed: [...(settings.jwt_subs_allowed ?? [])],
      jwt_sub_workspace_mapping: { ...settings.jwt_sub_workspace_mapping },
      private_link_endpoint: null,
      use_private_link_proxy: 0,
      disable_gateway: 0,
    }),
    workspaces: ({ workspaces }) => workspaces.map(({ id, slug }) => ({ id, slug })),
    client_auth: ({ masked }) => masked.clientAuth,
    credentials: ({ username, masked }) => ({ username, password: masked.password }),
  },
)

const Outbound = t.Object({
  status: t.Union([t.Literal('healthy'), t.Literal('unhealthy'), t.Literal('unreachable')]),
  status_code: nullable(t.Integer()),
  version: nullable(t.String({ description: 'What it said when it was last connected.' })),
  error: nullable(t.String()),
})
const Inbound = t.Object({
  status: t.Union([t.Literal('healthy'), t.Literal('failed')]),
  error: nullable(t.String()),
})

export const PingAnswer = t.Object({
  status: t.Union([t.Literal('healthy'), t.Literal('partial'), t.Literal('unhealthy')]),
  gateway_base_url: t.String(),
  outbound: Outbound,
  inbound: Inbound,
  object: t.Literal('deployment_ping'),
})
export type Ping = Static<typeof PingAnswer>
