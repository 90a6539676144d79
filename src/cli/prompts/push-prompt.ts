import { defined } from '../../core/defined.ts'
import { check } from '../../core/json/check.ts'
import { ManagementInvalid } from '../../errors/gateway-error.ts'
import { type Actor, authorOf } from '../../management/actor.ts'
import { fromContent } from '../../management/prompts/content.ts'
import { PromptChange, type PromptChangeBody } from '../../management/prompts/model.ts'
import { reachCollectionId, reachProviderSlug } from '../../management/prompts/references.ts'
import { changePrompt } from '../../management/prompts/service.ts'
import { labelVersion, prompts, relabel } from '../../management/prompts/versions.ts'
import { placeIn } from '../../management/resolve-workspace.ts'
import type { AuditEntry } from '../../management/route.ts'
import {
  type Prompt,
  type PromptAt,
  type PromptContent,
  promptRows,
  type VersionLabel,
} from '../../store/objects/prompts.ts'
import type { Workspace } from '../../store/objects/workspaces.ts'
import type { Db } from '../../store/types.ts'
import { type PromptEntry, promptKey } from './entries.ts'
import { type CollectionPaths, isSamePath, shownPath } from './places.ts'
import { describeVersions, type PushOptions, planVersions, type VersionsPlan } from './plan-versions.ts'
import type { Row } from './report.ts'
import { storedPromptVersions } from './stored-versions.ts'

export interface PromptPlan {
  readonly entry: PromptEntry
  /** Absent: the prompt is to be made. */
  readonly prompt?: Prompt
  readonly versions: VersionsPlan<PromptContent>
  /** Whether it is in another collection than the file says. */
  readonly isMoved: boolean
}

/** @param lock `change` inside the transaction that does what is planned */
export const planPrompt = async (
  db: Db,
  { id: workspaceId }: Workspace,
  entry: PromptEntry,
  collections: CollectionPaths,
  lock?: 'change',
): Promise<PromptPlan> => {
  const prompt = await promptRows.find(db, { workspaceId, reference: entry.slug }, lock)
  const stored = prompt && (await storedPromptVersions(db, prompt))
  const isMoved =
    prompt !== undefined &&
    entry.collection !== undefined &&
    !isSamePath(collections.pathOf(prompt.collectionId), entry.collection)
  const versions = await planVersions(entry, promptKey, stored)
  return defined({ entry, versions, isMoved, prompt })
}

export const describePrompt = ({ entry, prompt, versions, isMoved }: PromptPlan, options: PushOptions): Row => {
  const { changes, notes } = describeVersions(versions, options, prompt === undefined)
  const own =
    prompt === undefined
      ? []
      : [
          ...(prompt.status === 'active' ? [] : ['active again']),
          ...(prompt.name === entry.name ? [] : ['renamed']),
          ...(isMoved ? [`moved to ${shownPath(entry.collection ?? [])}`] : []),
        ]
  return {
    action: prompt === undefined ? 'created' : own.length + changes.length > 0 ? 'changed' : 'unchanged',
    kind: 'prompt',
    name: entry.slug,
    version: versions.adds.at(-1)?.number ?? prompt?.version ?? 0,
    details: [...own, ...changes, ...notes],
  }
}

export interface PromptPush {
  readonly transaction: Db
  readonly actor: Actor
  readonly workspace: Workspace
  readonly collections: CollectionPaths
  readonly options: PushOptions
  audit(entry: AuditEntry): void
}

/** Does what is planned; the prompt, if there is one, must have been planned with the lock `change`. */
export const applyPrompt = async (push: PromptPush, plan: PromptPlan): Promise<void> => {
  const { transaction, actor, options, audit } = push
  const { versions, prompt: before } = plan
  const prompt = before === undefined ? await create(push, plan) : await change(push, plan, before)
  if (before !== undefined && options.prune) await clearLabels(push, prompt, versions.strays)
  await moveLabels(push, prompt, versions.labels)
  const { publication } = versions
  if (publication === undefined || !(options.publish || before === undefined)) return
  if (publication.to === prompt.publishedVersion) return
  const at = await prompts.published(transaction, prompt)
  audit(prompts.changed('publish', at, await prompts.publish(transaction, actor, prompt, publication.to)))
}

const create = async (push: PromptPush, { entry, versions }: PromptPlan): Promise<Prompt> => {
  const { transaction, actor, workspace, collections, audit } = push
  const [first, ...more] = versions.adds
  if (first === undefined) throw new Error(`The prompt '${entry.slug}' has no version.`)
  const { virtualKey } = first.content
  const made = await promptRows.create(transaction, {
    ...placeIn(workspace),
    collectionId: await reachCollectionId(transaction, placeIn(workspace), collectionId(collections, entry)),
    slug: entry.slug,
    name: entry.name,
    content: {
      ...first.content,
      virtualKey: virtualKey === null ? null : await reachProviderSlug(transaction, workspace.id, virtualKey),
    },
    by: authorOf(actor),
  })
  audit(prompts.created(made))
  return addAll(push, made.object, more, {})
}

const change = async (push: PromptPush, plan: PromptPlan, prompt: Prompt): Promise<Prompt> => {
  const { entry, versions, isMoved } = plan
  const collection = isMoved ? collectionId(push.collections, entry) : undefined
  const own: PromptChangeBody = {
    ...(prompt.name === entry.name ? {} : { name: entry.name }),
    ...defined({ collection_id: collection }),
    ...(prompt.status === 'active' ? {} : { status: 'active' as const }),
  }
  if (versions.adds.length > 0) return addAll(push, prompt, versions.adds, own)
  return Object.keys(own).length === 0 ? prompt : changeOnce(push, prompt, own)
}

/** Adds versions; what else is different goes along with the first. */
const addAll = async (
  push: PromptPush,
  before: Prompt,
  adds: VersionsPlan<PromptContent>['adds'],
  own: PromptChangeBody,
): Promise<Prompt> => {
  let prompt = before
  for (const [index, { content }] of adds.entries()) {
    prompt = await changeOnce(push, prompt, { ...toBody(content), ...(index === 0 ? own : {}) })
  }
  return prompt
}

const changeOnce = async (
  { transaction, actor, audit }: PromptPush,
  prompt: Prompt,
  body: PromptChangeBody,
): Promise<Prompt> => {
  const before = await prompts.at(transaction, prompt, prompt.version)
  const after = await changePrompt(transaction, actor, before, body)
  audit(prompts.changed('update', before, after))
  return after.object
}

const collectionId = (collections: CollectionPaths, { collection }: PromptEntry): string | undefined =>
  collection === undefined ? undefined : collections.find(collection)?.id

/** A version as the body of a call, by the rules of the interface. @throws ManagementInvalid */
const toBody = (content: PromptContent): PromptChangeBody => {
  const checked = check(PromptChange, fromContent(content))
  if (checked.ok) return checked.value
  const [first] = checked.violations
  throw new ManagementInvalid(`\`${first?.path}\` ${first?.message}.`, { violations: checked.violations })
}

interface LabelPush {
  readonly transaction: Db
  audit(entry: AuditEntry): void
}

/** Puts labels on versions. The prompt must have been found with the lock `change`. */
export const moveLabels = async (
  push: LabelPush,
  prompt: Prompt,
  moves: readonly { readonly name: string; readonly to: number }[],
): Promise<void> => {
  for (const { name, to } of moves) {
    await changeLabels(push, prompt, to, (at) => labelVersion(push.transaction, at, name))
  }
}

/** Takes labels off the versions that carry them; other labels of these versions stay. */
export const clearLabels = async (
  push: LabelPush,
  prompt: Prompt,
  strays: readonly { readonly name: string; readonly from: number }[],
): Promise<void> => {
  const gone = new Set(strays.map(({ name }) => name))
  for (const number of new Set(strays.map(({ from }) => from))) {
    await changeLabels(push, prompt, number, async (at, labels) => {
      await labelVersion(push.transaction, at, null)
      for (const { name } of labels) if (!gone.has(name)) await labelVersion(push.transaction, at, name)
    })
  }
}

const changeLabels = async (
  { transaction, audit }: LabelPush,
  prompt: Prompt,
  number: number,
  change: (at: PromptAt, labels: readonly VersionLabel[]) => Promise<void>,
): Promise<void> => {
  const at = await prompts.at(transaction, prompt, number)
  audit(await relabel(transaction, at, (labels) => change(at, labels)))
}
