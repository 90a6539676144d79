import { defined } from '../../core/defined.ts'
import { type Actor, authorOf } from '../../management/actor.ts'
import type { PartialChangeBody } from '../../management/prompt-partials/model.ts'
import { partials } from '../../management/prompt-partials/routes.ts'
import { changePartial } from '../../management/prompt-partials/service.ts'
import type { AuditEntry } from '../../management/route.ts'
import { type PartialContent, type PromptPartial, partialRows } from '../../store/objects/prompt-partials.ts'
import type { Workspace } from '../../store/objects/workspaces.ts'
import type { Db } from '../../store/types.ts'
import { type PartialEntry, partialKey } from './entries.ts'
import { describeVersions, type PushOptions, planVersions, type VersionsPlan } from './plan-versions.ts'
import type { Row } from './report.ts'
import { storedPartialVersions } from './stored-versions.ts'

export interface PartialPlan {
  readonly entry: PartialEntry
  /** Absent: the partial is to be made. */
  readonly partial?: PromptPartial
  readonly versions: VersionsPlan<PartialContent>
}

/** @param lock `change` inside the transaction that does what is planned */
export const planPartial = async (
  db: Db,
  { id: workspaceId }: Workspace,
  entry: PartialEntry,
  lock?: 'change',
): Promise<PartialPlan> => {
  const partial = await partialRows.find(db, { workspaceId, reference: entry.slug }, lock)
  const stored = partial && storedPartialVersions(db, partial)
  const versions = await planVersions(entry, partialKey, stored)
  return defined({ entry, versions, partial })
}

export const describePartial = ({ entry, partial, versions }: PartialPlan, options: PushOptions): Row => {
  const { changes, notes } = describeVersions(versions, options, partial === undefined)
  const own =
    partial === undefined
      ? []
      : [...(partial.status === 'active' ? [] : ['active again']), ...(partial.name === entry.name ? [] : ['renamed'])]
  return {
    action: partial === undefined ? 'created' : own.length + changes.length > 0 ? 'changed' : 'unchanged',
    kind: 'partial',
    name: entry.slug,
    version: versions.adds.at(-1)?.number ?? partial?.version ?? 0,
    details: [...own, ...changes, ...notes],
  }
}

export interface PartialPush {
  readonly transaction: Db
  readonly actor: Actor
  readonly workspace: Workspace
  readonly options: PushOptions
  audit(entry: AuditEntry): void
}

/** Does what is planned; the partial, if there is one, must have been planned with the lock `change`. */
export const applyPartial = async (push: PartialPush, plan: PartialPlan): Promise<void> => {
  const { transaction, actor, options, audit } = push
  const { versions, partial: before } = plan
  const partial = before === undefined ? await create(push, plan) : await change(push, plan, before)
  const { publication } = versions
  if (publication === undefined || !(options.publish || before === undefined)) return
  if (publication.to === partial.publishedVersion) return
  const at = await partials.published(transaction, partial)
  audit(partials.changed('publish', at, await partials.publish(transaction, actor, partial, publication.to)))
}

const create = async (push: PartialPush, { entry, versions }: PartialPlan): Promise<PromptPartial> => {
  const { transaction, actor, workspace, audit } = push
  const [first, ...more] = versions.adds
  if (first === undefined) throw new Error(`The partial '${entry.slug}' has no version.`)
  const made = await partialRows.create(transaction, {
    organisationId: workspace.organisationId,
    workspaceId: workspace.id,
    slug: entry.slug,
    name: entry.name,
    content: first.content,
    by: authorOf(actor),
  })
  audit(partials.created(made))
  return addAll(push, made.object, more, {})
}

const change = (
  push: PartialPush,
  { entry, versions }: PartialPlan,
  partial: PromptPartial,
): Promise<PromptPartial> => {
  const own: PartialChangeBody = {
    ...(partial.name === entry.name ? {} : { name: entry.name }),
    ...(partial.status === 'active' ? {} : { status: 'active' as const }),
  }
  if (versions.adds.length > 0) return addAll(push, partial, versions.adds, own)
  return Object.keys(own).length === 0 ? Promise.resolve(partial) : changeOnce(push, partial, own)
}

/** Adds versions; what else is different goes along with the first. */
const addAll = async (
  push: PartialPush,
  before: PromptPartial,
  adds: VersionsPlan<PartialContent>['adds'],
  own: PartialChangeBody,
): Promise<PromptPartial> => {
  let partial = before
  for (const [index, { content }] of adds.entries()) {
    const { template, description } = content
    partial = await changeOnce(push, partial, {
      string: template,
      ...(description === null ? {} : { version_description: description }),
      ...(index === 0 ? own : {}),
    })
  }
  return partial
}

const changeOnce = async (
  { transaction, actor, audit }: PartialPush,
  partial: PromptPartial,
  body: PartialChangeBody,
): Promise<PromptPartial> => {
  const before = await partials.at(transaction, partial, partial.version)
  const after = await changePartial(transaction, actor, before, body)
  audit(partials.changed('update', before, after))
  return after.object
}
