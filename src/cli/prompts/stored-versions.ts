import { type PartialContent, type PromptPartial, partialRows } from '../../store/objects/prompt-partials.ts'
import { findVersionLabels, type Prompt, type PromptContent, promptRows } from '../../store/objects/prompts.ts'
import type { Page, Paged } from '../../store/objects/rows.ts'
import type { Db } from '../../store/types.ts'
import { type ContentKey, contentOf, type Entry, partialKey, promptKey, type VersionEntry } from './entries.ts'
import { stemOf } from './layout.ts'

/** The versions of a prompt or partial in the database, by number. */
export interface StoredVersions<Content> {
  readonly newest: number
  readonly published: number
  /** Number of the version that carries each, by its name. */
  readonly labels: ReadonlyMap<string, number>
  contentAt(number: number): Promise<Content>
  /** Number of the newest version that says this. */
  find(key: ContentKey): Promise<number | undefined>
  readonly keyOf: (content: Content) => ContentKey
}

/** Versions of one query. */
const PAGE_SIZE = 50

export const storedPromptVersions = async (db: Db, prompt: Prompt): Promise<StoredVersions<PromptContent>> => ({
  newest: prompt.version,
  published: prompt.publishedVersion,
  labels: await labelsOf(db, prompt),
  async contentAt(number) {
    const found = await promptRows.findVersion(db, prompt.id, number)
    if (found === undefined) throw new Error(`The prompt '${prompt.slug}' has lost its version ${number}.`)
    return contentOf(found)
  },
  find: (key) =>
    findInPages(
      (page) => promptRows.listVersions(db, prompt.id, page),
      (version) => promptKey(contentOf(version)) === key,
    ),
  keyOf: promptKey,
})

const labelsOf = async (db: Db, { id, version }: Prompt): Promise<ReadonlyMap<string, number>> => {
  const numbers = Array.from({ length: version }, (_, index) => index + 1)
  const byNumber = await findVersionLabels(db, id, numbers)
  return new Map([...byNumber].flatMap(([number, labels]) => labels.map(({ name }) => [name, number] as const)))
}

export const storedPartialVersions = (db: Db, partial: PromptPartial): StoredVersions<PartialContent> => ({
  newest: partial.version,
  published: partial.publishedVersion,
  labels: new Map(),
  async contentAt(number) {
    const found = await partialRows.findVersion(db, partial.id, number)
    if (found === undefined) throw new Error(`The partial '${partial.slug}' has lost its version ${number}.`)
    return { template: found.template, description: found.description }
  },
  find: (key) =>
    findInPages(
      (page) => partialRows.listVersions(db, partial.id, page),
      (version) => partialKey(version) === key,
    ),
  keyOf: partialKey,
})

const findInPages = async <Row extends { readonly number: number }>(
  read: (page: Page) => Promise<Paged<Row>>,
  matches: (row: Row) => boolean,
): Promise<number | undefined> => {
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const { rows } = await read({ offset, limit: PAGE_SIZE })
    const found = rows.find(matches)
    if (found !== undefined || rows.length === 0) return found?.number
  }
}

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
