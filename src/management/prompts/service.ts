import { defined } from '../../core/defined.ts'
import { isForeignKeyViolation } from '../../store/errors.ts'
import { PROMPT_SLUG_TAKEN, type PromptAt, type PromptContent, promptRows } from '../../store/objects/prompts.ts'
import type { WorkspacePlace } from '../../store/objects/rows-of.ts'
import type { Db } from '../../store/types.ts'
import { type Actor, authorOf } from '../actor.ts'
import { columnsOf } from '../resource/answer.ts'
import { refuseTaken } from '../resource/taken.ts'
import { toShortSlug } from '../slug.ts'
import { makesVersion, toContent, toNextContent } from './content.ts'
import type { NewPromptBody, PromptChangeBody } from './model.ts'
import { reachCollectionId, reachProviderSlug, unknownCollection } from './references.ts'

/**
 * Stores a prompt with its first version, which is published.
 * @throws ManagementInvalid for a template that cannot be read or an unknown provider; ManagementReference for a collection
 *   that does not exist; ManagementConflict
 */
export const createPrompt = async (
  transaction: Db,
  actor: Actor,
  place: WorkspacePlace,
  body: NewPromptBody,
  randomId: () => string,
): Promise<PromptAt> => {
  const { name } = body
  const content = await withProvider(transaction, place.workspaceId, toContent(body), body)
  const collectionId = await reachCollectionId(transaction, place, body.collection_id)
  const slug = toShortSlug('pp', name, randomId, 'prompt')
  const row = { ...place, collectionId, slug, name, content, by: authorOf(actor) }
  return inCollection(body, () =>
    refuseTaken(PROMPT_SLUG_TAKEN, 'name', `There is a prompt '${slug}' already: try again.`, () =>
      promptRows.create(transaction, row),
    ),
  )
}

/**
 * Writes the given fields; those of a version become a new one, which is not published.
 * @param prompt at its newest version, reached with the lock `change`
 * @throws ManagementInvalid naming the field, with line and column for a template; ManagementReference for a collection
 */
export const changePrompt = async (
  transaction: Db,
  actor: Actor,
  prompt: PromptAt,
  body: PromptChangeBody,
): Promise<PromptAt> => {
  const { workspaceId, organisationId } = prompt.object
  const content = makesVersion(body)
    ? await withProvider(transaction, workspaceId, toNextContent(body, prompt.version, body.patch === true), body)
    : undefined
  const collectionId =
    body.collection_id === undefined
      ? undefined
      : await reachCollectionId(transaction, { workspaceId, organisationId }, body.collection_id)
  const fields = { ...columnsOf(body, ['name', 'status']), ...defined({ collectionId }) }
  return inCollection(body, () => promptRows.change(transaction, prompt, { ...fields, content, by: authorOf(actor) }))
}

/** The collection of a body may be deleted while the prompt is stored. */
const inCollection = async (
  body: Pick<PromptChangeBody, 'collection_id'>,
  store: () => Promise<PromptAt>,
): Promise<PromptAt> => {
  try {
    return await store()
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
