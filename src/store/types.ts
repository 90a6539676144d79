import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import * as apiKeysSchema from './schema/api-keys.ts'
import * as auditLogSchema from './schema/audit-log.ts'
import * as collectionsSchema from './schema/collections.ts'
import * as configsSchema from './schema/configs.ts'
import * as deploymentsSchema from './schema/deployments.ts'
import * as guardrailsSchema from './schema/guardrails.ts'
import * as integrationsSchema from './schema/integrations.ts'
import * as keptResponsesSchema from './schema/kept-responses.ts'
import * as labelsSchema from './schema/labels.ts'
import * as logExportsSchema from './schema/log-exports.ts'
import * as mirrorSchema from './schema/mirror.ts'
import * as promptPartialsSchema from './schema/prompt-partials.ts'
import * as promptsSchema from './schema/prompts.ts'
import * as providersSchema from './schema/providers.ts'
import * as rateLimitPoliciesSchema from './schema/rate-limit-policies.ts'
import * as secretReferencesSchema from './schema/secret-references.ts'
import * as secretsSchema from './schema/secrets.ts'
import * as tenancySchema from './schema/tenancy.ts'
import * as usageLimitPoliciesSchema from './schema/usage-limit-policies.ts'

export const schema = {
  ...tenancySchema,
  ...apiKeysSchema,
  ...integrationsSchema,
  ...providersSchema,
  ...configsSchema,
  ...deploymentsSchema,
  ...guardrailsSchema,
  ...collectionsSchema,
  ...keptResponsesSchema,
  ...labelsSchema,
  ...logExportsSchema,
  ...mirrorSchema,
  ...promptsSchema,
  ...promptPartialsSchema,
  ...rateLimitPoliciesSchema,
  ...usageLimitPoliciesSchema,
  ...auditLogSchema,
  ...secretReferencesSchema,
  ...secretsSchema,
}

/**
 * What every query takes as its first argument: Postgres, the embedded database, or a transaction of either. Use the
 * query builder on it, never the rows of `execute`: their shape differs between the two drivers.
 */
export type Db = PgDatabase<PgQueryResultHKT, typeof schema>

/** The open database of one gateway. */
export interface Store {
  /**
   * Every call on it ends within the deadline of the store. Throws `StoreUnavailable` when the database cannot answer
   * and `QueryFailed` when it refuses; neither holds a value of the query.
   */
  readonly db: Db
  readonly kind: 'pglite' | 'postgres'
  /** The last change found no room on the disk of the database; false again with the first one that does. */
  isFull(): boolean
  /** Resolves when the database answers. Throws `StoreUnavailable`. */
  ping(): Promise<void>
  /**
   * Calls the listener with the name of each table that changed, by this or another gateway, after the commit. `*` means
   * that the connection was away and anything may have changed.
   * @returns stops listening
   */
  onChange(listener: (table: string) => void): Promise<() => Promise<void>>
  close(): Promise<void>
}

/** What a command needs of a store: it is over before a change could matter to it. */
export type CommandStore = Omit<Store, 'onChange'>
