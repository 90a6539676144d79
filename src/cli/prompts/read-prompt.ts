import { defined } from '../../core/defined.ts'
import { findSchemaFaults } from '../../management/prompts/check-schema.ts'
import { toContent } from '../../management/prompts/content.ts'
import type { PromptContent } from '../../store/prompts.ts'
import type { PromptEntry } from './entries.ts'
import type { Group } from './files.ts'
import { NEWEST, PROMPTS, readPromptFileName, settingsName, templateName } from './layout.ts'
import { PromptFile, PromptVersionFile } from './model.ts'
import type { Problem } from './problems.ts'
import { readJson } from './read-json.ts'
import { readPromptTemplate } from './read-template.ts'
import { type PlacedVersion, type References, withReferences } from './references.ts'

/** A prompt, from its files; undefined when they have problems, which are added to the list. */
export const readPrompt = (group: Group, problems: Problem[]): PromptEntry | undefined => {
  const { slug, files } = group
  const file = pathOf(slug, settingsName(NEWEST))
  const text = files.get(file)
  if (text === undefined) {
    problems.push({ file, message: 'is missing' })
    return undefined
  }
  const settings = readJson(file, text, PromptFile, problems)
  const older = [...stemsOf(group)].toSorted().map((stem) => readOlder(group, stem, problems))
  if (settings === undefined) return undefined
  const { name, collection, ...version } = settings
  const newest = readVersion(group, NEWEST, version, problems)
  const all = older.flatMap((found) => found ?? [])
  if (newest === undefined || all.length < older.length) return undefined
  const versions = withReferences(newest, all, problems)
  return versions && { slug, name, ...defined({ collection }), ...versions }
}

const pathOf = (slug: string, name: string): string => `${PROMPTS}/${slug}/${name}`

/** Of the older versions. */
const stemsOf = ({ files }: Group): ReadonlySet<string> => {
  const names = [...files.keys()].map((path) => readPromptFileName(path.split('/').at(-1) ?? ''))
  return new Set(names.flatMap((name) => (name === undefined || name.stem === NEWEST ? [] : [name.stem])))
}

const readOlder = (group: Group, stem: string, problems: Problem[]): PlacedVersion<PromptContent> | undefined => {
  const file = pathOf(group.slug, settingsName(stem))
  const text = group.files.get(file)
  if (text === undefined) {
    problems.push({ file, message: 'is missing' })
    return undefined
  }
  const settings = readJson(file, text, PromptVersionFile, problems)
  return settings && readVersion(group, stem, settings, problems)
}

/** What the settings of a version hold besides `published` and `labels`. */
type Settings = References &
  Omit<Parameters<typeof toContent>[0], 'string' | 'parameters'> & {
    readonly parameters?: Readonly<Record<string, unknown>>
  }

const readVersion = (
  { slug, files }: Group,
  stem: string,
  { published, labels, parameters = {}, ...settings }: Settings,
  problems: Problem[],
): PlacedVersion<PromptContent> | undefined => {
  const found = (['json', 'txt'] as const).flatMap((kind) => {
    const path = pathOf(slug, templateName(stem, kind))
    const text = files.get(path)
    return text === undefined ? [] : [{ path, kind, text }]
  })
  const [template, second] = found
  const file = pathOf(slug, settingsName(stem))
  if (template === undefined || second !== undefined) {
    const names = `${templateName(stem, 'json')} or ${templateName(stem, 'txt')}`
    problems.push({ file, message: `needs a template beside it: ${names}, not ${second ? 'both' : 'neither'}` })
    return undefined
  }
  const string = readPromptTemplate(template.path, template, Boolean(settings.is_raw_template), problems)
  const faults = findSchemaFaults(settings.variables_schema)
  problems.push(...faults.map(({ path, message }) => ({ file, message: `\`${path}\` ${message}` })))
  if (string === undefined || faults.length > 0) return undefined
  return {
    file,
    references: defined({ published, labels }),
    content: toContent({ ...settings, parameters, string }),
  }
}
