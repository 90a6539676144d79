import * as oidc from 'openid-client'
import { defined } from '../../core/defined.ts'
import { ManagementInvalid, ManagementUnavailable } from '../../errors/gateway-error.ts'
import { SESSION_COOKIE, SIGN_IN_COOKIE } from '../../people/sessions/cookie.ts'
import { startSession } from '../../people/sessions/start-session.ts'
import { type Claims, type Identity, isMissing, mergeClaims, readIdentity } from '../../people/sign-in/claims.ts'
import { findPerson } from '../../people/sign-in/find-person.ts'
import type { Flow } from '../../people/sign-in/flow.ts'
import { followClaims } from '../../people/sign-in/follow-claims.ts'
import type { Issuer } from '../../people/sign-in/issuers.ts'
import { signInTrouble, troubleFields } from '../../people/sign-in/trouble.ts'
import { holdPeople } from '../../people/users.ts'
import { findFirstOrganisation, findOrganisation } from '../../store/objects/tenancy.ts'
import type { User } from '../../store/objects/users.ts'
import type { Db } from '../../store/types.ts'
import { auditSignIn } from './audit.ts'
import { callbackPath } from './paths.ts'
import { type SignInDeps, takeAttempt, type Visit } from './serve.ts'
import { redirect } from './start.ts'

/** `GET /v2/sign-in/callback/:issuer`: an issuer sends the browser back, with a code for what it says of whoever sits there. */
export const finishSignIn = async (deps: SignInDeps, visit: Visit): Promise<Response> => {
  const { attempts, issuers, log } = deps
  const { params, cookies, origin, address } = visit
  takeAttempt(deps, visit)
  // Once, however it ends.
  cookies.push(SIGN_IN_COOKIE.clear())
  const flow = flowOf(deps, visit)
  const issuer = await issuers.find(flow.issuer)
  if (issuer === undefined || issuer.settings.id !== params.issuer) throw notBegun()
  const token = await signIn(deps, visit, flow, issuer).catch((thrown: unknown) => {
    log.warn('a sign-in was refused', { issuer: issuer.settings.id, id: visit.requestId, ...troubleFields(thrown) })
    throw signInTrouble(issuer.settings, thrown)
  })
  attempts.giveBack(address)
  cookies.push(SESSION_COOKIE.write(token))
  return redirect(`${origin}${flow.returnTo}`)
}

const flowOf = ({ flows }: SignInDeps, { request }: Visit): Flow => {
  const sealed = SIGN_IN_COOKIE.read(request)
  const flow = sealed === undefined ? undefined : flows.open(sealed)
  if (flow === undefined) throw notBegun()
  return flow
}

const notBegun = (): ManagementInvalid =>
  new ManagementInvalid(
    'This sign-in was not begun in this browser, was finished already, or took longer than ten minutes. Begin again.',
  )

/** @returns what the cookie of the session holds */
const signIn = async (deps: SignInDeps, visit: Visit, flow: Flow, issuer: Issuer): Promise<string> => {
  const { db, clock, sessionMaxHours } = deps
  const { request, address } = visit
  const identity = await identify(visit, flow, issuer)
  const organisationId = await organisationOf(db, issuer)
  const nowMs = clock.now()
  return db.transaction(async (transaction) => {
    await holdPeople(transaction, organisationId)
    const arrival = { organisationId, issuer: issuer.settings, identity, nowMs, ...defined({ invite: flow.invite }) }
    const found = await findPerson(transaction, arrival)
    const followed = await followClaims(transaction, found.user, identity, new Date(nowMs))
    const { session, token } = await startSession(transaction, {
      ...{ organisationId, holder: { userId: found.user.id }, issuer: identity.issuer },
      ...{ request, address, former: SESSION_COOKIE.read(request), nowMs, maxHours: sessionMaxHours },
    })
    await auditSignIn(transaction, visit, { found, followed, session })
    if (followed.refusedRole !== undefined) warnOfRole(deps, found.user, followed.refusedRole)
    return token
  })
}

const warnOfRole = ({ log }: SignInDeps, { id }: User, role: User['role']): void =>
  log.warn('the claims of a sign-in make the last owner something less: the role was kept', { user: id, role })

/** What the issuer says of whoever sits at the browser. @throws what the library throws */
const identify = async (
  { request, origin, prefix }: Visit,
  { nonce, state, verifier }: Flow,
  { settings, client }: Issuer,
): Promise<Identity> => {
  const url = new URL(`${origin}${callbackPath(prefix, settings.id)}`)
  url.search = new URL(request.url).search
  const tokens = await oidc.authorizationCodeGrant(client, url, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  })
  const claims: Claims = { ...tokens.claims() }
  const canAsk = client.serverMetadata().userinfo_endpoint !== undefined
  if (!canAsk || !isMissing(claims, settings)) return readIdentity(claims, settings)
  const userInfo = await oidc.fetchUserInfo(client, tokens.access_token, String(claims.sub))
  return readIdentity(mergeClaims(claims, userInfo), settings)
}

const organisationOf = async (db: Db, { settings: { name, organisationId } }: Issuer): Promise<string> => {
  const found = await (organisationId === undefined ? findFirstOrganisation(db) : findOrganisation(db, organisationId))
  if (found === undefined) throw new ManagementUnavailable(`The organisation that ${name} is for does not exist.`)
  return found.id
}
