import { boolean, foreignKey, index, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import type { MaskedFields, SealedFields, Tags } from './integrations.ts'
import { organisations, rowTimes, workspaces } from './tenancy.ts'

/** Where secrets may be kept: managers of others, and variables and files of the machine that Weir runs on. */
export const SECRET_MANAGERS = ['aws_sm', 'azure_kv', 'hashicorp_vault', 'environment', 'file'] as const
export type SecretManagerType = (typeof SECRET_MANAGERS)[number]

/** A secret that is kept elsewhere, and how to get it (contract 3.5). The secret itself is never stored. */
export const secretReferences = pgTable(
  'secret_references',
  {
    id: uuid().primaryKey(),
    organisationId: uuid()
      .notNull()
      .references(() => organisations.id),
    /** Unique within the organisation; never changes. */
    slug: text().notNull(),
    name: text().notNull(),
    description: text(),
    managerType: text({ enum: SECRET_MANAGERS }).notNull(),
    /** What `auth_config` says but for secrets, by the names of the contract. */
    authConfig: jsonb().$type<Readonly<Record<string, string>>>().notNull().default({}),
    /** The secrets of `auth_config`, sealed. */
    secrets: jsonb().$type<SealedFields>().notNull().default({}),
    masked: jsonb().$type<MaskedFields>().notNull().default({}),
    secretPath: text().notNull(),
    /** Field of a secret that is JSON, for mappings that name none. */
    secretKey: text(),
    /** False: only those of `secret_reference_workspaces`. */
    allowAllWorkspaces: boolean().notNull().default(true),
    tags: jsonb().$type<Tags>(),
    /** Id of the user or key that made it. */
    createdBy: text().notNull(),
    ...rowTimes(),
  },
  (table) => [unique('secret_references_organisation_slug').on(table.organisationId, table.slug)],
)

/** Workspaces that may use a reference which is not for all. */
export const secretReferenceWorkspaces = pgTable(
  'secret_reference_workspaces',
  {
    secretReferenceId: uuid().notNull(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ name: 'secret_reference_workspaces_key', columns: [table.secretReferenceId, table.workspaceId] }),
    // Named here, as the name that would be made is longer than Postgres keeps.
    foreignKey({
      name: 'secret_reference_workspaces_reference',
      columns: [table.secretReferenceId],
      foreignColumns: [secretReferences.id],
    }).onDelete('cascade'),
    index('secret_reference_workspaces_workspace').on(table.workspaceId),
  ],
)
