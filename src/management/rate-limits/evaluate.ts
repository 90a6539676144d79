import { GatewayError, ManagementReference } from '../../errors/gateway-error.ts'
import { findApiKey } from '../../store/api-keys.ts'
import type { Db } from '../../store/types.ts'
import type { Actor } from '../actor.ts'
import { invalidField } from '../invalid-field.ts'
import { resolveWorkspace } from '../resolve-workspace.ts'
import type { DryRun, ImaginedCall } from './deps.ts'
import type { EvaluationBody, ExplanationAnswer } from './evaluation-model.ts'
import { toExplanationAnswer, toRefusedAnswer } from './explanation-view.ts'

/**
 * @throws ManagementReference for a key that is none of the workspace: what limits it has is not for others to see;
 *   ManagementForbidden, ManagementInvalid
 */
export const toImaginedCall = async (db: Db, actor: Actor, given: EvaluationBody): Promise<ImaginedCall> => {
  const { organisationId } = actor
  const { workspace_id: reference, api_key_id: apiKeyId, headers = {}, body = {}, endpoint = 'chat' } = given
  const { id: workspaceId } = await resolveWorkspace(db, actor, reference)
  if (apiKeyId !== undefined) {
    const key = await findApiKey(db, { organisationId, id: apiKeyId })
    if (key?.workspaceId !== workspaceId) {
      throw new ManagementReference(`There is no key '${apiKeyId}' in the workspace.`, { param: 'api_key_id' })
    }
  }
  return {
    organisationId,
    workspaceId,
    ...(apiKeyId === undefined ? {} : { apiKeyId: apiKeyId.toLowerCase() }),
    headers: toHeaders(headers),
    body,
    endpoint,
  }
}

const toHeaders = (given: Readonly<Record<string, string>>): Headers => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) {
    try {
      headers.append(name, value)
    } catch {
      throw invalidField(`headers.${name}`, 'is no header that can be sent')
    }
  }
  return headers
}

/** What the call would be answered: also a refusal that has nothing to do with limits is an answer. */
export const evaluate = async (limits: DryRun, call: ImaginedCall): Promise<ExplanationAnswer> => {
  try {
    return toExplanationAnswer(await limits.evaluate(call))
  } catch (thrown) {
    if (!(thrown instanceof GatewayError) || thrown.row.family === 'management') throw thrown
    return toRefusedAnswer(thrown)
  }
}
