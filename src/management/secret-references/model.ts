import { type Static, Type as t } from '@sinclair/typebox'
import type { SecretReference } from '../../store/objects/secret-references.ts'
import { SECRET_MANAGERS } from '../../store/schema/secret-references.ts'
import {
  DateTime,
  Description,
  Name,
  nullable,
  OrganisationReference,
  Reference,
  Slug,
  searchIn,
  Uuid,
} from '../fields.ts'
import { Tags } from '../integrations/model.ts'
import { pageQuery } from '../list.ts'
import { answerOf } from '../resource/answer.ts'
import { AuthConfig } from './auth-config.ts'

/** Bodies, queries and answers of secret references (interface contract, section 3.5). */

const ManagerType = t.Union(
  SECRET_MANAGERS.map((type) => t.Literal(type)),
  {
    description:
      'AWS Secrets Manager, Azure Key Vault, HashiCorp Vault; or variables and mounted files of the gateway’s machine.',
  },
)
const SecretPath = t.String({
  minLength: 1,
  maxLength: 1024,
  description:
    'The secret, as its manager names it: a name or ARN, a name and version, a mount and path, a variable, a file.',
})
const SecretKey = t.String({ minLength: 1, maxLength: 255, description: 'Field of a secret that is JSON.' })

export const SecretReferencesQuery = t.Object({
  ...pageQuery(20, 100),
  manager_type: t.Optional(ManagerType),
  search: searchIn('name or slug'),
  tags: t.Optional(
    t.String({
      minLength: 2,
      maxLength: 4096,
      description: 'JSON: `{"team":"blue"}`. Those that have all of these tags.',
    }),
  ),
})

const change = {
  description: t.Optional(nullable(Description)),
  auth_config: t.Optional(AuthConfig),
  secret_key: t.Optional(nullable(SecretKey)),
  allow_all_workspaces: t.Optional(
    t.Boolean({
      description: 'True: every workspace may use it. Default: true, unless `allowed_workspaces` is given.',
    }),
  ),
  allowed_workspaces: t.Optional(
    t.Array(Reference, {
      minItems: 1,
      maxItems: 1000,
      description:
        'Ids or slugs of the only workspaces that may use it. Not together with `allow_all_workspaces: true`.',
    }),
  ),
  tags: t.Optional(nullable(Tags)),
}

export const NewSecretReference = t.Object({
  name: Name,
  slug: t.Optional(Slug),
  manager_type: ManagerType,
  secret_path: SecretPath,
  ...change,
  organisation_id: OrganisationReference,
})
export type NewSecretReferenceBody = Static<typeof NewSecretReference>

export const SecretReferenceChange = t.Object(
  { name: t.Optional(Name), secret_path: t.Optional(SecretPath), ...change },
  { minProperties: 1 },
)
export type SecretReferenceChangeBody = Static<typeof SecretReferenceChange>

const object = t.Literal('secret-reference')
export const SecretReferenceReceipt = t.Object({ id: Uuid, slug: t.String(), object })

/** A reference with the workspaces that are listed as allowed. */
export interface ShownReference extends SecretReference {
  readonly allowedWorkspaces: readonly string[]
}

const summary = {
  id: Uuid,
  name: t.String(),
  slug: t.String(),
  manager_type: ManagerType,
  status: t.Literal('ACTIVE'),
  created_at: DateTime,
  last_updated_at: DateTime,
  object,
}

export const listedReference = answerOf<SecretReference>()(summary)

/** The whole reference, the secrets of its login masked. */
export const referenceAnswer = answerOf<ShownReference>()(
  {
    ...summary,
    organisation_id: Uuid,
    description: nullable(t.String()),
    secret_path: t.String(),
    secret_key: nullable(t.String()),
    allow_all_workspaces: t.Boolean(),
    allowed_workspaces: t.Array(Uuid, { description: 'Empty where every workspace may use it.' }),
    tags: nullable(Tags),
    created_by: t.String(),
    auth_config: t.Record(t.String(), t.String(), { description: 'Secrets are masked.' }),
  },
  {
    allowed_workspaces: ({ allowedWorkspaces }) => [...allowedWorkspaces],
    auth_config: ({ authConfig, masked }) => ({ ...authConfig, ...masked }),
  },
)
