import { defined } from '../../core/defined.ts'
import type { StartedSession } from '../../people/sessions/start-session.ts'
import type { FoundPerson } from '../../people/sign-in/find-person.ts'
import type { Followed } from '../../people/sign-in/follow-claims.ts'
import { appendAudit } from '../../store/objects/audit-log.ts'
import type { Session } from '../../store/objects/sessions.ts'
import type { User } from '../../store/objects/users.ts'
import type { Db } from '../../store/types.ts'
import type { Actor } from '../actor.ts'
import type { Visit } from './serve.ts'

/** Who signs in, for the audit log. */
export type Signer = Pick<Actor, 'kind' | 'id' | 'name' | 'organisationId'>

/** What everything that one visit changes has in common. */
const common = ({ request, requestId, address }: Visit, { kind, id, name, organisationId }: Signer) => ({
  ...{ organisationId, actorKind: kind, actorId: id, actorName: name },
  ...{ method: request.method, path: new URL(request.url).pathname, requestId },
  ...defined({ sourceAddress: address }),
})

/** Writes down what a sign-in did: to somebody, and that they have a session now. */
export const auditSignIn = async (
  transaction: Db,
  visit: Visit,
  {
    found,
    followed,
    session,
  }: Pick<StartedSession, 'session'> & {
    readonly found: FoundPerson
    readonly followed: Followed
  },
): Promise<void> => {
  const { user, refusedRole } = followed
  const signer: Signer = { kind: 'user', id: user.id, name: user.email, organisationId: user.organisationId }
  const object = { ...common(visit, signer), objectKind: 'user', objectId: user.id }
  if (found.made !== undefined) {
    const after = { ...shownUser(user), source: found.made }
    await appendAudit(transaction, { ...object, action: 'organisation_users.create', after })
  } else if (found.user.role !== user.role) {
    const [before, after] = [shownUser(found.user), shownUser(user)]
    await appendAudit(transaction, { ...object, action: 'organisation_users.update', before, after })
  }
  await auditSession(transaction, visit, signer, session, defined({ role_not_taken: refusedRole }))
}

/** @param more said of it besides */
export const auditSession = async (
  transaction: Db,
  visit: Visit,
  signer: Signer,
  { id, issuer, endsAt }: Session,
  more: object = {},
): Promise<void> => {
  await appendAudit(transaction, {
    ...common(visit, signer),
    ...{ action: 'sessions.create', objectKind: 'session', objectId: id },
    after: { id, issuer, ends_at: endsAt.toISOString(), ...more },
  })
}

export const auditSignOut = async (transaction: Db, visit: Visit, signer: Signer, sessionId: string): Promise<void> => {
  await appendAudit(transaction, {
    ...common(visit, signer),
    ...{ action: 'sessions.delete', objectKind: 'session', objectId: sessionId, before: { id: sessionId } },
  })
}

/** What a person allows an app. */
export const auditGrant = async (
  transaction: Db,
  visit: Visit,
  signer: Signer,
  { action, id, workspaceId, after }: GrantEntry,
): Promise<void> => {
  const object = { objectKind: 'app_grant', objectId: id, workspaceId }
  await appendAudit(transaction, { ...common(visit, signer), ...object, action, after })
}

interface GrantEntry {
  readonly action: 'app_grants.create'
  readonly id: string
  readonly workspaceId: string
  readonly after: Readonly<Record<string, unknown>>
}

const shownUser = ({ id, email, role }: User) => ({ id, email, role })
