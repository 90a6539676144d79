import type { Entry, VersionEntry } from './entries.ts'
import { stemOf } from './layout.ts'
import type { StoredVersions } from './stored-versions.ts'

/**
 * The versions that files keep: the newest, and of the others those that are published or labelled. Versions that say the same
 * are one.
 */
export const toVersionEntries = async <Content>(
  stored: StoredVersions<Content>,
): Promise<Pick<Entry<Content>, 'newest' | 'kept'>> => {
  const found = new Map<string, { readonly content: Content; isPublished: boolean; readonly labels: string[] }>()
  const at = async (number: number) => {
    const content = await stored.contentAt(number)
    const key = stored.keyOf(content)
    const entry = found.get(key) ?? { content, isPublished: false, labels: [] }
    found.set(key, entry)
    return entry
  }
  const newest = await at(stored.newest)
  const published = await at(stored.published)
  published.isPublished = true
  for (const [label, number] of stored.labels) (await at(number)).labels.push(label)
  const kept = [...found.values()].filter((entry) => entry !== newest)
  return {
    newest: sorted(newest),
    kept: kept.map(sorted).toSorted((left, right) => compare(stemOf(left), stemOf(right))),
  }
}

const sorted = <Content>({ labels, ...version }: VersionEntry<Content>): VersionEntry<Content> => ({
  ...version,
  labels: labels.toSorted(),
})

const compare = (left: string, right: string): number => (left < right ? -1 : Number(left > right))
