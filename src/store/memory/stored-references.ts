import { secretReferences, secretReferenceWorkspaces } from '../schema/secret-references.ts'
import type { Db } from '../types.ts'

type Row = typeof secretReferences.$inferSelect

/** A reference as calls need it. The same object until it says something else. */
export type StoredReference = Readonly<
  Pick<Row, 'id' | 'organisationId' | 'slug' | 'managerType' | 'authConfig' | 'secrets' | 'secretPath' | 'secretKey'>
>

/** A reference, and who may use it. */
export interface ReferenceAccess {
  readonly reference: StoredReference
  isFor(workspaceId: string): boolean
}

/** All secret references, as they were at one moment. */
export interface StoredReferences {
  /** By organisation, then by slug and id. */
  readonly byName: ReadonlyMap<string, ReadonlyMap<string, ReferenceAccess>>
  readonly byId: ReadonlyMap<string, StoredReference>
}

/** @param before what was known: references that say the same stay the same objects */
export const readStoredReferences = async (db: Db, before: StoredReferences | undefined): Promise<StoredReferences> => {
  const rows = await db.select().from(secretReferences)
  const listed = await db.select().from(secretReferenceWorkspaces)
  const allowed = Map.groupBy(listed, ({ secretReferenceId }) => secretReferenceId)
  const byId = new Map(rows.map((row) => [row.id, keepSame(before?.byId.get(row.id), toStored(row))]))
  const byName = new Map<string, Map<string, ReferenceAccess>>()
  for (const { id, organisationId, allowAllWorkspaces } of rows) {
    const reference = byId.get(id)
    if (reference === undefined) continue
    const ids = new Set(allowed.get(id)?.map(({ workspaceId }) => workspaceId))
    const access = { reference, isFor: allowAllWorkspaces ? () => true : (workspaceId: string) => ids.has(workspaceId) }
    const names = byName.get(organisationId) ?? new Map<string, ReferenceAccess>()
    if (!names.has(reference.slug)) names.set(reference.slug, access)
    // A slug may look like the id of another one, which wins.
    names.set(id, access)
    byName.set(organisationId, names)
  }
  return { byName, byId }
}

const toStored = (row: Row): StoredReference => {
  const { id, organisationId, slug, managerType, authConfig, secrets, secretPath, secretKey } = row
  return { id, organisationId, slug, managerType, authConfig, secrets, secretPath, secretKey }
}

/** What was known before, where nothing of it has changed: what was read for it stays with it. */
const keepSame = (before: StoredReference | undefined, now: StoredReference): StoredReference =>
  before !== undefined && JSON.stringify(before) === JSON.stringify(now) ? before : now
