import { type Static, Type as t } from '@sinclair/typebox'
import type { AuditRow } from '../../store/objects/audit-log.ts'
import { API_KEY_KINDS } from '../../store/schema/api-keys.ts'
import { DateTime, nullable, Reference, Uuid } from '../fields.ts'
import { pageQuery } from '../list.ts'
import { answerOf } from '../resource/answer.ts'

/** Query and answer of the audit log (interface contract, section 8). */

const text = (description: string) => t.Optional(t.String({ minLength: 1, maxLength: 1024, description }))

export const ListAuditLogs = t.Object({
  start_time: { ...DateTime, description: 'Not before this.' },
  end_time: { ...DateTime, description: 'Before this.' },
  method: t.Optional(t.Union([t.Literal('POST'), t.Literal('PUT'), t.Literal('PATCH'), t.Literal('DELETE')])),
  uri: text('Path of the call, without its query.'),
  request_id: text('What the call was answered with in `x-gateway-request-id`.'),
  user_id: text('Id of who did it: of the API key, or the subject of a foreign token.'),
  user_type: t.Optional(t.Union([t.Literal('user'), t.Literal('api_key')])),
  workspace_id: t.Optional(Reference),
  response_status_code: t.Optional(
    t.Integer({
      minimum: 100,
      maximum: 599,
      description: 'Only changes that were made are written down, so that all have 200.',
    }),
  ),
  resource_type: text('Kind of the object, such as `workspace`.'),
  action: text('Scope family and verb, such as `workspaces.create`.'),
  client_ip: text('Address that the call came from.'),
  country: text('Not known here: nothing is found by it.'),
  ...pageQuery(50, 100),
})
export type ListAuditLogsQuery = Static<typeof ListAuditLogs>

const Shown = nullable(
  t.Record(t.String(), t.Unknown(), { description: 'The object as the interface shows it, secrets masked.' }),
)

/** Who changed what, and when. */
export const auditAnswer = answerOf<AuditRow>()(
  {
    id: Uuid,
    sequence: t.Integer({ description: 'Order of the rows, with gaps.' }),
    created_at: DateTime,
    organisation_id: Uuid,
    workspace_id: nullable(Uuid),
    user_id: t.String(),
    user_name: t.String(),
    user_type: t.Union([t.Literal('user'), t.Literal('api_key'), t.Literal('cli'), t.Literal('system')]),
    action: t.String(),
    resource_type: t.String(),
    resource_id: t.String(),
    method: nullable(t.String()),
    uri: nullable(t.String()),
    request_id: nullable(t.String()),
    client_ip: nullable(t.String()),
    country: t.Null(),
    response_status_code: t.Literal(200),
    before: Shown,
    after: Shown,
    previous_hash: t.String(),
    hash: t.String({
      description: 'SHA-256 over the row and the hash before; `weir audit verify` checks the chain.',
    }),
  },
  {
    user_id: ({ actorId }) => actorId,
    user_name: ({ actorName }) => actorName,
    user_type: ({ actorKind }) => (isKeyKind(actorKind) ? 'api_key' : (actorKind as 'user' | 'cli' | 'system')),
    resource_type: ({ objectKind }) => objectKind,
    resource_id: ({ objectId }) => objectId,
    uri: ({ path }) => path,
    client_ip: ({ sourceAddress }) => sourceAddress,
    country: () => null,
  },
)

const isKeyKind = (actorKind: string): boolean => API_KEY_KINDS.some((kind) => kind === actorKind)

export const AuditLogs = t.Object({
  object: t.Literal('list'),
  total: t.Integer({ minimum: 0 }),
  records: t.Array(auditAnswer.schema),
})
