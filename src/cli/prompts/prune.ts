import { entryFor as partialEntryFor } from '../../management/prompt-partials/audit-entry.ts'
import { reachPartial, reachVersion as reachPartialVersion } from '../../management/prompt-partials/service.ts'
import { toPartialDetail } from '../../management/prompt-partials/view.ts'
import { entryFor } from '../../management/prompts/audit-entry.ts'
import { reachPrompt } from '../../management/prompts/service.ts'
import { reachVersion } from '../../management/prompts/versions.ts'
import { toAuditRecord } from '../../management/prompts/view.ts'
import { deletePromptPartial, findPromptsNaming, listPromptPartials } from '../../store/prompt-partials.ts'
import { deletePrompt, listPrompts } from '../../store/prompts.ts'
import type { Db } from '../../store/types.ts'
import type { Workspace } from '../../store/workspaces.ts'
import type { TerminalStore } from '../terminal-store.ts'
import { changeTogether } from './changes.ts'
import type { PromptSet } from './entries.ts'
import { everyRow } from './every.ts'
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
      : without(await everyRow((page) => listPromptPartials(db, { workspaceId }, page)), partials),
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
    const prompt = await reachPrompt(transaction, id, slug, 'change')
    const before = { prompt, version: await reachVersion(transaction, prompt, { kind: 'published' }) }
    await deletePrompt(transaction, prompt.id)
    audit(entryFor('delete', prompt, { before: toAuditRecord(before) }))
  })

/** Deletes a partial with its versions. */
export const deleteStrayPartial = (terminal: TerminalStore, { id }: Workspace, slug: string): Promise<void> =>
  changeTogether(terminal, async (transaction, audit) => {
    const partial = await reachPartial(transaction, id, slug, 'change')
    const before = toPartialDetail({ partial, version: await reachPartialVersion(transaction, partial) })
    const namedBy = await findPromptsNaming(transaction, partial)
    await deletePromptPartial(transaction, partial.id)
    audit({ ...partialEntryFor('delete', partial), before: { ...before, named_by: namedBy } })
  })
