import { and, asc, desc, eq, or, sql } from 'drizzle-orm'
import { contains, countRows, isUuid, newId, only, type Page, type Paged } from './rows.ts'
import { labels } from './schema/labels.ts'
import type { Db } from './types.ts'

export type Label = Readonly<typeof labels.$inferSelect>
export type NewLabel = Pick<Label, 'organisationId' | 'workspaceId' | 'name' | 'description' | 'colorCode'>

/** Labels that every workspace has from its start (behaviours 3.2). */
export const UNIVERSAL_LABELS = ['production', 'staging', 'development'] as const

/** Constraint that a second label of the same name breaks, for `isUniqueViolation`. */
export const LABEL_NAME_TAKEN = 'labels_workspace_name'

/** Gives a new workspace the labels that every workspace has. */
export const addUniversalLabels = async (
  db: Db,
  { id: workspaceId, organisationId }: { readonly id: string; readonly organisationId: string },
): Promise<void> => {
  const shared = { organisationId, workspaceId, isUniversal: true }
  await db.insert(labels).values(UNIVERSAL_LABELS.map((name) => ({ id: newId(), name, ...shared })))
}

/** @throws QueryFailed for a name that the workspace has already: `isUniqueViolation(error, LABEL_NAME_TAKEN)` */
export const createLabel = async (db: Db, label: NewLabel): Promise<Label> =>
  only(
    await db
      .insert(labels)
      .values({ id: newId(), ...label })
      .returning(),
  )

/**
 * A label of the workspace, by id or name.
 * @param lock `change`: nobody else may change it, or take it away, until the end of the transaction
 */
export const findLabel = async (
  db: Db,
  { workspaceId, reference }: { readonly workspaceId: string; readonly reference: string },
  lock?: 'change',
): Promise<Label | undefined> => {
  const named = eq(labels.name, reference)
  const query = db
    .select()
    .from(labels)
    .where(and(eq(labels.workspaceId, workspaceId), isUuid(reference) ? or(eq(labels.id, reference), named) : named))
  const found = await (lock === undefined ? query : query.for('update'))
  return found.find(({ id }) => id === reference.toLowerCase()) ?? found[0]
}

/** First those that every workspace has, then by name. @param search a part of the name, in either case */
export const listLabels = async (
  db: Db,
  { workspaceId, search }: { readonly workspaceId: string; readonly search?: string },
  page: Page,
): Promise<Paged<Label>> => {
  const where = and(
    eq(labels.workspaceId, workspaceId),
    search === undefined ? undefined : contains(labels.name, search),
  )
  const rows = await db
    .select()
    .from(labels)
    .where(where)
    .orderBy(desc(labels.isUniversal), asc(labels.name))
    .limit(page.limit)
    .offset(page.offset)
  return { rows, total: await countRows(db, labels, where) }
}

/**
 * Writes the given fields. The label must have been found with the lock `change`.
 * @throws QueryFailed for a name that the workspace has already: `isUniqueViolation(error, LABEL_NAME_TAKEN)`
 */
export const updateLabel = async (
  transaction: Db,
  id: string,
  changes: Partial<Pick<Label, 'name' | 'description' | 'colorCode'>>,
): Promise<Label> =>
  only(
    await transaction
      .update(labels)
      .set({ ...changes, lastUpdatedAt: sql`now()` })
      .where(eq(labels.id, id))
      .returning(),
  )

/** Deletes the label and takes it off every version that has it. */
export const deleteLabel = async (db: Db, id: string): Promise<void> => {
  await db.delete(labels).where(eq(labels.id, id))
}
