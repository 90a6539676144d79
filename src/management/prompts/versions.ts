import { ManagementNotFound } from '../../errors/gateway-error.ts'
import { isForeignKeyViolation } from '../../store/errors.ts'
import {
  clearVersionLabels,
  findLabelledVersion,
  findVersionLabels,
  type PromptAt,
  promptRows,
  setVersionLabel,
  type VersionLabel,
} from '../../store/objects/prompts.ts'
import { readPromptReference } from '../../store/prompt-reference.ts'
import type { Db } from '../../store/types.ts'
import { entryOf } from '../resource/resource.ts'
import { versioned } from '../resource/versioned.ts'
import type { AuditEntry } from '../route.ts'
import { reachNamedLabel, unknownLabel } from './references.ts'
import { PromptDetail, toAuditRecord, toPromptDetail } from './view.ts'

/**
 * A prompt at the version that a reference names, as calls do: `id`, `id@12`, `id@latest`, `id@label`.
 * @throws ManagementNotFound
 */
const readPrompt = async (
  db: Db,
  { workspaceId, reference }: { readonly workspaceId: string; readonly reference: string },
): Promise<PromptAt> => {
  const read = readPromptReference(reference)
  const prompt = read && (await promptRows.find(db, { workspaceId, reference: read.name }))
  if (read === undefined || prompt === undefined) {
    throw new ManagementNotFound(`There is no prompt '${reference}' in the workspace.`)
  }
  const { selector } = read
  switch (selector.kind) {
    case 'published':
      return prompts.at(db, prompt, prompt.publishedVersion)
    case 'latest':
      return prompts.at(db, prompt, prompt.version)
    case 'number':
      return prompts.at(db, prompt, selector.number)
    case 'label':
      return prompts.at(db, prompt, await findLabelledVersion(db, prompt.id, selector.label))
  }
}

export const prompts = versioned({
  rows: promptRows,
  noun: 'prompt',
  family: 'prompts',
  entry: entryOf('prompts', 'prompt'),
  tag: 'Prompts',
  path: '/prompts/:promptId',
  answer: { schema: PromptDetail, of: (at: PromptAt) => toPromptDetail(at, []) },
  record: toAuditRecord,
  read: readPrompt,
  isNumbered: true,
})

/** The labels of the version, the one that was put on last first. */
export const labelsOf = async (db: Db, { object, version: { number } }: PromptAt): Promise<readonly VersionLabel[]> =>
  (await findVersionLabels(db, object.id, [number])).get(number) ?? []

/**
 * Puts a label on a version, or takes all of its labels off. The prompt must have been reached with the lock `change`.
 * @param label id or name
 * @throws ManagementReference
 */
export const labelVersion = async (
  transaction: Db,
  { object: prompt, version }: PromptAt,
  label: string | null,
): Promise<void> => {
  const place = { promptId: prompt.id, number: version.number }
  if (label === null) return clearVersionLabels(transaction, place)
  const { id } = await reachNamedLabel(transaction, prompt.workspaceId, label, 'label_id')
  try {
    await setVersionLabel(transaction, place, id)
  } catch (thrown) {
    if (isForeignKeyViolation(thrown)) throw unknownLabel(label, 'label_id', thrown)
    throw thrown
  }
}

/** Changes the labels of a version. @returns what the audit log says of it */
export const relabel = async (
  transaction: Db,
  at: PromptAt,
  change: (labels: readonly VersionLabel[]) => Promise<void>,
): Promise<AuditEntry> => {
  const labels = await labelsOf(transaction, at)
  await change(labels)
  const { before, after, ...entry } = prompts.changed('update', at, at)
  return {
    ...entry,
    before: { ...before, labels: namesOf(labels) },
    after: { ...after, labels: namesOf(await labelsOf(transaction, at)) },
  }
}

const namesOf = (labels: readonly VersionLabel[]): readonly string[] => labels.map(({ name }) => name)
