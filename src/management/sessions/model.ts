import { Type as t } from '@sinclair/typebox'
import type { Session } from '../../store/objects/sessions.ts'
import { API_KEY_KINDS } from '../../store/schema/api-keys.ts'
import { ORGANISATION_ROLES, WORKSPACE_ROLES } from '../../store/schema/people.ts'
import { DateTime, nullable, Uuid } from '../fields.ts'
import { pageQuery } from '../list.ts'
import { answerOf } from '../resource/answer.ts'

const oneOf = <Values extends readonly string[]>(values: Values) => t.Union(values.map((value) => t.Literal(value)))

/** Who calls. */
export const WhoAmI = t.Object({
  object: t.Literal('session'),
  id: nullable(t.String({ description: 'Of the session; null where a token came with the call.' })),
  user: nullable(
    t.Object({
      id: Uuid,
      email: t.String(),
      first_name: nullable(t.String()),
      last_name: nullable(t.String()),
      role: oneOf(ORGANISATION_ROLES),
    }),
  ),
  api_key: nullable(
    t.Object({
      id: t.String({ description: 'Of a foreign token its subject.' }),
      name: t.String(),
      kind: oneOf(API_KEY_KINDS),
    }),
  ),
  organisation_id: Uuid,
  workspaces: t.Array(
    t.Object({ id: Uuid, slug: t.String(), name: t.String(), role: nullable(oneOf(WORKSPACE_ROLES)) }),
    { description: 'Those that the caller reaches; the first thousand.' },
  ),
  workspace_id: nullable(t.String({ description: 'The one that calls like this are about; null: any.' })),
  scopes: t.Array(t.String()),
  csrf_token: nullable(
    t.String({ description: 'For the header `x-gateway-csrf` of each change that the session makes.' }),
  ),
  ends_at: nullable(DateTime),
})

export const SessionsQuery = t.Object({
  ...pageQuery(50, 100),
  user_id: t.Optional({
    ...Uuid,
    description: 'Somebody else, for whoever has `organisation_users.list`. Absent: the own ones.',
  }),
})

export const sessionAnswer = answerOf<Session & { readonly isCurrent: boolean }>()({
  id: Uuid,
  user_id: nullable(Uuid),
  api_key_id: nullable(Uuid),
  issuer: nullable(t.String({ description: 'That told who it is; null for a key.' })),
  user_agent: nullable(t.String()),
  address: nullable(t.String({ description: 'That the sign-in came from.' })),
  is_current: t.Boolean({ description: 'The one that asks.' }),
  created_at: DateTime,
  last_seen_at: DateTime,
  ends_at: DateTime,
  object: t.Literal('session'),
})

export const EndedSessions = t.Object({ ended: t.Integer({ minimum: 0, description: 'How many there were.' }) })
