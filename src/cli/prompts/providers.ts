import type { PromptContent } from '../../store/prompts.ts'
import { providerRows } from '../../store/providers.ts'
import type { Db } from '../../store/types.ts'
import type { Workspace } from '../../store/workspaces.ts'
import { type PromptEntry, type VersionEntry, versionsOf } from './entries.ts'
import { NEWEST, PROMPTS, settingsName } from './layout.ts'
import type { Problem } from './problems.ts'
import type { PromptPlan } from './push-prompt.ts'

/** Slugs of stored providers, by what files name them. */
export type ProviderSlugs = ReadonlyMap<string, string>

export const findProviderSlugs = async (
  db: Db,
  { id: workspaceId }: Workspace,
  prompts: readonly PromptEntry[],
): Promise<ProviderSlugs> => {
  const names = new Set(prompts.flatMap(versionsOf).flatMap(({ content }) => content.virtualKey ?? []))
  const slugs = new Map<string, string>()
  for (const reference of names) {
    const found = await providerRows.find(db, { workspaceId, reference })
    if (found !== undefined) slugs.set(reference, found.slug)
  }
  return slugs
}

/** The prompt with providers by slug, as they are stored, also where a file names one by its id. */
export const withProviderSlugs = (prompt: PromptEntry, slugs: ProviderSlugs): PromptEntry => {
  const named = ({ content, ...version }: VersionEntry<PromptContent>): VersionEntry<PromptContent> => ({
    ...version,
    content: { ...content, virtualKey: slugs.get(content.virtualKey ?? '') ?? content.virtualKey },
  })
  return { ...prompt, newest: named(prompt.newest), kept: prompt.kept.map(named) }
}

/** Only versions that are to be made need theirs: one that was stored before may have lost it since. */
export const providerProblems = ({ entry, versions }: PromptPlan, slugs: ProviderSlugs): readonly Problem[] =>
  versions.adds.flatMap(({ content }) => {
    const { virtualKey } = content
    if (virtualKey === null || [...slugs.values()].includes(virtualKey)) return []
    const folder = `${PROMPTS}/${entry.slug}`
    const file = content === entry.newest.content ? `${folder}/${settingsName(NEWEST)}` : folder
    return [{ file, message: `\`virtual_key\` '${virtualKey}' is no provider of the workspace` }]
  })
