import type { VersionEntry } from './entries.ts'
import { isLabelName } from './model.ts'
import type { Problem } from './problems.ts'

/** What the settings of a version say about who refers to it. */
export interface References {
  readonly published?: boolean
  readonly labels?: readonly string[]
}

/** A version with the file that tells of it. */
export interface PlacedVersion<Content> {
  readonly file: string
  readonly references: References
  readonly content: Content
}

/** The newest version with the older ones. */
export interface PlacedVersions<Content> {
  readonly newest: VersionEntry<Content>
  readonly kept: readonly VersionEntry<Content>[]
}

/**
 * Sorts out which version is published, which is the newest one unless an older one says that it is, and that no reference
 * is there twice; undefined when something does not fit.
 */
export const withReferences = <Content>(
  newest: PlacedVersion<Content>,
  older: readonly PlacedVersion<Content>[],
  problems: Problem[],
): PlacedVersions<Content> | undefined => {
  const before = problems.length
  const [published, second] = older.filter(({ references }) => references.published === true)
  const isPublished = newest.references.published ?? published === undefined
  if (isPublished && published !== undefined) twice(published.file, problems)
  if (second !== undefined) twice(second.file, problems)
  if (!isPublished && published === undefined) {
    problems.push({ file: newest.file, message: '`published` is false, and no other version is published' })
  }
  const seen = new Set<string>()
  for (const { file, references } of [newest, ...older]) checkLabels(file, references.labels ?? [], seen, problems)
  for (const { file, references } of older) {
    if (references.published === true || (references.labels?.length ?? 0) > 0) continue
    problems.push({ file, message: 'is neither published nor has it `labels`: nothing would refer to this version' })
  }
  if (problems.length > before) return undefined
  return {
    newest: entryOf(newest, isPublished),
    kept: older.map((version) => entryOf(version, version.references.published === true)),
  }
}

const twice = (file: string, problems: Problem[]): void => {
  problems.push({ file, message: '`published` is true in another version too' })
}

const checkLabels = (file: string, labels: readonly string[], seen: Set<string>, problems: Problem[]): void => {
  for (const label of labels) {
    if (!isLabelName(label)) problems.push({ file, message: `\`labels\`: '${label}' cannot be the name of a label` })
    if (seen.has(label)) problems.push({ file, message: `\`labels\`: '${label}' is there twice` })
    seen.add(label)
  }
}

const entryOf = <Content>(
  { content, references: { labels = [] } }: PlacedVersion<Content>,
  isPublished: boolean,
): VersionEntry<Content> => ({ content, isPublished, labels: labels.toSorted() })
