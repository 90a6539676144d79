import { partials as partialObjects } from '../../management/prompt-partials/routes.ts'
import { prompts as promptObjects } from '../../management/prompts/versions.ts'
import { findPromptsNaming, partialRows } from '../../store/objects/prompt-partials.ts'
import { listPrompts, promptRows } from '../../store/objects/prompts.ts'
import type { Workspace } from '../../store/objects/workspaces.ts'
import type { Db } from '../../store/types.ts'
import type { TerminalStore } from '../terminal-store.ts'
import { changeTogether, everyRow } from './database.ts'
import type { PromptSet } from './entries.ts'
import type { Row } from './report.ts'

/** Slugs of what is active in the workspace and not in the files. */
export interface Strays {
  readonly prompts: readonly string[]
  readonly partials: readonly string[]
}

/** A set that says nothing about a kind has no strays of it. */
export const findStrays = async (
  db: Db,
  { id: workspaceId }: Workspace,
  { prompts, partials }: PromptSet,
): Promise<Strays> => ({
  prompts:
    prompts === undefined ? [] : without(await everyRow((page) => listPrompts(db, { workspaceId }, page)), prompts),
  partials:
    partials === undefined
      ? []
      : without(await everyRow((page) => partialRows.list(db, { workspaceId }, page)), partials),
})

interface Stored {
  readonly slug: string
  readonly status: string
}

const without = (stored: readonly Stored[], known: readonly { readonly slug: string }[]): readonly string[] => {
  const slugs = new Set(known.map(({ slug }) => slug))
  const strays = stored.filter(({ slug, status }) => status === 'active' && !slugs.has(slug))
  return strays.map(({ slug }) => slug).toSorted()
}

export const describeStrays = ({ prompts, partials }: Strays): readonly Row[] => [
  ...partials.map((name) => ({ action: 'deleted', kind: 'partial', name, details: [] }) as const),
  ...prompts.map((name) => ({ action: 'deleted', kind: 'prompt', name, details: [] }) as const),
]

/** Deletes a prompt with its versions. */
export const deleteStrayPrompt = (terminal: TerminalStore, { id }: Workspace, slug: string): Promise<void> =>
  changeTogether(terminal, async (transaction, audit) => {
    const prompt = await promptObjects.reach(transaction, { workspaceId: id, reference: slug }, 'change')
    audit(promptObjects.deleted(await promptObjects.published(transaction, prompt)))
    await promptRows.remove(transaction, prompt.id)
  })

/** Deletes a partial with its versions. */
export const deleteStrayPartial = (terminal: TerminalStore, { id }: Workspace, slug: string): Promise<void> =>
  changeTogether(terminal, async (transaction, audit) => {
    const partial = await partialObjects.reach(transaction, { workspaceId: id, reference: slug }, 'change')
    const { before, ...entry } = partialObjects.deleted(await partialObjects.published(transaction, partial))
    audit({ ...entry, before: { ...before, named_by: await findPromptsNaming(transaction, partial) } })
    await partialRows.remove(transaction, partial.id)
  })
