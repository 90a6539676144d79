import { ManagementForbidden, ManagementInvalid } from '../../errors/gateway-error.ts'
import { MCP_SCOPE } from '../../mcp/place.ts'
import { giveGrant } from '../../people/apps/grant.ts'
import { SESSION_COOKIE } from '../../people/sessions/cookie.ts'
import { refuseOtherSites } from '../../people/sessions/forgery.ts'
import type { Person } from '../../store/memory/people-snapshot.ts'
import { invalidField } from '../invalid-field.ts'
import { auditGrant } from '../sign-in/audit.ts'
import { takeAttempt, type Visit } from '../sign-in/serve.ts'
import { redirect, signInFirst } from '../sign-in/start.ts'
import { readForm } from '../tokens/form.ts'
import { OAuthError } from '../tokens/oauth-error.ts'
import { type Asked, answerUrl, readAsked, readAsker } from './asked.ts'
import type { AppsDeps } from './deps.ts'
import { issuerOf } from './metadata.ts'
import { consentPage } from './page.ts'
import { APP_PATHS } from './paths.ts'
import { placesOf } from './places.ts'

/** What a sign-in takes along of where to go on to. */
const MAX_ADDRESS = 2_048
const FORM_LIMITS = { maxBytes: 16 * 1024, timeoutMs: 10_000 }

/** `GET /oauth/authorize`: an app sends a person, who signs in where that is not done yet and is asked. */
export const askPerson = async (deps: AppsDeps, visit: Visit): Promise<Response> => {
  takeAttempt(deps, visit)
  const { request, prefix } = visit
  const { search } = new URL(request.url)
  return toldOr(deps, visit, search, async (asked) => {
    const person = await personOf(deps, request)
    if (person === undefined) {
      const back = `${prefix}${APP_PATHS.authorize}${search}`
      if (back.length > MAX_ADDRESS) throw new OAuthError('invalid_request', 'The request is too long to sign in with.')
      return signInFirst(visit, back)
    }
    const places = await placesOf(deps, person, asked.resource)
    if (places.length === 0) throw notForYou(person)
    deps.attempts.giveBack(visit.address)
    return consentPage({
      ...{ app: asked.app, redirectUri: asked.redirectUri, places, email: person.email },
      action: `${prefix}${APP_PATHS.authorize}`,
      asked: deps.asked.seal({ search, userId: person.id }),
      csrfToken: deps.csrf.of(SESSION_COOKIE.read(request) ?? ''),
    })
  })
}

/** `POST /oauth/authorize`: the person's answer, which the app is told. */
export const answerApp = async (deps: AppsDeps, visit: Visit): Promise<Response> => {
  takeAttempt(deps, visit)
  const { request } = visit
  refuseOtherSites(request, deps.publicUrl)
  const form = await readForm(request, FORM_LIMITS)
  const person = await personOf(deps, request)
  const session = SESSION_COOKIE.read(request)
  if (person === undefined || session === undefined) throw begunElsewhere()
  if (!deps.csrf.isGood(session, form.get('csrf_token') ?? '')) throw begunElsewhere()
  const sealed = deps.asked.open(form.get('asked') ?? '')
  if (sealed?.userId !== person.id) throw begunElsewhere()
  deps.attempts.giveBack(visit.address)
  return toldOr(deps, visit, sealed.search, async (asked) => {
    const answer = form.get('answer')
    if (answer === 'deny') throw new OAuthError('access_denied', 'The person did not allow it.')
    if (answer !== 'allow') throw invalidField('answer', 'must be allow or deny')
    const workspaceId = form.get('workspace')
    const place = (await placesOf(deps, person, asked.resource)).find((each) => each.workspaceId === workspaceId)
    if (place === undefined) throw invalidField('workspace', 'is none in which you may use this')
    const code = await allow(deps, visit, person, asked, place.workspaceId)
    return redirect(answerUrl(asked, issuerOf(visit), { code }))
  })
}

/** Does the work, or tells the app what is wrong with what it asked. */
const toldOr = async (
  deps: AppsDeps,
  visit: Visit,
  search: string,
  work: (asked: Asked) => Promise<Response>,
): Promise<Response> => {
  const query = new URLSearchParams(search)
  const asker = await readAsker(deps, query)
  try {
    return await work(readAsked(asker, query, visit))
  } catch (thrown) {
    if (!(thrown instanceof OAuthError)) throw thrown
    const told = { error: thrown.code, error_description: thrown.message }
    return redirect(answerUrl(asker, issuerOf(visit), told))
  }
}

const allow = (deps: AppsDeps, visit: Visit, person: Person, asked: Asked, workspaceId: string): Promise<string> => {
  const { app, redirectUri, resource, codeChallenge } = asked
  const { organisationId, id: userId } = person
  return deps.db.transaction(async (transaction) => {
    const grant = {
      ...{ organisationId, workspaceId, userId, clientId: app.id, clientName: app.name, redirectUri, codeChallenge },
      ...{ resource: resource.address, resourcePath: resource.path, scopes: [MCP_SCOPE] },
    }
    const { id, code } = await giveGrant(transaction, grant, deps.clock.now())
    const signer = { kind: 'user', id: userId, name: person.email, organisationId } as const
    const after = { app: app.name, app_host: app.host ?? null, resource: resource.address }
    await auditGrant(transaction, visit, signer, { action: 'app_grants.create', id, workspaceId, after })
    return code
  })
}

/** Who sits at the browser; a key of the organisation is nobody for an app to act for. */
export const personOf = async (
  { sessions, people }: AppsDeps,
  { url, headers }: Request,
): Promise<Person | undefined> => {
  // Read alone: what a form changes is guarded by the token in the form, as no form can send a header.
  const actor = await sessions.find(new Request(url, { headers }))
  const userId = actor?.userId
  return userId === undefined ? undefined : (people.find(userId) ?? people.lookUp(userId))
}

const notForYou = ({ email }: Person): ManagementForbidden =>
  new ManagementForbidden(`You (${email}) are in no workspace in which you may use what the app asks for.`)

const begunElsewhere = (): ManagementInvalid =>
  new ManagementInvalid(
    'This was not asked in this browser, you have signed out since, or it took longer than ten minutes. Begin again in the app.',
  )
