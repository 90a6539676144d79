import { ManagementConflict, ManagementForbidden, ManagementNotFound } from '../../errors/gateway-error.ts'
import { isUniqueViolation } from '../../store/errors.ts'
import {
  findLabel,
  createLabel as insertLabel,
  LABEL_NAME_TAKEN,
  type Label,
  deleteLabel as removeLabel,
  updateLabel,
} from '../../store/labels.ts'
import type { Db } from '../../store/types.ts'
import type { Workspace } from '../../store/workspaces.ts'
import type { Actor } from '../actor.ts'
import { invalidField } from '../invalid-field.ts'
import type { LabelChangeBody, NewLabelBody } from './model.ts'

/** References that mean something else already: `id@latest`, and the published version. */
const RESERVED: ReadonlySet<string> = new Set(['latest', 'default'])

/** @param reference id or name. @throws ManagementNotFound */
export const reachLabel = async (db: Db, workspaceId: string, reference: string, lock?: 'change'): Promise<Label> => {
  const found = await findLabel(db, { workspaceId, reference }, lock)
  if (found === undefined) throw new ManagementNotFound(`There is no label '${reference}' in the workspace.`)
  return found
}

/** @throws ManagementInvalid for a name that a label cannot have; ManagementForbidden; ManagementConflict */
export const createLabel = async (
  transaction: Db,
  actor: Actor,
  { id: workspaceId, organisationId }: Pick<Workspace, 'id' | 'organisationId'>,
  body: NewLabelBody,
): Promise<Label> => {
  if (body.organisation_id !== undefined && body.organisation_id.toLowerCase() !== actor.organisationId) {
    throw new ManagementForbidden('The key belongs to another organisation than `organisation_id`.', {
      param: 'organisation_id',
    })
  }
  checkName(body.name)
  const { name, description = null, color_code: colorCode = null } = body
  return unlessTaken(name, () =>
    insertLabel(transaction, { organisationId, workspaceId, name, description, colorCode }),
  )
}

/**
 * Writes the given fields; null clears. The label must have been reached with the lock `change`.
 * @throws ManagementInvalid; ManagementForbidden for another name of a label that every workspace has; ManagementConflict
 */
export const changeLabel = async (transaction: Db, label: Label, body: LabelChangeBody): Promise<Label> => {
  const { name = label.name, description, color_code: colorCode } = body
  if (name !== label.name) {
    if (label.isUniversal) throw ofEveryWorkspace(label, 'renamed')
    checkName(name)
  }
  return unlessTaken(name, () =>
    updateLabel(transaction, label.id, {
      name,
      ...(description === undefined ? {} : { description }),
      ...(colorCode === undefined ? {} : { colorCode }),
    }),
  )
}

/**
 * Deletes a label: calls that name it get a 404 from then on. It must have been reached with the lock `change`.
 * @throws ManagementForbidden for one that every workspace has
 */
export const deleteLabel = async (transaction: Db, label: Label): Promise<void> => {
  if (label.isUniversal) throw ofEveryWorkspace(label, 'deleted')
  await removeLabel(transaction, label.id)
}

const checkName = (name: string): void => {
  if (RESERVED.has(name.toLowerCase())) throw invalidField('name', 'is a word that calls use for something else')
  if (/^[0-9]+$/.test(name)) throw invalidField('name', 'must not be a number, as versions are named by theirs')
}

const ofEveryWorkspace = ({ name }: Label, what: 'renamed' | 'deleted'): ManagementForbidden =>
  new ManagementForbidden(`The label '${name}' is one that every workspace has: it cannot be ${what}.`)

const unlessTaken = async (name: string, store: () => Promise<Label>): Promise<Label> => {
  try {
    return await store()
  } catch (thrown) {
    if (!isUniqueViolation(thrown, LABEL_NAME_TAKEN)) throw thrown
    throw new ManagementConflict(`There is a label '${name}' already.`, { cause: thrown, param: 'name' })
  }
}
