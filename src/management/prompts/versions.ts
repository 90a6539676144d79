import { ManagementNotFound } from '../../errors/gateway-error.ts'
import { isForeignKeyViolation } from '../../store/errors.ts'
import { clearVersionLabels, findLabelledVersion, setVersionLabel } from '../../store/prompt-labels.ts'
import { readPromptReference, type VersionSelector } from '../../store/prompt-reference.ts'
import { findPromptVersion, type PromptVersion } from '../../store/prompt-versions.ts'
import { findPrompt, type Prompt, type PromptAt } from '../../store/prompts.ts'
import type { Db } from '../../store/types.ts'
import { reachNamedLabel, unknownLabel } from './references.ts'

/** @throws ManagementNotFound */
export const reachVersion = async (db: Db, prompt: Prompt, selector: VersionSelector): Promise<PromptVersion> => {
  const number = await numberOf(db, prompt, selector)
  const found = number === undefined ? undefined : await findPromptVersion(db, prompt.id, number)
  if (found === undefined) throw new ManagementNotFound(`The prompt '${prompt.slug}' has no such version.`)
  return found
}

const numberOf = async (db: Db, prompt: Prompt, selector: VersionSelector): Promise<number | undefined> => {
  switch (selector.kind) {
    case 'published':
      return prompt.publishedVersion
    case 'latest':
      return prompt.version
    case 'number':
      return selector.number
    case 'label':
      return findLabelledVersion(db, prompt.id, selector.label)
  }
}

/**
 * A prompt with the version that a reference names, as calls do: `id`, `id@12`, `id@latest`, `id@label`.
 * @throws ManagementNotFound
 */
export const reachPromptAt = async (db: Db, workspaceId: string, reference: string): Promise<PromptAt> => {
  const read = readPromptReference(reference)
  const prompt = read && (await findPrompt(db, { workspaceId, reference: read.name }))
  if (prompt === undefined) throw new ManagementNotFound(`There is no prompt '${reference}' in the workspace.`)
  return { prompt, version: await reachVersion(db, prompt, read?.selector ?? { kind: 'published' }) }
}

const NUMBER = /^[1-9][0-9]{0,8}$/

/** @param version its id, or its number. @throws ManagementNotFound */
export const reachVersionById = async (db: Db, prompt: Prompt, version: string): Promise<PromptVersion> => {
  const found = await findPromptVersion(db, prompt.id, NUMBER.test(version) ? Number(version) : version)
  if (found === undefined) throw new ManagementNotFound(`The prompt '${prompt.slug}' has no such version.`)
  return found
}

/**
 * Puts a label on a version, or takes all of its labels off. The prompt must have been reached with the lock `change`.
 * @param label id or name
 * @throws ManagementReference
 */
export const labelVersion = async (
  transaction: Db,
  { prompt, version }: PromptAt,
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
