import { WholeBody } from '../../core/bodies/body.ts'
import { readBody } from '../../http/read-body.ts'
import { AppRefused } from '../../people/apps/app.ts'
import { endByRefreshToken } from '../../people/apps/grant.ts'
import { removeAppGrant } from '../../store/objects/app-grants.ts'
import { takeAttempt, type Visit } from '../sign-in/serve.ts'
import { mediaTypeOf, readForm } from '../tokens/form.ts'
import { ANY_PAGE, OAuthError } from '../tokens/oauth-error.ts'
import type { AppsDeps } from './deps.ts'

const LIMITS = { maxBytes: 16 * 1024, timeoutMs: 10_000 }

/** `POST /oauth/register`: an app says who it is (RFC 7591). It gets no secret: what it shows later is PKCE. */
export const registerApp = async (deps: AppsDeps, visit: Visit): Promise<Response> => {
  takeAttempt(deps, visit)
  const { request } = visit
  if (mediaTypeOf(request) !== 'application/json') {
    throw new OAuthError('invalid_client_metadata', 'The content-type must be application/json.')
  }
  const body = new WholeBody(await readBody(request, LIMITS))
  try {
    const { id, name, redirectUris, uri } = deps.registrations.register(body.json())
    // Nothing is kept of one that is good: only what is refused counts.
    deps.attempts.giveBack(visit.address)
    const registered = {
      client_id: id,
      client_id_issued_at: Math.floor(deps.clock.now() / 1000),
      client_name: name,
      ...(uri === undefined ? {} : { client_uri: uri }),
      redirect_uris: redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
    return Response.json(registered, { status: 201, headers: ANY_PAGE })
  } catch (thrown) {
    throw thrown instanceof AppRefused ? new OAuthError(thrown.code, thrown.message) : thrown
  }
}

/** `POST /oauth/revoke`: an app gives back what it may do (RFC 7009). A token that is none is no error. */
export const revokeToken = async (deps: AppsDeps, { request }: Visit): Promise<Response> => {
  const token = (await readForm(request, LIMITS)).get('token')
  if (token === undefined || token === '') throw new OAuthError('invalid_request', 'The token is missing.')
  const access = await deps.tokens.verify(token)
  if (access === undefined) await endByRefreshToken(deps.db, token)
  else if ('grantId' in access) await removeAppGrant(deps.db, access.grantId)
  return new Response(null, { headers: ANY_PAGE })
}
