import * as oidc from 'openid-client'
import { CONSOLE_PATH } from '../../console/paths.ts'
import { defined } from '../../core/defined.ts'
import { ManagementNotFound } from '../../errors/gateway-error.ts'
import { SIGN_IN_COOKIE } from '../../people/sessions/cookie.ts'
import { FLOW_SECONDS } from '../../people/sign-in/flow.ts'
import { ownPath } from '../../people/sign-in/return-to.ts'
import { invalidField } from '../invalid-field.ts'
import { choicePage } from './page.ts'
import { callbackPath, SIGN_IN_PATHS, startPath } from './paths.ts'
import { type SignInDeps, takeAttempt, type Visit } from './serve.ts'

/** Longest secret of an invite that is taken along: ours have 43 characters. */
const MAX_INVITE = 128

/** `GET /v2/sign-in/issuers`: whom a page may offer. */
export const listIssuers = ({ issuers }: SignInDeps, { prefix }: Visit): Response => {
  const data = issuers.list.map(({ id, name }) => ({
    object: 'sign_in_issuer',
    id,
    name,
    start_path: startPath(prefix, id, new URLSearchParams()),
  }))
  return Response.json({ object: 'list', total: data.length, data })
}

/** `GET /sign-in`: where there is one issuer, on to it; else a choice. */
export const showChoice = ({ issuers }: SignInDeps, { request, origin, prefix }: Visit): Response => {
  const { searchParams } = new URL(request.url)
  const [only, ...others] = issuers.list
  if (only === undefined || others.length > 0) return choicePage(issuers.list, prefix, searchParams)
  return redirect(`${origin}${startPath(prefix, only.id, searchParams)}`)
}

/**
 * `GET /v2/sign-in/start`: sends the browser to an issuer. What has to survive goes along in a sealed cookie, so that any
 * process can finish.
 */
export const startSignIn = async (deps: SignInDeps, visit: Visit): Promise<Response> => {
  const { issuers, flows } = deps
  const { request, origin, prefix, cookies } = visit
  const asked = readQuery(new URL(request.url).searchParams)
  const returnTo = asked.return_to === undefined ? `${prefix}${CONSOLE_PATH}/` : ownPath(asked.return_to, prefix)
  if (returnTo === undefined) throw invalidField('return_to', 'must be a path of this gateway, such as `/console/`')
  if ((asked.invite?.length ?? 0) > MAX_INVITE) throw invalidField('invite', 'is longer than any')
  const [only, ...others] = issuers.list
  const id = asked.issuer ?? (others.length === 0 ? only?.id : undefined)
  if (id === undefined && issuers.list.length > 0) throw invalidField('issuer', 'is missing: there are several')
  takeAttempt(deps, visit)
  const issuer = id === undefined ? undefined : await issuers.find(id)
  if (issuer === undefined) throw new ManagementNotFound('There is no such issuer of sign-ins.', { param: 'issuer' })
  const { settings, client } = issuer
  const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()]
  const flow = { issuer: settings.id, state, nonce, verifier, returnTo, ...defined({ invite: asked.invite }) }
  cookies.push(SIGN_IN_COOKIE.write(flows.seal(flow), FLOW_SECONDS))
  const target = oidc.buildAuthorizationUrl(client, {
    redirect_uri: `${origin}${callbackPath(prefix, settings.id)}`,
    response_type: 'code',
    scope: settings.scopes.join(' '),
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  return redirect(target.href)
}

/** Sends somebody to sign in, and then on to a path of this gateway. */
export const signInFirst = ({ origin, prefix }: Visit, path: string): Response =>
  redirect(`${origin}${prefix}${SIGN_IN_PATHS.page}?${new URLSearchParams({ return_to: path })}`)

/** The browser gets it by another method than POST, and keeps no memory of it. */
export const redirect = (location: string): Response => new Response(null, { status: 303, headers: { location } })

const NAMES = ['issuer', 'return_to', 'invite'] as const

const readQuery = (query: URLSearchParams): { readonly [Name in (typeof NAMES)[number]]?: string } => {
  for (const name of query.keys()) {
    if (!NAMES.some((known) => known === name)) throw invalidField(name, `is no parameter of ${SIGN_IN_PATHS.start}`)
    if (query.getAll(name).length > 1) throw invalidField(name, 'is given twice')
  }
  return Object.fromEntries(query)
}
