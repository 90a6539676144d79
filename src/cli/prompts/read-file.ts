import { type Static, type TSchema, Type as t } from '@sinclair/typebox'
import { PromptError, parsePrompt, parseTemplate, TemplateError } from '../../calls/template/index.ts'
import { check } from '../../core/json/check.ts'
import { Description, Name } from '../../management/fields.ts'
import { NewPartial } from '../../management/prompt-partials/model.ts'
import { NewPrompt } from '../../management/prompts/model.ts'
import { findUnstorable } from '../../management/unstorable-text.ts'
import type { VersionEntry } from './entries.ts'
import type { Problem } from './folder.ts'
import { fromTemplateFile, type TemplateFile, withoutLastBreak } from './template-file.ts'

/** What the JSON files of a folder hold: fields of the management interface, by the same rules. */

const { name, parameters, string: _, collection_id: __, workspace_id: ___, ...optional } = NewPrompt.properties

const MAX_LABELS = 1000

const version = {
  published: t.Optional(t.Boolean({ description: 'Calls that name no version get this one.' })),
  labels: t.Optional(t.Array(Name, { maxItems: MAX_LABELS })),
  parameters: t.Optional(parameters),
  ...optional,
}

/** An older version of a prompt. */
export const PromptVersionFile = t.Object(version)

/** `prompt.json`: a prompt with its newest version. */
export const PromptFile = t.Object({
  name,
  collection: t.Optional(t.Array(Name, { minItems: 1, maxItems: 64 })),
  ...version,
})

const partialVersion = {
  published: t.Optional(t.Boolean()),
  version_description: t.Optional(t.Union([Description, t.Null()])),
}

export const PartialVersionFile = t.Object(partialVersion)
export const PartialFile = t.Object({ name: Name, ...partialVersion })

const RESERVED: ReadonlySet<string> = new Set(['latest', 'default'])

/** Whether the management interface takes it as the name of a label (behaviours, section 3.2). */
export const isLabelName = (label: string): boolean =>
  /^[a-zA-Z0-9_-]{1,255}$/.test(label) && !/^[0-9]+$/.test(label) && !RESERVED.has(label.toLowerCase())

/** The checked content of a JSON file; undefined when it has problems, which are added to the list. */
export const readJson = <Schema extends TSchema>(
  file: string,
  text: string,
  schema: Schema,
  problems: Problem[],
): Static<Schema> | undefined => {
  const parsed = parse(text)
  if (parsed === undefined) {
    problems.push({ file, message: text.startsWith('\ufeff') ? 'begins with a byte order mark' : 'is not JSON' })
    return undefined
  }
  const checked = check(schema, parsed.value)
  const unstorable = findUnstorable(parsed.value)
  const violations = [...(checked.ok ? [] : checked.violations), ...(unstorable === undefined ? [] : [unstorable])]
  if (checked.ok && unstorable === undefined) return checked.value
  const told = new Set<string>()
  for (const { path, message } of violations) {
    // What is missing is of the wrong type too.
    if (told.has(path)) continue
    told.add(path)
    problems.push({ file, message: path === '' ? message : `\`${path}\` ${message}` })
  }
  return undefined
}

const parse = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** The template in a file of a prompt; undefined when no prompt could have it, which is added to the list. */
export const readPromptTemplate = (
  file: string,
  content: TemplateFile,
  isRaw: boolean,
  problems: Problem[],
): string | undefined => {
  // The text of the file, so that line and column are those of the file.
  if (!canBeParsed(file, () => parsePrompt(content.text, { isRaw }), problems)) return undefined
  const template = fromTemplateFile(content, isRaw)
  if (template === undefined) {
    problems.push({ file, message: 'holds no JSON with messages; any other template belongs into a file of type .txt' })
    return undefined
  }
  return storable(file, NewPrompt.properties.string, template, problems)
}

/** The template in a file of a partial; undefined when no partial could have it, which is added to the list. */
export const readPartialTemplate = (file: string, text: string, problems: Problem[]): string | undefined => {
  const template = withoutLastBreak(text)
  if (!canBeParsed(file, () => parseTemplate(template), problems)) return undefined
  return storable(file, NewPartial.properties.string, template, problems)
}

const canBeParsed = (file: string, parse: () => unknown, problems: Problem[]): boolean => {
  try {
    parse()
    return true
  } catch (thrown) {
    if (!(thrown instanceof PromptError)) throw thrown
    const place = thrown instanceof TemplateError ? `:${thrown.line}:${thrown.column}` : ''
    // The place stands behind the name of the file already.
    const message = thrown.message.replace(/ \(line \d+, column \d+\)$/, '')
    problems.push({ file: `${file}${place}`, message })
    return false
  }
}

const storable = (
  file: string,
  schema: typeof NewPrompt.properties.string | typeof NewPartial.properties.string,
  template: string,
  problems: Problem[],
): string | undefined => {
  const checked = check(schema, template)
  const [violation] = checked.ok ? [findUnstorable(template)] : checked.violations
  if (violation === undefined) return template
  problems.push({ file, message: violation.message })
  return undefined
}

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
