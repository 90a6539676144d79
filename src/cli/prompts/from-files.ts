import { defined } from '../../core/defined.ts'
import { findSchemaFaults, toContent } from '../../management/prompts/content.ts'
import type { PartialContent } from '../../store/objects/prompt-partials.ts'
import type { PromptContent } from '../../store/objects/prompts.ts'
import { bySlug, type PartialEntry, type PromptEntry, type PromptSet } from './entries.ts'
import { type Files, FilesRefused, type FolderContent, type Group, type Problem } from './folder.ts'
import {
  isFileSlug,
  NEWEST,
  PARTIALS,
  PROMPTS,
  partialName,
  readPartialFileName,
  readPromptFileName,
  settingsName,
  templateName,
} from './layout.ts'
import {
  PartialFile,
  PartialVersionFile,
  type PlacedVersion,
  PromptFile,
  PromptVersionFile,
  type References,
  readJson,
  readPartialTemplate,
  readPromptTemplate,
  withReferences,
} from './read-file.ts'

/**
 * What the files of a folder say.
 * @throws FilesRefused with every problem there is
 */
export const fromFiles = ({ files, folders }: FolderContent): PromptSet => {
  const problems: Problem[] = []
  const prompts = grouped(files, PROMPTS, slugOfPrompt, problems)
  const partials = grouped(files, PARTIALS, slugOfPartial, problems)
  const set = {
    ...(folders.has(PROMPTS) ? { prompts: bySlug(prompts.flatMap((group) => readPrompt(group, problems) ?? [])) } : {}),
    ...(folders.has(PARTIALS)
      ? { partials: bySlug(partials.flatMap((group) => readPartial(group, problems) ?? [])) }
      : {}),
  }
  if (problems.length > 0) throw new FilesRefused(problems)
  return set
}

const grouped = (
  files: Files,
  folder: string,
  slugOf: (path: string) => string | undefined,
  problems: Problem[],
): readonly Group[] => {
  const groups = new Map<string, Map<string, string>>()
  for (const [path, text] of files) {
    if (!path.startsWith(`${folder}/`)) continue
    const slug = slugOf(path.slice(folder.length + 1))
    if (slug === undefined) problems.push({ file: path, message: 'is a name that no file of a prompt or partial has' })
    else groups.set(slug, (groups.get(slug) ?? new Map<string, string>()).set(path, text))
  }
  return [...groups].map(([slug, group]) => ({ slug, files: group }))
}

const slugOfPrompt = (path: string): string | undefined => {
  const [slug = '', name = '', ...more] = path.split('/')
  return more.length === 0 && isFileSlug(slug) && readPromptFileName(name) !== undefined ? slug : undefined
}

const slugOfPartial = (path: string): string | undefined => readPartialFileName(path)?.slug

/** A prompt, from its files; undefined when they have problems, which are added to the list. */
export const readPrompt = (group: Group, problems: Problem[]): PromptEntry | undefined => {
  const { slug, files } = group
  const file = promptPath(slug, settingsName(NEWEST))
  const text = files.get(file)
  if (text === undefined) {
    problems.push({ file, message: 'is missing' })
    return undefined
  }
  const settings = readJson(file, text, PromptFile, problems)
  const older = [...stemsOf(group)].toSorted().map((stem) => readOlderPrompt(group, stem, problems))
  if (settings === undefined) return undefined
  const { name, collection, ...version } = settings
  const newest = readPromptVersion(group, NEWEST, version, problems)
  const all = older.flatMap((found) => found ?? [])
  if (newest === undefined || all.length < older.length) return undefined
  const versions = withReferences(newest, all, problems)
  return versions && { slug, name, ...defined({ collection }), ...versions }
}

const promptPath = (slug: string, name: string): string => `${PROMPTS}/${slug}/${name}`

/** Stems of the files of older versions. */
const stemsOf = ({ files }: Group): ReadonlySet<string> => {
  const names = [...files.keys()].map((path) => readPromptFileName(path.split('/').at(-1) ?? ''))
  return new Set(names.flatMap((name) => (name === undefined || name.stem === NEWEST ? [] : [name.stem])))
}

const readOlderPrompt = (group: Group, stem: string, problems: Problem[]): PlacedVersion<PromptContent> | undefined => {
  const file = promptPath(group.slug, settingsName(stem))
  const text = group.files.get(file)
  if (text === undefined) {
    problems.push({ file, message: 'is missing' })
    return undefined
  }
  const settings = readJson(file, text, PromptVersionFile, problems)
  return settings && readPromptVersion(group, stem, settings, problems)
}

/** What the settings of a version hold besides `published` and `labels`. */
type PromptSettings = References &
  Omit<Parameters<typeof toContent>[0], 'string' | 'parameters'> & {
    readonly parameters?: Readonly<Record<string, unknown>>
  }

const readPromptVersion = (
  { slug, files }: Group,
  stem: string,
  { published, labels, parameters = {}, ...settings }: PromptSettings,
  problems: Problem[],
): PlacedVersion<PromptContent> | undefined => {
  const found = (['json', 'txt'] as const).flatMap((kind) => {
    const path = promptPath(slug, templateName(stem, kind))
    const text = files.get(path)
    return text === undefined ? [] : [{ path, kind, text }]
  })
  const [template, second] = found
  const file = promptPath(slug, settingsName(stem))
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

/** A partial, from its files; undefined when they have problems, which are added to the list. */
export const readPartial = (group: Group, problems: Problem[]): PartialEntry | undefined => {
  const newest = readPartialVersion(group, false, PartialFile, problems)
  const hasOlder = (['settings', 'txt'] as const).some((part) => group.files.has(partialPath(group.slug, true, part)))
  const older = hasOlder ? readPartialVersion(group, true, PartialVersionFile, problems) : undefined
  if (newest === undefined || (hasOlder && older === undefined)) return undefined
  const versions = withReferences(newest.version, older === undefined ? [] : [older.version], problems)
  return versions && { slug: group.slug, name: newest.settings.name, ...versions }
}

const partialPath = (slug: string, isOlder: boolean, part: 'settings' | 'txt'): string =>
  `${PARTIALS}/${partialName(slug, isOlder, part)}`

interface PlacedPartial<Settings> {
  readonly settings: Settings
  readonly version: PlacedVersion<PartialContent>
}

const readPartialVersion = <Schema extends typeof PartialFile | typeof PartialVersionFile>(
  { slug, files }: Group,
  isOlder: boolean,
  schema: Schema,
  problems: Problem[],
): PlacedPartial<Schema['static']> | undefined => {
  const [file, templateFile] = [partialPath(slug, isOlder, 'settings'), partialPath(slug, isOlder, 'txt')]
  const [text, templateText] = [files.get(file), files.get(templateFile)]
  if (text === undefined) problems.push({ file, message: 'is missing' })
  if (templateText === undefined) problems.push({ file: templateFile, message: 'is missing' })
  const settings = text === undefined ? undefined : readJson(file, text, schema, problems)
  const template = templateText === undefined ? undefined : readPartialTemplate(templateFile, templateText, problems)
  if (settings === undefined || template === undefined) return undefined
  const { published, version_description: description = null } = settings
  const references = published === undefined ? {} : { published }
  return { settings, version: { file, references, content: { template, description } } }
}
