import { defined } from '../../core/defined.ts'
import { type ContentKey, type Entry, type VersionEntry, versionsOf } from './entries.ts'
import type { StoredVersions } from './stored-versions.ts'

/** How far a push may go. */
export interface PushOptions {
  /** Whether prompts that are there already publish what the files say. */
  readonly publish: boolean
  /** Whether what the files do not name is taken away. */
  readonly prune: boolean
}

/** What has to be done so that the versions in the database are those of the files. */
export interface VersionsPlan<Content> {
  /** New versions, in the order in which they are made; the last one is then the newest. */
  readonly adds: readonly { readonly number: number; readonly content: Content }[]
  /** Labels to set. `from`: the number of the version that carries it now. */
  readonly labels: readonly { readonly name: string; readonly from?: number; readonly to: number }[]
  /** Labels that no file names, with the number of the version that carries them. */
  readonly strays: readonly { readonly name: string; readonly from: number }[]
  /** Absent: what is published says what the files want. `from` is absent for something new. */
  readonly publication?: { readonly from?: number; readonly to: number }
}

/**
 * Compares by what versions say, not by number: a version that is there already is used again, and a reference to an older
 * version that says the same is left alone.
 * @param stored undefined: there is nothing yet
 */
export const planVersions = async <Content>(
  entry: Entry<Content>,
  keyOf: (content: Content) => ContentKey,
  stored: StoredVersions<Content> | undefined,
): Promise<VersionsPlan<Content>> => {
  const keyAt = keysOf(stored)
  const newestKey = keyOf(entry.newest.content)
  const isNewest = stored !== undefined && (await keyAt(stored.newest)) === newestKey
  const numbers = new Map<ContentKey, number>()
  const missing: VersionEntry<Content>[] = []
  for (const version of entry.kept) {
    const key = keyOf(version.content)
    if (key === newestKey || numbers.has(key)) continue
    const number = await stored?.find(key)
    if (number === undefined) missing.push(version)
    // Holds the place of one to be made, so that two that say the same are made once.
    numbers.set(key, number ?? 0)
  }
  const adds = isNewest && missing.length === 0 ? [] : [...missing, entry.newest]
  const first = (stored?.newest ?? 0) + 1
  for (const [index, { content }] of adds.entries()) numbers.set(keyOf(content), first + index)
  if (adds.length === 0) numbers.set(newestKey, first - 1)

  const labels: { name: string; from?: number; to: number }[] = []
  let publication: VersionsPlan<Content>['publication']
  for (const version of versionsOf(entry)) {
    const key = keyOf(version.content)
    const to = numbers.get(key) ?? 0
    for (const name of version.labels) {
      const from = stored?.labels.get(name)
      if (from === undefined) labels.push({ name, to })
      else if ((await keyAt(from)) !== key) labels.push({ name, from, to })
    }
    if (!version.isPublished) continue
    if (stored === undefined) publication = { to }
    else if ((await keyAt(stored.published)) !== key) publication = { from: stored.published, to }
  }
  const wanted = new Set(versionsOf(entry).flatMap((version) => version.labels))
  return defined({
    adds: adds.map(({ content }, index) => ({ number: first + index, content })),
    labels,
    strays: [...(stored?.labels ?? [])].flatMap(([name, from]) => (wanted.has(name) ? [] : [{ name, from }])),
    publication,
  })
}

/** Keys of stored versions, each read once. */
const keysOf = <Content>(stored: StoredVersions<Content> | undefined) => {
  const known = new Map<number, ContentKey>()
  return async (number: number): Promise<ContentKey | undefined> => {
    if (stored === undefined) return undefined
    const key = known.get(number) ?? stored.keyOf(await stored.contentAt(number))
    known.set(number, key)
    return key
  }
}

/** What a plan changes, and what it leaves as it is though the files say something else. */
export interface Described {
  readonly changes: readonly string[]
  readonly notes: readonly string[]
}

/** @param isNew what is new is published as the files say, without being asked to */
export const describeVersions = (
  { adds, labels, strays, publication }: VersionsPlan<unknown>,
  { publish, prune }: PushOptions,
  isNew: boolean,
): Described => {
  const versions = adds.map(({ number }) => number).join(', ')
  const moved = labels.map(({ name, from, to }) => `${name}: ${from === undefined ? '' : `${from} `}-> ${to}`)
  const published = publication && publicationOf(publication, publish || isNew)
  return {
    changes: [
      ...(adds.length === 0 || isNew ? [] : [`new: ${versions}`]),
      ...moved,
      ...(prune ? strays.map(({ name, from }) => `${name}: ${from} -> none`) : []),
      ...(published?.changes ?? []),
    ],
    notes: [
      ...(prune ? [] : strays.map(({ name, from }) => `${name} stays on ${from} (--prune)`)),
      ...(published?.notes ?? []),
    ],
  }
}

const publicationOf = ({ from, to }: { readonly from?: number; readonly to: number }, isDone: boolean): Described => {
  if (!isDone) return { changes: [], notes: [`published stays ${from} (--publish)`] }
  return { changes: [`published: ${from === undefined ? '' : `${from} -> `}${to}`], notes: [] }
}
