import { defined } from '../../core/defined.ts'
import { collectionAnswer } from '../../management/collections/model.ts'
import { collectionEntry, createCollection } from '../../management/collections/routes.ts'
import { labelAnswer } from '../../management/labels/model.ts'
import { createLabel, labelEntry } from '../../management/labels/routes.ts'
import { placeIn } from '../../management/resolve-workspace.ts'
import { type Collection, collectionRows, defaultCollection } from '../../store/objects/collections.ts'
import { labelRows } from '../../store/objects/labels.ts'
import type { Workspace } from '../../store/objects/workspaces.ts'
import type { Db } from '../../store/types.ts'
import type { TerminalStore } from '../terminal-store.ts'
import { changeTogether, everyRow } from './database.ts'
import { type PromptEntry, versionsOf } from './entries.ts'
import type { Row } from './report.ts'

/** Names from the outermost collection to the innermost. */
export type CollectionPath = readonly string[]

/** The collections of a workspace by their names, as files tell them. */
export interface CollectionPaths {
  /** Empty for the id of a collection that was made since. */
  pathOf(id: string): CollectionPath
  /** The default one of several with that path, else the oldest. */
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

/** What prompts of the files stand in and are named by, and the workspace does not have yet. */
export interface MissingPlaces {
  /** Each behind the one that it stands in. */
  readonly collections: readonly CollectionPath[]
  readonly labels: readonly string[]
}

export const findMissingPlaces = async (
  db: Db,
  workspace: Workspace,
  prompts: readonly PromptEntry[],
): Promise<MissingPlaces> => {
  await defaultCollection(db, placeIn(workspace))
  const known = await readCollectionPaths(db, workspace)
  const wanted = new Map<string, CollectionPath>()
  for (const { collection = [] } of prompts) {
    for (let length = 1; length <= collection.length; length++) {
      const path = collection.slice(0, length)
      if (known.find(path) === undefined) wanted.set(JSON.stringify(path), path)
    }
  }
  const names = new Set(prompts.flatMap(versionsOf).flatMap(({ labels }) => labels))
  const labels: string[] = []
  for (const reference of [...names].toSorted()) {
    if ((await labelRows.find(db, { workspaceId: workspace.id, reference })) === undefined) labels.push(reference)
  }
  return { collections: [...wanted.values()], labels }
}

export const describePlaces = ({ collections, labels }: MissingPlaces): readonly Row[] => [
  ...collections.map(
    (path) => ({ action: 'created', kind: 'collection', name: shownPath(path), details: [] }) as const,
  ),
  ...labels.map((name) => ({ action: 'created', kind: 'label', name, details: [] }) as const),
]

/** Makes what is missing. */
export const createPlaces = (
  terminal: TerminalStore,
  workspace: Workspace,
  { collections, labels }: MissingPlaces,
): Promise<void> =>
  changeTogether(terminal, async (transaction, audit) => {
    const place = placeIn(workspace)
    for (const path of collections) {
      const known = await readCollectionPaths(transaction, workspace)
      const around = known.find(path.slice(0, -1))
      const body = defined({ name: path.at(-1) ?? '', parent_collection_id: around?.id })
      const created = await createCollection(transaction, place, body, () => crypto.randomUUID())
      audit({ ...collectionEntry('create', created), after: collectionAnswer.of(created) })
    }
    for (const name of labels) {
      const label = await createLabel(transaction, place, { name })
      audit({ ...labelEntry('create', label), after: labelAnswer.of(label) })
    }
  })
