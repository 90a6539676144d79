import { parseTemplate, TemplateError } from '../../calls/template/index.ts'
import {
  PARTIAL_SLUG_TAKEN,
  type PartialAt,
  type PartialContent,
  partialRows,
} from '../../store/objects/prompt-partials.ts'
import type { WorkspacePlace } from '../../store/objects/rows-of.ts'
import type { Db } from '../../store/types.ts'
import { type Actor, authorOf } from '../actor.ts'
import { invalidField } from '../invalid-field.ts'
import { columnsOf } from '../resource/answer.ts'
import { refuseTaken } from '../resource/taken.ts'
import { toShortSlug } from '../slug.ts'
import type { NewPartialBody, PartialChangeBody } from './model.ts'

/** @throws ManagementInvalid for a template that cannot be read, with line and column; ManagementConflict */
export const createPartial = async (
  transaction: Db,
  actor: Actor,
  place: WorkspacePlace,
  { name, string: template, version_description: description }: NewPartialBody,
  randomId: () => string,
): Promise<PartialAt> => {
  checkTemplate(template)
  // Nothing in a slug could end the tag of a template that names it.
  const slug = toShortSlug('pl', name, randomId, 'partial')
  const row = { ...place, slug, name, content: { template, description: description ?? null }, by: authorOf(actor) }
  return refuseTaken(PARTIAL_SLUG_TAKEN, 'name', `There is a partial '${slug}' already: try again.`, () =>
    partialRows.create(transaction, row),
  )
}

/**
 * Writes the given fields; a template or a description becomes a new version, which is not published.
 * @param partial at its newest version, reached with the lock `change`
 * @throws ManagementInvalid
 */
export const changePartial = async (
  transaction: Db,
  actor: Actor,
  partial: PartialAt,
  body: PartialChangeBody,
): Promise<PartialAt> => {
  const content = toContent(body, partial)
  return partialRows.change(transaction, partial, {
    ...columnsOf(body, ['name', 'status']),
    content,
    by: authorOf(actor),
  })
}

const toContent = (body: PartialChangeBody, { version: newest }: PartialAt): PartialContent | undefined => {
  const { string: template, description: other, version_description: given } = body
  if (given !== undefined && other !== undefined && given !== other) {
    throw invalidField('description', 'says something else than `version_description`')
  }
  const description = given ?? other
  if (template === undefined && description === undefined) return undefined
  if (template !== undefined) checkTemplate(template)
  // A description tells of its version only: it does not go over to the next one.
  return { template: template ?? newest.template, description: description ?? null }
}

/** Whether the partials that a template names exist shows when it is rendered. */
const checkTemplate = (template: string): void => {
  try {
    parseTemplate(template)
  } catch (thrown) {
    if (!(thrown instanceof TemplateError)) throw thrown
    throw invalidField('string', `is no template: ${thrown.message}`)
  }
}
