import { type Collection, collectionRows } from '../../store/collections.ts'
import type { Db } from '../../store/types.ts'
import { everyRow } from './every.ts'

/** Names from the outermost collection to the innermost. */
export type CollectionPath = readonly string[]

/** The collections of a workspace by their names, as files tell them. */
export interface CollectionPaths {
  /** Empty for the id of a collection that was made since. */
  pathOf(id: string): CollectionPath
  /** Of several of the same name, the default one, else the oldest. */
  find(path: CollectionPath): Collection | undefined
}

export const readCollectionPaths = async (db: Db, { id }: { readonly id: string }): Promise<CollectionPaths> =>
  collectionPaths(await everyRow((page) => collectionRows.list(db, { workspaceId: id }, page)))

/** @param rows all collections of a workspace, the oldest first */
export const collectionPaths = (rows: readonly Collection[]): CollectionPaths => {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const pathOf = (id: string): CollectionPath => {
    const found = byId.get(id)
    if (found === undefined) return []
    return [...(found.parentCollectionId === null ? [] : pathOf(found.parentCollectionId)), found.name]
  }
  const byPath = new Map<string, Collection>()
  for (const row of [...rows.filter(({ isDefault }) => isDefault), ...rows]) {
    const path = keyOf(pathOf(row.id))
    if (!byPath.has(path)) byPath.set(path, row)
  }
  return { pathOf, find: (path) => byPath.get(keyOf(path)) }
}

const keyOf = (path: CollectionPath): string => JSON.stringify(path)

/** For people. */
export const shownPath = (path: CollectionPath): string => path.join(' / ')

export const isSamePath = (left: CollectionPath, right: CollectionPath): boolean => keyOf(left) === keyOf(right)
