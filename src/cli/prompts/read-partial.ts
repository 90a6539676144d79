import type { PartialContent } from '../../store/prompt-partials.ts'
import type { PartialEntry } from './entries.ts'
import type { Group } from './files.ts'
import { PARTIALS, partialName } from './layout.ts'
import { PartialFile, PartialVersionFile } from './model.ts'
import type { Problem } from './problems.ts'
import { readJson } from './read-json.ts'
import { readPartialTemplate } from './read-template.ts'
import { type PlacedVersion, withReferences } from './references.ts'

/** A partial, from its files; undefined when they have problems, which are added to the list. */
export const readPartial = (group: Group, problems: Problem[]): PartialEntry | undefined => {
  const newest = readVersion(group, false, PartialFile, problems)
  const hasOlder = (['settings', 'txt'] as const).some((part) => group.files.has(pathOf(group.slug, true, part)))
  const older = hasOlder ? readVersion(group, true, PartialVersionFile, problems) : undefined
  if (newest === undefined || (hasOlder && older === undefined)) return undefined
  const versions = withReferences(newest.version, older === undefined ? [] : [older.version], problems)
  return versions && { slug: group.slug, name: newest.settings.name, ...versions }
}

const pathOf = (slug: string, isOlder: boolean, part: 'settings' | 'txt'): string =>
  `${PARTIALS}/${partialName(slug, isOlder, part)}`

interface Version<Settings> {
  readonly settings: Settings
  readonly version: PlacedVersion<PartialContent>
}

const readVersion = <Schema extends typeof PartialFile | typeof PartialVersionFile>(
  { slug, files }: Group,
  isOlder: boolean,
  schema: Schema,
  problems: Problem[],
): Version<Schema['static']> | undefined => {
  const [file, templateFile] = [pathOf(slug, isOlder, 'settings'), pathOf(slug, isOlder, 'txt')]
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
