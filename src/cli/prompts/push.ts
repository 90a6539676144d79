import type { Workspace } from '../../store/workspaces.ts'
import type { TerminalStore } from '../terminal-store.ts'
import { changeTogether } from './changes.ts'
import { type CollectionPaths, readCollectionPaths } from './collection-paths.ts'
import type { PromptSet } from './entries.ts'
import { FilesRefused } from './problems.ts'
import { findProviderSlugs, providerProblems, withProviderSlugs } from './providers.ts'
import { deleteStrayPartial, deleteStrayPrompt, describeStrays, findStrays, type Strays } from './prune.ts'
import type { PushOptions } from './push-options.ts'
import { applyPartial, describePartial, type PartialPlan, planPartial } from './push-partial.ts'
import { createPlaces, describePlaces, findMissingPlaces, type MissingPlaces } from './push-places.ts'
import { applyPrompt, describePrompt, type PromptPlan, planPrompt } from './push-prompt.ts'
import type { Row } from './report.ts'

/** All that a push would do. */
export interface PushPlan {
  readonly places: MissingPlaces
  readonly partials: readonly PartialPlan[]
  readonly prompts: readonly PromptPlan[]
  readonly strays: Strays
}

/** @throws FilesRefused when the files cannot be stored in this workspace */
export const planPush = async (
  { db }: TerminalStore,
  workspace: Workspace,
  set: PromptSet,
  { prune }: PushOptions,
): Promise<PushPlan> => {
  const entries = set.prompts ?? []
  const places = await findMissingPlaces(db, workspace, entries)
  const collections = await readCollectionPaths(db, workspace)
  const slugs = await findProviderSlugs(db, workspace, entries)
  const partials: PartialPlan[] = []
  for (const entry of set.partials ?? []) partials.push(await planPartial(db, workspace, entry))
  const prompts: PromptPlan[] = []
  for (const entry of entries) {
    prompts.push(await planPrompt(db, workspace, withProviderSlugs(entry, slugs), collections))
  }
  const problems = prompts.flatMap((plan) => providerProblems(plan, slugs))
  if (problems.length > 0) throw new FilesRefused(problems)
  const strays = prune ? await findStrays(db, workspace, set) : { prompts: [], partials: [] }
  return { places, partials, prompts, strays }
}

export const describePush = ({ places, partials, prompts, strays }: PushPlan, options: PushOptions): readonly Row[] => [
  ...describePlaces(places),
  ...partials.map((plan) => describePartial(plan, options)),
  ...prompts.map((plan) => describePrompt(plan, options)),
  ...describeStrays(strays),
]

/** Where a push goes, and how far. */
export interface PushPlace {
  readonly terminal: TerminalStore
  readonly workspace: Workspace
  readonly options: PushOptions
}

/**
 * Does what is planned: each prompt and partial in a transaction of its own, planned again under its lock, as somebody else may
 * have changed it meanwhile.
 * @param done gets each row when it is true
 */
export const applyPush = async (
  place: PushPlace,
  { places, partials, prompts, strays }: PushPlan,
  done: (rows: readonly Row[]) => void,
): Promise<void> => {
  const { terminal, workspace, options } = place
  await createPlaces(terminal, workspace, places)
  done(describePlaces(places))
  for (const plan of partials) {
    const row = describePartial(plan, options)
    done([row.action === 'unchanged' ? row : await pushPartial(place, plan)])
  }
  const collections = await readCollectionPaths(terminal.db, workspace)
  for (const plan of prompts) {
    const row = describePrompt(plan, options)
    done([row.action === 'unchanged' ? row : await pushPrompt(place, plan, collections)])
  }
  for (const slug of strays.partials) {
    await deleteStrayPartial(terminal, workspace, slug)
    done(describeStrays({ prompts: [], partials: [slug] }))
  }
  for (const slug of strays.prompts) {
    await deleteStrayPrompt(terminal, workspace, slug)
    done(describeStrays({ prompts: [slug], partials: [] }))
  }
}

const pushPartial = ({ terminal, workspace, options }: PushPlace, { entry }: PartialPlan): Promise<Row> =>
  changeTogether(terminal, async (transaction, audit) => {
    const plan = await planPartial(transaction, workspace, entry, 'change')
    await applyPartial({ transaction, actor: terminal.actor, workspace, options, audit }, plan)
    return describePartial(plan, options)
  })

const pushPrompt = (
  { terminal, workspace, options }: PushPlace,
  { entry }: PromptPlan,
  collections: CollectionPaths,
): Promise<Row> =>
  changeTogether(terminal, async (transaction, audit) => {
    const plan = await planPrompt(transaction, workspace, entry, collections, 'change')
    await applyPrompt({ transaction, actor: terminal.actor, workspace, collections, options, audit }, plan)
    return describePrompt(plan, options)
  })
