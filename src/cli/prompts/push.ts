import { parsePrompt, parseTemplate } from '../../calls/template/index.ts'
import { partialRows } from '../../store/objects/prompt-partials.ts'
import type { PromptContent } from '../../store/objects/prompts.ts'
import { providerRows } from '../../store/objects/providers.ts'
import type { Workspace } from '../../store/objects/workspaces.ts'
import { readPromptReference } from '../../store/prompt-reference.ts'
import type { Db } from '../../store/types.ts'
import type { TerminalStore } from '../terminal-store.ts'
import { changeTogether } from './database.ts'
import { type PromptEntry, type PromptSet, type VersionEntry, versionsOf } from './entries.ts'
import { FilesRefused, type Problem } from './folder.ts'
import { NEWEST, PARTIALS, PROMPTS, settingsName } from './layout.ts'
import {
  type CollectionPaths,
  createPlaces,
  describePlaces,
  findMissingPlaces,
  type MissingPlaces,
  readCollectionPaths,
} from './places.ts'
import type { PushOptions } from './plan-versions.ts'
import { deleteStrayPartial, deleteStrayPrompt, describeStrays, findStrays, type Strays } from './prune.ts'
import { applyPartial, describePartial, type PartialPlan, planPartial } from './push-partial.ts'
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

/** The workspace that a push changes, and how far it may go. */
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

/**
 * Templates that name partials which will not be there, one sentence each: they may be stored, but calls that use them are
 * refused. Above all the number of a version, as in `{{>slug@5}}`, is that of one database, and says nothing in another.
 */
export const findBrokenPins = async (
  db: Db,
  workspace: Workspace,
  set: PromptSet,
  plan: Pick<PushPlan, 'partials' | 'strays'>,
): Promise<readonly string[]> => {
  const warnings: string[] = []
  for (const { owner, references } of ownersOf(set)) {
    for (const reference of new Set(references)) {
      if (await isThere(db, workspace, reference, plan)) continue
      warnings.push(`${owner} names the partial '${reference}', which is not in the workspace`)
    }
  }
  return warnings
}

interface Owner {
  readonly owner: string
  /** References of partials, as the templates write them. */
  readonly references: readonly string[]
}

const ownersOf = ({ prompts = [], partials = [] }: PromptSet): readonly Owner[] => [
  ...prompts.map((prompt) => ({
    owner: `${PROMPTS}/${prompt.slug}`,
    references: versionsOf(prompt).flatMap(
      ({ content: { template, isRawTemplate: isRaw } }) => parsePrompt(template, { isRaw }).partials,
    ),
  })),
  ...partials.map((partial) => ({
    owner: `${PARTIALS}/${partial.slug}`,
    references: versionsOf(partial).flatMap(({ content }) => parseTemplate(content.template).partials),
  })),
]

/** Whether it is there when all is done that is planned: before that, too, as after a dry run. */
const isThere = async (
  db: Db,
  { id: workspaceId }: Workspace,
  reference: string,
  { partials, strays }: Pick<PushPlan, 'partials' | 'strays'>,
): Promise<boolean> => {
  const read = readPromptReference(reference)
  if (read === undefined || read.selector.kind === 'label' || strays.partials.includes(read.name)) return false
  const number = read.selector.kind === 'number' ? read.selector.number : undefined
  const planned = partials.find(({ entry }) => entry.slug === read.name)
  if (planned !== undefined) {
    if (number === undefined || planned.versions.adds.some((add) => add.number === number)) return true
  }
  const partial = await partialRows.find(db, { workspaceId, reference: read.name })
  if (partial === undefined || (partial.status !== 'active' && planned === undefined)) return false
  return number === undefined || (await partialRows.findVersion(db, partial.id, number)) !== undefined
}
