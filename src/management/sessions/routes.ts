import { ManagementNotFound } from '../../errors/gateway-error.ts'
import { listReachableWorkspaces } from '../../store/objects/reachable-workspaces.ts'
import { isUuid } from '../../store/objects/rows.ts'
import { endSessions, type Session, sessionRows } from '../../store/objects/sessions.ts'
import { type User, userRows } from '../../store/objects/users.ts'
import type { Actor } from '../actor.ts'
import { Empty } from '../fields.ts'
import { listOf, toList, toPage } from '../list.ts'
import { type AnyRoute, type AuditEntry, defineRoute, type ManagementCall } from '../route.ts'
import { EndedSessions, SessionsQuery, sessionAnswer, WhoAmI } from './model.ts'

export interface SessionsDeps {
  readonly now: () => number
  /** Milliseconds without use after which a session is over. */
  readonly idleMs: () => number
}

const shared = { tag: 'Sessions', plane: 'workspace', scopes: [] } as const

/** More workspaces than anybody chooses from. */
const MAX_WORKSPACES = 1_000

/** Sessions of browsers: who one is, what else is open, and how it ends. Open to whoever is somebody, for what is theirs. */
export const sessionsRoutes = ({ now, idleMs }: SessionsDeps): readonly AnyRoute[] => [
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/session',
    summary: 'Who calls: a person or a key, what they may do, and what their session needs for changes.',
    changes: false,
    response: WhoAmI,
    handle: whoAmI,
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/sessions',
    summary: 'List the open sessions of the caller, or of somebody else; the newest first.',
    query: SessionsQuery,
    changes: false,
    response: listOf(sessionAnswer.schema),
    async handle({ db, actor, query, require }) {
      const holder = query.user_id === undefined ? holderOf(actor) : { userId: query.user_id }
      if (query.user_id !== undefined && query.user_id !== userOf(actor)) require('organisation_users.list')
      if (holder === undefined) return toList([], 0)
      const aliveAt = { now: new Date(now()), idleMs: idleMs() }
      const wanted = { organisationId: actor.organisationId, ...holder, aliveAt }
      const { rows, total } = await sessionRows.list(db, wanted, toPage(query))
      return toList(rows.map(shownTo(actor)), total)
    },
  }),
  defineRoute({
    ...shared,
    method: 'DELETE',
    path: '/sessions/:sessionId',
    summary: 'End a session: an own one, or that of somebody else for whoever has `organisation_users.update`.',
    changes: true,
    response: Empty,
    async handle({ db, actor, params: { sessionId = '' }, audit }) {
      const { organisationId } = actor
      const found = await sessionRows.find(db, { organisationId, reference: sessionId })
      if (found === undefined || !mayEnd(actor, found)) {
        throw new ManagementNotFound(`There is no session '${sessionId}'.`)
      }
      await sessionRows.remove(db, found.id)
      audit({ ...entryOf(found.id), before: shownTo(actor)(found) })
      return {}
    },
  }),
  defineRoute({
    ...shared,
    method: 'DELETE',
    path: '/sessions',
    summary: 'End all other sessions of the caller.',
    changes: true,
    response: EndedSessions,
    async handle({ db, actor, audit }) {
      const holder = holderOf(actor)
      const ended = holder === undefined ? [] : await endSessions(db, holder, actor.session?.id)
      audit({ ...entryOf(actor.id), before: { sessions: ended } })
      return { ended: ended.length }
    },
  }),
]

const entryOf = (objectId: string): AuditEntry => ({ action: 'sessions.delete', objectKind: 'session', objectId })

const userOf = ({ kind, id }: Actor): string | undefined => (kind === 'user' ? id : undefined)

/** Whose sessions are the own ones. A foreign token has none. */
const holderOf = ({ kind, id }: Actor): { readonly userId: string } | { readonly apiKeyId: string } | undefined => {
  if (!isUuid(id)) return undefined
  return kind === 'user' ? { userId: id } : { apiKeyId: id }
}

const mayEnd = (actor: Actor, { userId, apiKeyId }: Session): boolean =>
  actor.id === (userId ?? apiKeyId) || actor.scopes.has('organisation_users.update')

const shownTo =
  ({ session }: Actor) =>
  (row: Session) =>
    sessionAnswer.of({ ...row, isCurrent: row.id === session?.id })

const whoAmI = async ({ db, actor }: ManagementCall<unknown, unknown>) => {
  const { organisationId, workspaceId, session, kind, id, name } = actor
  const userId = userOf(actor)
  const user = userId && (await userRows.find(db, { organisationId, reference: userId }))
  const reach = user && user.role === 'member' ? { organisationId, memberId: user.id } : { organisationId, workspaceId }
  const workspaces = await listReachableWorkspaces(db, reach, MAX_WORKSPACES)
  return {
    object: 'session',
    id: session?.id ?? null,
    user: user ? shownUser(user) : null,
    api_key: kind === 'user' ? null : { id, name, kind },
    organisation_id: organisationId,
    workspaces: user && user.role !== 'member' ? workspaces.map((each) => ({ ...each, role: 'admin' })) : workspaces,
    workspace_id: workspaceId ?? null,
    scopes: [...actor.scopes].toSorted(),
    csrf_token: session?.csrfToken ?? null,
    ends_at: session?.endsAt.toISOString() ?? null,
  }
}

const shownUser = ({ id, email, firstName, lastName, role }: User) => ({
  ...{ id, email, role },
  ...{ first_name: firstName, last_name: lastName },
})
