import { defined } from '../../core/defined.ts'
import { fromContent } from '../../management/prompts/content.ts'
import type { PartialContent } from '../../store/objects/prompt-partials.ts'
import type { PromptContent } from '../../store/objects/prompts.ts'
import type { PartialEntry, PromptEntry, PromptSet, VersionEntry } from './entries.ts'
import type { Files } from './folder.ts'
import { NEWEST, PARTIALS, PROMPTS, partialName, settingsName, stemOf, templateName } from './layout.ts'
import { toTemplateFile } from './template-file.ts'

/** Writes a set as files: one set always makes the same ones, to the byte. */
export const toFiles = ({ prompts = [], partials = [] }: PromptSet): Files =>
  new Map([...prompts.flatMap(promptFiles), ...partials.flatMap(partialFiles)])

type File = readonly [path: string, text: string]

const promptFiles = ({ slug, name, collection, newest, kept }: PromptEntry): readonly File[] => [
  ...versionFiles(slug, NEWEST, newest, { name, ...defined({ collection }) }),
  ...kept.flatMap((version) => versionFiles(slug, stemOf(version), version, {})),
]

const versionFiles = (
  slug: string,
  stem: string,
  version: VersionEntry<PromptContent>,
  head: Readonly<Record<string, unknown>>,
): readonly File[] => {
  const { template, isRawTemplate } = version.content
  const file = toTemplateFile(template, isRawTemplate)
  return [
    [`${PROMPTS}/${slug}/${settingsName(stem)}`, toJson({ ...head, ...stateOf(version), ...promptFields(version) })],
    [`${PROMPTS}/${slug}/${templateName(stem, file.kind)}`, file.text],
  ]
}

const stateOf = ({ isPublished, labels }: VersionEntry<unknown>) => ({
  published: isPublished,
  ...(labels.length === 0 ? {} : { labels }),
})

/** What is left out stands for the same as what is written: nothing. */
const promptFields = ({ content }: VersionEntry<PromptContent>): Readonly<Record<string, unknown>> => {
  const { string: _, ...fields } = fromContent(content)
  const { version_description, model, virtual_key, parameters, is_raw_template: isRaw, strict, ...others } = fields
  return withoutNulls({
    version_description,
    model,
    virtual_key,
    parameters,
    ...others,
    is_raw_template: isRaw === 1 ? true : null,
    strict: strict ? true : null,
  })
}

const partialFiles = ({ slug, name, newest, kept }: PartialEntry): readonly File[] => [
  ...partialVersionFiles(slug, false, newest, { name }),
  ...kept.flatMap((version) => partialVersionFiles(slug, true, version, {})),
]

const partialVersionFiles = (
  slug: string,
  isOlder: boolean,
  { isPublished, content: { template, description } }: VersionEntry<PartialContent>,
  head: Readonly<Record<string, unknown>>,
): readonly File[] => [
  [
    `${PARTIALS}/${partialName(slug, isOlder, 'settings')}`,
    toJson(withoutNulls({ ...head, published: isPublished, version_description: description })),
  ],
  [`${PARTIALS}/${partialName(slug, isOlder, 'txt')}`, `${template}\n`],
]

const withoutNulls = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
