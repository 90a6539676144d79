import { partialRows } from '../../store/objects/prompt-partials.ts'
import { listPrompts } from '../../store/objects/prompts.ts'
import type { Workspace } from '../../store/objects/workspaces.ts'
import type { Db } from '../../store/types.ts'
import { everyRow } from './database.ts'
import { bySlug, type PartialEntry, type PromptEntry, type PromptSet } from './entries.ts'
import { FilesRefused, readFolder, writeFolder } from './folder.ts'
import { isFileSlug, PARTIALS, PROMPTS, readPartialFileName, readPromptFileName } from './layout.ts'
import { type CollectionPaths, readCollectionPaths } from './places.ts'
import { storedPartialVersions, storedPromptVersions, toVersionEntries } from './stored-versions.ts'
import { toFiles } from './to-files.ts'

/** All active prompts and partials of a workspace. @throws FilesRefused for a slug that cannot be the name of a file */
export const readStoredSet = async (db: Db, workspace: Workspace): Promise<Required<PromptSet>> => {
  const collections = await readCollectionPaths(db, workspace)
  return {
    prompts: bySlug(await storedPrompts(db, workspace, collections)),
    partials: bySlug(await storedPartials(db, workspace)),
  }
}

const storedPrompts = async (
  db: Db,
  { id: workspaceId }: Workspace,
  collections: CollectionPaths,
): Promise<PromptEntry[]> => {
  const entries: PromptEntry[] = []
  for (const prompt of await everyRow((page) => listPrompts(db, { workspaceId }, page))) {
    if (prompt.status !== 'active') continue
    const { slug, name } = prompt
    const collection = collections.pathOf(prompt.collectionId)
    const versions = await toVersionEntries(await storedPromptVersions(db, prompt))
    entries.push({
      slug: fileSlug(PROMPTS, slug),
      name,
      ...(collection.length === 0 ? {} : { collection }),
      ...versions,
    })
  }
  return entries
}

const storedPartials = async (db: Db, { id: workspaceId }: Workspace): Promise<PartialEntry[]> => {
  const entries: PartialEntry[] = []
  for (const partial of await everyRow((page) => partialRows.list(db, { workspaceId }, page))) {
    if (partial.status !== 'active') continue
    const versions = await toVersionEntries(storedPartialVersions(db, partial))
    entries.push({ slug: fileSlug(PARTIALS, partial.slug), name: partial.name, ...versions })
  }
  return entries
}

const fileSlug = (folder: string, slug: string): string => {
  if (isFileSlug(slug)) return slug
  throw new FilesRefused([{ file: folder, message: `the slug '${slug}' cannot be the name of a file` }])
}

/** What a pull found and did. */
export interface Pulled {
  readonly prompts: number
  readonly partials: number
  /** What the folder holds and the workspace does not, such as `prompts/pp-old-1a2b3c`. */
  readonly strange: readonly string[]
}

/**
 * Makes the files of a folder those of the workspace. Files of prompts and partials that the workspace does not have stay,
 * unless they are to be pruned.
 * @throws FilesRefused
 */
export const pull = async (db: Db, workspace: Workspace, root: string, prune: boolean): Promise<Pulled> => {
  const set = await readStoredSet(db, workspace)
  const wanted = toFiles(set)
  const { files: before } = await readFolder(root)
  const known = new Set([...wanted.keys()].map(ownerOf))
  const [stale, strange] = [new Set<string>(), new Set<string>()]
  for (const path of before.keys()) {
    const owner = ownerOf(path)
    if (owner === undefined || wanted.has(path)) continue
    if (!known.has(owner)) strange.add(owner)
    if (known.has(owner) || prune) stale.add(path)
  }
  await writeFolder(root, wanted, before, [...stale])
  return { prompts: set.prompts.length, partials: set.partials.length, strange: [...strange].toSorted() }
}

/** Path of the prompt or partial that a file belongs to; undefined for any other file. */
const ownerOf = (path: string): string | undefined => {
  const [folder, slug = '', name] = path.split('/')
  if (folder === PROMPTS) return isFileSlug(slug) && readPromptFileName(name ?? '') ? `${PROMPTS}/${slug}` : undefined
  const partial = readPartialFileName(slug)
  return partial && `${PARTIALS}/${partial.slug}`
}
