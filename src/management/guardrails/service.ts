import { checkViolations } from '../../calls/guardrails/compile.ts'
import type { CheckDefinition } from '../../core/guardrails.ts'
import { ManagementInvalid } from '../../errors/gateway-error.ts'
import {
  findGuardrailUsers,
  GUARDRAIL_SLUG_TAKEN,
  type Guardrail,
  type GuardrailAt,
  type GuardrailPlace,
  type GuardrailUser,
  guardrailRows,
} from '../../store/objects/guardrails.ts'
import { newId } from '../../store/objects/rows.ts'
import type { Db } from '../../store/types.ts'
import { type Actor, authorOf } from '../actor.ts'
import { invalidField } from '../invalid-field.ts'
import { columnsOf } from '../resource/answer.ts'
import { refuseTaken } from '../resource/taken.ts'
import { toShortSlug } from '../slug.ts'
import type { GuardrailDeps } from './deps.ts'
import type { GuardrailChangeBody, NewGuardrailBody } from './model.ts'
import { protectHeaders } from './secrets.ts'
import { toActions } from './view.ts'

/** @throws ManagementInvalid with the path of each violation */
export const createGuardrail = async (
  transaction: Db,
  deps: GuardrailDeps,
  actor: Actor,
  place: GuardrailPlace,
  body: NewGuardrailBody,
): Promise<GuardrailAt> => {
  const { name, target, actions, checks: given = [] } = body
  if (body.checks === undefined && target === 'llm') throw invalidField('checks', 'is missing')
  refuseChecks(deps, given)
  const id = newId()
  const owner = { organisationId: place.organisationId, guardrailId: id }
  const checks = await protectHeaders(transaction, deps, owner, given, [])
  const slug = toShortSlug('pg', name, deps.randomId, 'guard')
  const content = { checks, actions: toActions(actions) }
  const row = { id, ...place, slug, name, target, content, by: authorOf(actor) }
  const message = `There is a guardrail '${slug}' already: try again.`
  return refuseTaken(GUARDRAIL_SLUG_TAKEN, 'name', message, () => guardrailRows.create(transaction, row))
}

/**
 * Writes the given fields; `checks` and `actions` become a new version. The guardrail must have been reached with the lock
 * `change`.
 * @throws ManagementInvalid with the path of each violation, or for archiving one that is in use
 */
export const changeGuardrail = async (
  transaction: Db,
  deps: GuardrailDeps,
  actor: Actor,
  stored: GuardrailAt,
  body: GuardrailChangeBody,
): Promise<GuardrailAt> => {
  const { object, version } = stored
  const { actions, status } = body
  if (status === 'archived' && object.status === 'active') await refuseWhileUsed(transaction, object, 'archived')
  if (body.checks !== undefined) refuseChecks(deps, body.checks)
  const owner = { organisationId: object.organisationId, guardrailId: object.id }
  const checks =
    body.checks === undefined
      ? version.checks
      : await protectHeaders(transaction, deps, owner, body.checks, version.checks)
  const isNew = body.checks !== undefined || actions !== undefined
  const content = isNew ? { checks, actions: actions ? toActions(actions) : version.actions } : undefined
  const changes = { by: authorOf(actor), ...columnsOf(body, ['name', 'status']), content }
  return guardrailRows.change(transaction, stored, changes)
}

/** Names that a refusal lists. */
const LISTED = 5

/**
 * A guardrail that calls take must stay: they would go on without it. It must have been found with the lock `change`.
 * @throws ManagementInvalid naming who takes it
 */
export const refuseWhileUsed = async (
  transaction: Db,
  guardrail: Guardrail,
  what: 'archived' | 'deleted',
): Promise<void> => {
  const users = await findGuardrailUsers(transaction, guardrail)
  if (users.length === 0) return
  const named = [...users.slice(0, LISTED).map(nameOf), ...(users.length > LISTED ? ['others'] : [])]
  throw new ManagementInvalid(
    `The guardrail '${guardrail.slug}' cannot be ${what} while it is in use by ${named.join(', ')}.`,
  )
}

const nameOf = ({ kind, slug }: GuardrailUser): string => {
  if (kind === 'organisation') return 'the defaults of the organisation'
  return kind === 'workspace' ? `the defaults of the workspace '${slug}'` : `the config '${slug}'`
}

/** @throws ManagementInvalid */
const refuseChecks = ({ checks: running }: GuardrailDeps, checks: readonly CheckDefinition[]): void => {
  const violations = checkViolations(checks, running).map(({ path, message }) => ({ path: `checks${path}`, message }))
  const [first] = violations
  if (first === undefined) return
  throw new ManagementInvalid(`The call is not valid: \`${first.path}\` ${first.message}.`, {
    violations,
    param: first.path,
  })
}
