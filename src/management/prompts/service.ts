import { ManagementConflict, ManagementNotFound, ManagementReference } from '../../errors/gateway-error.ts'
import { isForeignKeyViolation, isUniqueViolation } from '../../store/errors.ts'
import { addPromptVersion, findPromptVersion, type PromptContent } from '../../store/prompt-versions.ts'
import {
  findPrompt,
  createPrompt as insertPrompt,
  PROMPT_SLUG_TAKEN,
  type Prompt,
  type PromptAt,
  updatePrompt,
} from '../../store/prompts.ts'
import type { WorkspacePlace } from '../../store/rows-of.ts'
import type { Db } from '../../store/types.ts'
import type { Actor } from '../actor.ts'
import { authorOf } from '../author.ts'
import { toShortSlug } from '../slug.ts'
import { makesVersion, toContent, toNextContent } from './content.ts'
import type { NewPromptBody, PromptChangeBody } from './model.ts'
import { reachCollectionId, reachProviderSlug, unknownCollection } from './references.ts'
import { reachVersion } from './versions.ts'

/** @throws ManagementNotFound */
export const reachPrompt = async (db: Db, workspaceId: string, reference: string, lock?: 'change'): Promise<Prompt> => {
  const found = await findPrompt(db, { workspaceId, reference }, lock)
  if (found === undefined) throw new ManagementNotFound(`There is no prompt '${reference}' in the workspace.`)
  return found
}

/**
 * Stores a prompt with its first version, which is published.
 * @throws ManagementInvalid for a template that cannot be read or an unknown provider; ManagementReference for a collection
 *   that does not exist; ManagementConflict
 */
export const createPrompt = async (
  transaction: Db,
  actor: Actor,
  owner: WorkspacePlace,
  body: NewPromptBody,
  randomId: () => string,
): Promise<PromptAt> => {
  const content = await withProvider(transaction, owner.workspaceId, toContent(body), body)
  const collectionId = await reachCollectionId(transaction, owner, body.collection_id)
  const slug = toShortSlug('pp', body.name, randomId, 'prompt')
  try {
    return await insertPrompt(transaction, {
      ...owner,
      collectionId,
      slug,
      name: body.name,
      content,
      by: authorOf(actor),
    })
  } catch (thrown) {
    if (isForeignKeyViolation(thrown)) throw unknownCollection(body.collection_id, thrown)
    if (!isUniqueViolation(thrown, PROMPT_SLUG_TAKEN)) throw thrown
    throw new ManagementConflict(`There is a prompt '${slug}' already: try again.`, { cause: thrown, param: 'name' })
  }
}

/** A prompt before and after a change, each with its newest version, or the one that the change is about. */
export interface ChangedPrompt {
  readonly before: PromptAt
  readonly after: PromptAt
}

/**
 * Writes the given fields; those of a version become a new one, which is not published. The prompt must have been reached
 * with the lock `change`.
 * @throws ManagementInvalid naming the field, with line and column for a template; ManagementReference for a collection
 */
export const changePrompt = async (
  transaction: Db,
  actor: Actor,
  prompt: Prompt,
  body: PromptChangeBody,
): Promise<ChangedPrompt> => {
  const by = authorOf(actor)
  const owner = { workspaceId: prompt.workspaceId, organisationId: prompt.organisationId }
  const newest = await reachVersion(transaction, prompt, { kind: 'latest' })
  const content = makesVersion(body)
    ? await withProvider(transaction, owner.workspaceId, toNextContent(body, newest, body.patch === true), body)
    : undefined
  const moved =
    body.collection_id === undefined ? undefined : await reachCollectionId(transaction, owner, body.collection_id)
  const number = prompt.version + 1
  const added = content && (await addPromptVersion(transaction, { promptId: prompt.id, number, content, by }))
  try {
    const changed = await updatePrompt(transaction, prompt.id, {
      by,
      ...(body.name === undefined ? {} : { name: body.name }),
      ...(moved === undefined ? {} : { collectionId: moved }),
      ...(body.status === undefined ? {} : { status: body.status }),
      ...(added === undefined ? {} : { version: number }),
    })
    return { before: { prompt, version: newest }, after: { prompt: changed, version: added ?? newest } }
  } catch (thrown) {
    if (isForeignKeyViolation(thrown)) throw unknownCollection(body.collection_id, thrown)
    throw thrown
  }
}

/** A provider that the body names must exist; one taken over from the version before may have gone since. */
const withProvider = async (
  db: Db,
  workspaceId: string,
  content: PromptContent,
  { virtual_key: named }: Pick<PromptChangeBody, 'virtual_key'>,
): Promise<PromptContent> =>
  named === undefined || named === null
    ? content
    : { ...content, virtualKey: await reachProviderSlug(db, workspaceId, named) }

/**
 * Makes a version the one that calls get which name none. The prompt must have been reached with the lock `change`.
 * @throws ManagementReference for a version that does not exist
 */
export const publishVersion = async (
  transaction: Db,
  actor: Actor,
  prompt: Prompt,
  number: number,
): Promise<ChangedPrompt> => {
  const version = await findPromptVersion(transaction, prompt.id, number)
  if (version === undefined) {
    throw new ManagementReference(`The prompt '${prompt.slug}' has no version ${number}.`, { param: 'version' })
  }
  const before = { prompt, version: await reachVersion(transaction, prompt, { kind: 'published' }) }
  const changed = await updatePrompt(transaction, prompt.id, { by: authorOf(actor), publishedVersion: number })
  return { before, after: { prompt: changed, version } }
}
