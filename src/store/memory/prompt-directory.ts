import { readPromptReference, type VersionSelector } from '../prompt-reference.ts'
import type { Versioned, Versions } from './version-cache.ts'

/** A prompt or partial as it is now, without what it says. */
export interface Named extends Versioned {
  readonly slug: string
  readonly name: string
  readonly workspaceId: string
  readonly publishedVersion: number
}

interface Entry<Stored> {
  readonly head: Named
  /** What `stored` was made of. */
  readonly source: object
  readonly stored: ReadonlyMap<number, Stored>
  /** Version numbers by label. */
  readonly labels: ReadonlyMap<string, number>
}

/** The entries of one workspace, by slug and by id. */
type Entries<Stored> = ReadonlyMap<string, Entry<Stored>>

/** By workspace. */
export type Directory<Stored> = ReadonlyMap<string, Entries<Stored>>

export interface DirectoryParts<Content, Stored> {
  readonly heads: readonly Named[]
  readonly versionsOf: (id: string) => Versions<Content> | undefined
  readonly labelsOf: (id: string) => ReadonlyMap<string, number>
  readonly toStored: (head: Named, content: Content) => Stored
  /** The directory before: what has not changed is taken from it, the very same objects. */
  readonly before: Directory<Stored>
}

export const createDirectory = <Content, Stored>(parts: DirectoryParts<Content, Stored>): Directory<Stored> => {
  const directory = new Map<string, Entries<Stored>>()
  for (const [workspaceId, heads] of Map.groupBy(parts.heads, (head) => head.workspaceId)) {
    const before = parts.before.get(workspaceId)
    const entries = heads.flatMap((head) => toEntry(head, parts, before?.get(head.id)) ?? [])
    // Ids come last, as one wins over a slug that looks like it.
    directory.set(
      workspaceId,
      new Map([
        ...entries.map((entry) => [entry.head.slug, entry] as const),
        ...entries.map((entry) => [entry.head.id, entry] as const),
      ]),
    )
  }
  return directory
}

const toEntry = <Content, Stored>(
  head: Named,
  { versionsOf, labelsOf, toStored }: DirectoryParts<Content, Stored>,
  before: Entry<Stored> | undefined,
): Entry<Stored> | undefined => {
  const source = versionsOf(head.id)
  if (source === undefined) return undefined
  const labels = labelsOf(head.id)
  // Those of another name say another thing.
  const same = before?.head.name === head.name ? before : undefined
  if (same?.source === source) return { ...same, head, labels }
  const stored = new Map<number, Stored>()
  for (const [number, content] of source) stored.set(number, same?.stored.get(number) ?? toStored(head, content))
  return { head, source, stored, labels }
}

/** The version that a reference names. */
export const findVersion = <Stored>(entries: Entries<Stored> | undefined, reference: string): Stored | undefined => {
  const read = entries === undefined ? undefined : readPromptReference(reference)
  const entry = read && entries?.get(read.name)
  const number = entry && numberOf(entry, read.selector)
  return number === undefined ? undefined : entry?.stored.get(number)
}

const numberOf = <Stored>({ head, labels }: Entry<Stored>, selector: VersionSelector): number | undefined => {
  switch (selector.kind) {
    case 'published':
      return head.publishedVersion
    case 'latest':
      return head.version
    case 'number':
      return selector.number
    case 'label':
      return labels.get(selector.label)
  }
}
