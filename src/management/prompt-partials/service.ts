import { ManagementConflict, ManagementNotFound, ManagementReference } from '../../errors/gateway-error.ts'
import { isUniqueViolation } from '../../store/errors.ts'
import {
  createPromptPartial,
  findPartialVersion,
  findPromptPartial,
  PARTIAL_SLUG_TAKEN,
  type PartialAtVersion,
  type PartialContent,
  type PromptPartial,
  type PromptPartialVersion,
  updatePromptPartial,
} from '../../store/prompt-partials.ts'
import type { Db } from '../../store/types.ts'
import type { Workspace } from '../../store/workspaces.ts'
import type { Actor } from '../actor.ts'
import { authorOf } from '../author.ts'
import { invalidField } from '../invalid-field.ts'
import { checkPartial } from './check-partial.ts'
import type { NewPartialBody, PartialChangeBody } from './model.ts'
import { toPartialSlug } from './slug.ts'

/** @throws ManagementNotFound */
export const reachPartial = async (
  db: Db,
  workspaceId: string,
  reference: string,
  lock?: 'change',
): Promise<PromptPartial> => {
  const found = await findPromptPartial(db, { workspaceId, reference }, lock)
  if (found === undefined) throw new ManagementNotFound(`There is no partial '${reference}' in the workspace.`)
  return found
}

/**
 * @param wanted number, or `latest`; the published one unless given
 * @throws ManagementNotFound
 */
export const reachVersion = async (db: Db, partial: PromptPartial, wanted?: string): Promise<PromptPartialVersion> => {
  const number =
    wanted === 'latest' ? partial.version : wanted === undefined ? partial.publishedVersion : Number(wanted)
  const found = await findPartialVersion(db, partial.id, number)
  if (found === undefined) throw new ManagementNotFound(`The partial '${partial.slug}' has no version ${number}.`)
  return found
}

/** @throws ManagementInvalid for a template that cannot be read, with line and column; ManagementConflict */
export const createPartial = async (
  transaction: Db,
  actor: Actor,
  { id: workspaceId, organisationId }: Pick<Workspace, 'id' | 'organisationId'>,
  body: NewPartialBody,
  randomId: () => string,
): Promise<PartialAtVersion> => {
  checkPartial(body.string)
  const slug = toPartialSlug(body.name, randomId)
  try {
    return await createPromptPartial(transaction, {
      organisationId,
      workspaceId,
      slug,
      name: body.name,
      content: { template: body.string, description: body.version_description ?? null },
      by: authorOf(actor),
    })
  } catch (thrown) {
    if (!isUniqueViolation(thrown, PARTIAL_SLUG_TAKEN)) throw thrown
    throw new ManagementConflict(`There is a partial '${slug}' already: try again.`, { cause: thrown, param: 'name' })
  }
}

/** A partial before and after a change, each with its newest version. */
export interface ChangedPartial {
  readonly before: PartialAtVersion
  readonly after: PartialAtVersion
}

/**
 * Writes the given fields; a template or a description becomes a new version, which is not published.
 * The partial must have been reached with the lock `change`.
 * @throws ManagementInvalid
 */
export const changePartial = async (
  transaction: Db,
  actor: Actor,
  partial: PromptPartial,
  body: PartialChangeBody,
): Promise<ChangedPartial> => {
  const newest = await reachVersion(transaction, partial, 'latest')
  const content = toContent(body, newest)
  const saved = await updatePromptPartial(transaction, partial, {
    by: authorOf(actor),
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.status === undefined ? {} : { status: body.status }),
    ...(content === undefined ? {} : { content }),
  })
  return {
    before: { partial, version: newest },
    after: { partial: saved.partial, version: saved.added ?? newest },
  }
}

const toContent = (body: PartialChangeBody, newest: PromptPartialVersion): PartialContent | undefined => {
  const { string: template, description: other, version_description: given } = body
  if (given !== undefined && other !== undefined && given !== other) {
    throw invalidField('description', 'says something else than `version_description`')
  }
  const description = given ?? other
  if (template === undefined && description === undefined) return undefined
  if (template !== undefined) checkPartial(template)
  // A description tells of its version only: it does not go over to the next one.
  return { template: template ?? newest.template, description: description ?? null }
}

/**
 * Makes a version the one that templates get which name none. The partial must have been reached with the lock `change`.
 * @throws ManagementReference for a version that does not exist
 */
export const publishVersion = async (
  transaction: Db,
  actor: Actor,
  partial: PromptPartial,
  number: number,
): Promise<ChangedPartial> => {
  const version = await findPartialVersion(transaction, partial.id, number)
  if (version === undefined) {
    throw new ManagementReference(`The partial '${partial.slug}' has no version ${number}.`, { param: 'version' })
  }
  const before = { partial, version: await reachVersion(transaction, partial) }
  const saved = await updatePromptPartial(transaction, partial, { by: authorOf(actor), publishedVersion: number })
  return { before, after: { partial: saved.partial, version } }
}
