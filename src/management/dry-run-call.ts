import { type Static, Type as t } from '@sinclair/typebox'
import { defined } from '../core/defined.ts'
import { ManagementReference } from '../errors/gateway-error.ts'
import { apiKeyRows } from '../store/objects/api-keys.ts'
import type { Db } from '../store/types.ts'
import type { Actor } from './actor.ts'
import { Reference, Uuid } from './fields.ts'
import { invalidField } from './invalid-field.ts'
import { resolveWorkspace } from './resolve-workspace.ts'

/** A call that nobody makes, to find out what would become of it. */
export interface DryRunCall {
  readonly organisationId: string
  readonly workspaceId: string
  /** A key of the workspace. Absent: a caller without one. */
  readonly apiKeyId?: string
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
  readonly endpoint: 'chat' | 'completions' | 'embeddings'
}

/** Fields of a body that describes such a call. */
export const dryRunCallFields = {
  workspace_id: t.Optional({ ...Reference, description: 'Id or slug. Absent: the own one, or the default one.' }),
  api_key_id: t.Optional({ ...Uuid, description: 'Whose call it would be: a key of the workspace.' }),
  headers: t.Optional(
    t.Record(t.String(), t.String({ maxLength: 16_384 }), {
      maxProperties: 100,
      additionalProperties: false,
      description: 'As the call would have them.',
    }),
  ),
  body: t.Optional(t.Object({}, { additionalProperties: true, description: 'As the call would have it.' })),
  endpoint: t.Optional(
    t.Union([t.Literal('chat'), t.Literal('completions'), t.Literal('embeddings')], { default: 'chat' }),
  ),
}

const Fields = t.Object(dryRunCallFields)

/**
 * @throws ManagementReference for a key that is none of the workspace: what it may do is not for others to see;
 *   ManagementForbidden, ManagementInvalid
 */
export const toDryRunCall = async (db: Db, actor: Actor, given: Static<typeof Fields>): Promise<DryRunCall> => {
  const { organisationId } = actor
  const { workspace_id: reference, api_key_id: apiKeyId, headers = {}, body = {}, endpoint = 'chat' } = given
  const { id: workspaceId } = await resolveWorkspace(db, actor, reference)
  if (apiKeyId !== undefined) {
    const key = await apiKeyRows.find(db, { organisationId, reference: apiKeyId })
    if (key?.workspaceId !== workspaceId) {
      throw new ManagementReference(`There is no key '${apiKeyId}' in the workspace.`, { param: 'api_key_id' })
    }
  }
  return defined({
    organisationId,
    workspaceId,
    apiKeyId: apiKeyId?.toLowerCase(),
    headers: toHeaders(headers),
    body,
    endpoint,
  })
}

/** @param path where they stand in the body. @throws ManagementInvalid for one that cannot be sent */
export const toHeaders = (given: Readonly<Record<string, string>>, path = 'headers'): Headers => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) {
    try {
      headers.append(name, value)
    } catch {
      throw invalidField(`${path}.${name}`, 'cannot be sent as a header')
    }
  }
  return headers
}
