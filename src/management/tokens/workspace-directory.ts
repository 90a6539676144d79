import { followChanges } from '../../store/memory/follow-changes.ts'
import { listActiveWorkspaces } from '../../store/objects/workspaces.ts'
import type { Store } from '../../store/types.ts'
import type { NamedWorkspace } from './actors.ts'

/** Every active workspace, in memory, in step with the database: foreign tokens name theirs by id or slug. */
export interface WorkspaceDirectory {
  find(organisationId: string, reference: string): NamedWorkspace | undefined
  /** Stops following the database. */
  close(): Promise<void>
}

/**
 * @param onError following the database failed; what is known stays in use and it is tried again within 5 s
 * @throws StoreUnavailable when the database cannot be read at the start
 */
export const createWorkspaceDirectory = async (
  store: Store,
  onError?: (error: unknown) => void,
): Promise<WorkspaceDirectory> => {
  let known: ReadonlyMap<string, NamedWorkspace> = new Map()
  const follower = await followChanges(store, {
    tables: ['workspaces'],
    async refresh() {
      const rows = await listActiveWorkspaces(store.db)
      // Ids come last: one wins over a slug that looks like it.
      known = new Map([
        ...rows.map((row) => [nameOf(row.organisationId, row.slug), row] as const),
        ...rows.map((row) => [nameOf(row.organisationId, row.id), row] as const),
      ])
    },
    onError,
  })
  return {
    find: (organisationId, reference) => known.get(nameOf(organisationId, reference)),
    close: () => follower.close(),
  }
}

const nameOf = (organisationId: string, reference: string): string => `${organisationId}/${reference}`
