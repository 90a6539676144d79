import { createHash } from 'node:crypto'
import type { TemplateKind } from './template-file.ts'

/** Names of files and folders, which are the same on every file system: no two differ in case only. */

export const PROMPTS = 'prompts'
export const PARTIALS = 'partials'
export const FOLDERS = [PROMPTS, PARTIALS] as const

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether a slug can be the name of a file; one that looks like an id could be taken for another prompt's. */
export const isFileSlug = (slug: string): boolean => /^[a-z0-9][a-z0-9_-]{0,99}$/.test(slug) && !UUID.test(slug)

/** Stem of the newest version of a prompt. */
export const NEWEST = 'prompt'

/**
 * Stem of the files of an older version: after what refers to it. A label that is long, or is not in lower case, is told
 * from others by a hash.
 */
export const stemOf = ({
  isPublished,
  labels: [label = ''],
}: {
  readonly isPublished: boolean
  readonly labels: readonly string[]
}): string => {
  if (isPublished) return 'published'
  if (/^[a-z0-9_-]{1,80}$/.test(label)) return `label-${label}`
  return `label-${label.slice(0, 80)}-${createHash('sha256').update(label).digest('hex').slice(0, 8)}`
}

/** What the name of a file says that belongs to a prompt. */
export interface PromptFileName {
  readonly stem: string
  readonly part: 'settings' | TemplateKind
}

const PROMPT_FILE = /^(prompt|published|label-[a-zA-Z0-9_-]{1,100})\.json$/
const TEMPLATE_FILE = /^(?:(published|label-[a-zA-Z0-9_-]{1,100})\.)?template\.(json|txt)$/

/** @returns undefined for a name that no file of a prompt has */
export const readPromptFileName = (name: string): PromptFileName | undefined => {
  const [, settings] = PROMPT_FILE.exec(name) ?? []
  if (settings !== undefined) return { stem: settings, part: 'settings' }
  const [, stem = NEWEST, kind] = TEMPLATE_FILE.exec(name) ?? []
  return kind === 'json' || kind === 'txt' ? { stem, part: kind } : undefined
}

export const settingsName = (stem: string): string => `${stem}.json`

export const templateName = (stem: string, kind: TemplateKind): string =>
  `${stem === NEWEST ? '' : `${stem}.`}template.${kind}`

/** What the name of a file says that belongs to a partial. */
export interface PartialFileName {
  readonly slug: string
  /** Whether it is of the published version, when that is not the newest. */
  readonly isOlder: boolean
  readonly part: 'settings' | 'txt'
}

/** @returns undefined for a name that no file of a partial has */
export const readPartialFileName = (name: string): PartialFileName | undefined => {
  const [, slug = '', older, extension] = /^([^.]+)(\.published)?\.(json|txt)$/.exec(name) ?? []
  if (!isFileSlug(slug)) return undefined
  return { slug, isOlder: older !== undefined, part: extension === 'json' ? 'settings' : 'txt' }
}

export const partialName = (slug: string, isOlder: boolean, part: PartialFileName['part']): string =>
  `${slug}${isOlder ? '.published' : ''}.${part === 'settings' ? 'json' : 'txt'}`
