import { bySlug, type PromptSet } from './entries.ts'
import type { Files, FolderContent, Group } from './files.ts'
import { isFileSlug, PARTIALS, PROMPTS, readPartialFileName, readPromptFileName } from './layout.ts'
import { FilesRefused, type Problem } from './problems.ts'
import { readPartial } from './read-partial.ts'
import { readPrompt } from './read-prompt.ts'

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
