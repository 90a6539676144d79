import { asc, desc } from 'drizzle-orm'
import { labels } from '../schema/labels.ts'
import type { Db } from '../types.ts'
import { contains, newId } from './rows.ts'
import { rowsOf } from './rows-of.ts'

export type Label = Readonly<typeof labels.$inferSelect>

/** Labels that every workspace has from its start (behaviours 3.2). */
export const UNIVERSAL_LABELS = ['production', 'staging', 'development'] as const

/** Constraint that a second label of the same name breaks, for `isUniqueViolation`. */
export const LABEL_NAME_TAKEN = 'labels_workspace_name'

/** Named by id or name; listed with those that every workspace has first. */
export const labelRows = rowsOf(labels, {
  reference: labels.name,
  filters: { search: (part: string) => contains(labels.name, part) },
  order: [desc(labels.isUniversal), asc(labels.name)],
})

/** Gives a new workspace the labels that every workspace has. */
export const addUniversalLabels = async (
  db: Db,
  { id: workspaceId, organisationId }: { readonly id: string; readonly organisationId: string },
): Promise<void> => {
  const shared = { organisationId, workspaceId, isUniversal: true }
  await db.insert(labels).values(UNIVERSAL_LABELS.map((name) => ({ id: newId(), name, ...shared })))
}
