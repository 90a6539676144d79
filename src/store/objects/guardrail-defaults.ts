import { and, asc, eq, inArray, isNull, type SQL } from 'drizzle-orm'
import type { CheckStage } from '../../core/guardrails.ts'
import { guardrailDefaults, guardrailExclusions, guardrails } from '../schema/guardrails.ts'
import { organisations, workspaces } from '../schema/tenancy.ts'
import type { Db } from '../types.ts'
import type { GuardrailPlace } from './guardrails.ts'
import { newId } from './rows.ts'

/** Slugs of the guardrails of every call, in the order in which they run. */
export type DefaultSets = Readonly<Record<CheckStage, readonly string[]>>

export const NO_DEFAULTS: DefaultSets = { input: [], output: [] }

const ownedBy = ({ organisationId, workspaceId }: GuardrailPlace): SQL | undefined =>
  workspaceId === null
    ? and(eq(guardrailDefaults.organisationId, organisationId), isNull(guardrailDefaults.workspaceId))
    : eq(guardrailDefaults.workspaceId, workspaceId)

const readSets = async (db: Db, where: SQL | undefined): Promise<ReadonlyMap<string | null, DefaultSets>> => {
  const { workspaceId, stage, position } = guardrailDefaults
  const rows = await db
    .select({ workspaceId, stage, slug: guardrails.slug })
    .from(guardrailDefaults)
    .innerJoin(guardrails, eq(guardrails.id, guardrailDefaults.guardrailId))
    .where(where)
    .orderBy(asc(position))
  const slugs = (of: readonly (typeof rows)[number][], wanted: CheckStage): readonly string[] =>
    of.filter((row) => row.stage === wanted).map(({ slug }) => slug)
  return new Map(
    [...Map.groupBy(rows, (row) => row.workspaceId)].map(([id, of]) => [
      id,
      { input: slugs(of, 'input'), output: slugs(of, 'output') },
    ]),
  )
}

/** What holds for all workspaces of an organisation. */
export const findOrganisationDefaults = async (db: Db, organisationId: string): Promise<DefaultSets> =>
  (await readSets(db, ownedBy({ organisationId, workspaceId: null }))).get(null) ?? NO_DEFAULTS

/** By workspace; one without any is missing. */
export const findWorkspaceDefaults = async (
  db: Db,
  workspaceIds: readonly string[],
): Promise<ReadonlyMap<string | null, DefaultSets>> =>
  workspaceIds.length === 0 ? new Map() : readSets(db, inArray(guardrailDefaults.workspaceId, [...workspaceIds]))

/** Until the end of the transaction nobody else may change the defaults or exclusions of the owner. */
export const holdDefaults = async (transaction: Db, { organisationId, workspaceId }: GuardrailPlace): Promise<void> => {
  const owners = workspaceId === null ? organisations : workspaces
  // No stronger: whatever refers to the owner may be added meanwhile.
  await transaction
    .select({ id: owners.id })
    .from(owners)
    .where(eq(owners.id, workspaceId ?? organisationId))
    .for('no key update')
}

/** Replaces one set of an owner. To be called after `holdDefaults`. @param guardrailIds each of them once */
export const putDefaults = async (
  transaction: Db,
  place: GuardrailPlace,
  stage: CheckStage,
  guardrailIds: readonly string[],
): Promise<void> => {
  await transaction.delete(guardrailDefaults).where(and(ownedBy(place), eq(guardrailDefaults.stage, stage)))
  if (guardrailIds.length === 0) return
  const rows = guardrailIds.map((guardrailId, position) => ({ id: newId(), ...place, stage, position, guardrailId }))
  await transaction.insert(guardrailDefaults).values(rows)
}

/** A workspace that the default guardrails of its organisation leave alone. */
export interface ExcludedWorkspace {
  readonly id: string
  readonly slug: string
}

/** The workspace that was made first comes first. */
export const listExclusions = (
  db: Db,
  organisationId: string,
  stage: CheckStage,
): Promise<readonly ExcludedWorkspace[]> =>
  db
    .select({ id: workspaces.id, slug: workspaces.slug })
    .from(guardrailExclusions)
    .innerJoin(workspaces, eq(workspaces.id, guardrailExclusions.workspaceId))
    .where(and(eq(workspaces.organisationId, organisationId), eq(guardrailExclusions.stage, stage)))
    .orderBy(asc(workspaces.createdAt), asc(workspaces.id))

/** Excludes workspaces, or no longer. */
export const putExclusions = async (
  transaction: Db,
  stage: CheckStage,
  { excluded, included }: { readonly excluded: readonly string[]; readonly included: readonly string[] },
): Promise<void> => {
  if (included.length > 0) {
    await transaction
      .delete(guardrailExclusions)
      .where(and(eq(guardrailExclusions.stage, stage), inArray(guardrailExclusions.workspaceId, [...included])))
  }
  if (excluded.length > 0) {
    const rows = excluded.map((workspaceId) => ({ workspaceId, stage }))
    await transaction.insert(guardrailExclusions).values(rows).onConflictDoNothing()
  }
}
