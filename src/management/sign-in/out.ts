import { SESSION_COOKIE, SIGN_IN_COOKIE } from '../../people/sessions/cookie.ts'
import { refuseOtherSites } from '../../people/sessions/forgery.ts'
import { sessionRows } from '../../store/objects/sessions.ts'
import type { SessionActors } from '../actor.ts'
import { auditSignOut } from './audit.ts'
import type { SignInDeps, Visit } from './serve.ts'

/** `POST /v2/sign-in/out`: ends the session of the browser, here and on the other side of its cookie. */
export const signOut = async (
  { db, publicUrl }: SignInDeps,
  sessions: SessionActors,
  visit: Visit,
): Promise<Response> => {
  // Also where there is no session: nobody else takes cookies away.
  refuseOtherSites(visit.request, publicUrl)
  const actor = await sessions.find(visit.request)
  const { session } = actor ?? {}
  if (actor !== undefined && session !== undefined) {
    await db.transaction(async (transaction) => {
      await sessionRows.remove(transaction, session.id)
      await auditSignOut(transaction, visit, actor, session.id)
    })
  }
  visit.cookies.push(SESSION_COOKIE.clear(), SIGN_IN_COOKIE.clear())
  return Response.json({})
}
