import { ManagementForbidden } from '../../errors/gateway-error.ts'
import { actorOfUser } from '../../people/actor-of-user.ts'
import { SESSION_COOKIE } from '../../people/sessions/cookie.ts'
import type { CsrfTokens } from '../../people/sessions/csrf.ts'
import { refuseForgery } from '../../people/sessions/forgery.ts'
import type { PeopleSnapshot, Person } from '../../store/memory/people-snapshot.ts'
import type { SessionCache } from '../../store/memory/session-cache.ts'
import type { Session } from '../../store/objects/sessions.ts'
import type { Actor, SessionActors } from '../actor.ts'
import { andThen, type MaybePromise } from './maybe-promise.ts'
import type { WorkspaceDirectory } from './workspace-directory.ts'

/** Names the workspace that a member of several means: id or slug. */
export const WORKSPACE_HEADER = 'x-gateway-workspace'

export interface SessionActorsDeps {
  readonly sessions: Pick<SessionCache, 'find'>
  readonly csrf: CsrfTokens
  readonly publicUrl: () => string | undefined
  readonly people: Pick<PeopleSnapshot, 'find' | 'lookUp'>
  readonly workspaces: Pick<WorkspaceDirectory, 'find'>
  /** A key as it is now. @returns undefined for one that is gone or over */
  readonly actorOfKey: (keyId: string) => MaybePromise<Actor | undefined>
}

/** Finds who the session of a browser stands for: asks no database for one that is in use. */
export const createSessionActors = (deps: SessionActorsDeps): SessionActors => {
  const { sessions, csrf, publicUrl, people, workspaces, actorOfKey } = deps

  const ofPerson = (person: Person, reference: string | null): Actor => {
    const place = reference === null ? undefined : workspaces.find(person.organisationId, reference)
    const acting = reference !== null && place === undefined ? undefined : actorOfUser(person, place?.id)
    if (acting !== undefined) return acting
    if (reference !== null) {
      throw new ManagementForbidden(`You are in no workspace '${reference}'.`, { param: WORKSPACE_HEADER })
    }
    // Of none, or of several, and names none: somebody, who may do nothing there.
    const { id, email, organisationId } = person
    return { kind: 'user', id, userId: id, name: email, organisationId, scopes: NONE }
  }

  const holderOf = ({ userId, apiKeyId }: Session, { headers }: Request): MaybePromise<Actor | undefined> => {
    if (userId === null) return apiKeyId === null ? undefined : actorOfKey(apiKeyId)
    // Whoever signed in for the first time is in memory a little later than in their browser's next request.
    return andThen(
      people.find(userId) ?? people.lookUp(userId),
      (person) => person && ofPerson(person, headers.get(WORKSPACE_HEADER)),
    )
  }

  return {
    find(request) {
      const token = SESSION_COOKIE.read(request)
      if (token === undefined) return undefined
      return andThen(sessions.find(token), (session) => {
        if (session === undefined) return undefined
        refuseForgery(request, token, { csrf, publicUrl: publicUrl() })
        const { id, endsAt } = session
        return andThen(
          holderOf(session, request),
          (actor) => actor && { ...actor, session: { id, csrfToken: csrf.of(token), endsAt } },
        )
      })
    },
  }
}

const NONE: ReadonlySet<string> = new Set()
