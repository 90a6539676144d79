import { and, asc, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import { configs, configVersions } from '../schema/configs.ts'
import { guardrailDefaults, guardrails, guardrailVersions } from '../schema/guardrails.ts'
import { workspaces } from '../schema/tenancy.ts'
import type { Db } from '../types.ts'
import { type At, versionedRowsOf } from './versioned-rows.ts'

export type Guardrail = Readonly<typeof guardrails.$inferSelect>
export type GuardrailVersion = Readonly<typeof guardrailVersions.$inferSelect>
export type GuardrailAt = At<Guardrail, GuardrailVersion>

/** Whose guardrails are meant: those of a workspace, or those that an organisation has for all of its workspaces. */
export interface GuardrailPlace {
  readonly organisationId: string
  readonly workspaceId: string | null
}

/** Constraint that a second guardrail of the same slug breaks, for `isUniqueViolation`. */
export const GUARDRAIL_SLUG_TAKEN = 'guardrails_organisation_slug'

export const guardrailRows = versionedRowsOf(guardrails, guardrailVersions, 'guardrailId', {
  /** Of this workspace; null stands for those of the organisation. */
  of: (workspaceId: string | null): SQL =>
    workspaceId === null ? isNull(guardrails.workspaceId) : eq(guardrails.workspaceId, workspaceId),
  /** Those that calls of this workspace can name: its own, and those of the organisation. */
  usableIn: (workspaceId: string): SQL | undefined =>
    or(isNull(guardrails.workspaceId), eq(guardrails.workspaceId, workspaceId)),
})

/** A guardrail in its current version. */
export const atNewest = async (db: Db, object: Guardrail): Promise<GuardrailAt> => {
  const version = await guardrailRows.findVersion(db, object.id, object.version)
  if (version === undefined) throw new Error('A guardrail has no version.')
  return { object, version }
}

/** What needs a guardrail to stay. */
export interface GuardrailUser {
  readonly kind: 'organisation' | 'workspace' | 'config'
  /** Slug of the workspace or config. */
  readonly slug: string | null
}

/** Most users that are looked for: a refusal names a few of them. */
const MAX_USERS = 6

/** Sets of defaults that a guardrail is in, and active configs whose current version names it. */
export const findGuardrailUsers = async (
  db: Db,
  { id, slug, organisationId, workspaceId }: Pick<Guardrail, 'id' | 'slug' | 'organisationId' | 'workspaceId'>,
): Promise<readonly GuardrailUser[]> => {
  const inDefaults = await db
    .selectDistinct({ slug: workspaces.slug })
    .from(guardrailDefaults)
    .leftJoin(workspaces, eq(workspaces.id, guardrailDefaults.workspaceId))
    .where(eq(guardrailDefaults.guardrailId, id))
    .orderBy(asc(workspaces.slug))
    .limit(MAX_USERS)
  const isCurrent = and(eq(configVersions.configId, configs.id), eq(configVersions.number, configs.version))
  const inConfigs = await db
    .select({ slug: configs.slug })
    .from(configs)
    .innerJoin(configVersions, isCurrent)
    .where(
      and(
        eq(configs.organisationId, organisationId),
        workspaceId === null ? undefined : eq(configs.workspaceId, workspaceId),
        eq(configs.status, 'active'),
        or(says(id), says(slug)),
      ),
    )
    .orderBy(asc(configs.createdAt), asc(configs.id))
    .limit(MAX_USERS)
  return [
    ...inDefaults.map((row) => ({
      kind: row.slug === null ? ('organisation' as const) : ('workspace' as const),
      ...row,
    })),
    ...inConfigs.map((row) => ({ kind: 'config' as const, ...row })),
  ]
}

/** Whether the text stands in a config as a whole value, in either case. A slug or id of a guardrail is nothing else there. */
const says = (text: string): SQL =>
  sql`position(${JSON.stringify(text.toLowerCase())}::text in lower(${configVersions.config}::text)) > 0`
