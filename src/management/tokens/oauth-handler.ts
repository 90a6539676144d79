import type { Clock, Logger } from '../../core/ports.ts'
import { sameHash } from '../../store/key-material.ts'
import type { ApiKeyRecord } from '../../store/objects/api-keys.ts'
import { ACCESS_TOKEN_SECONDS, type AccessTokens } from './access-tokens.ts'
import type { AppTokens } from './app-tokens.ts'
import type { MaybePromise } from './maybe-promise.ts'
import { ANY_PAGE, OAuthError, oauthAnswer, oauthRefusal } from './oauth-error.ts'
import { readParameters, readTokenRequest, type TokenRequest } from './token-request.ts'

/**
 * Where the handler is served: at the root, as OAuth clients expect, and below each version. Public: the request itself
 * carries the key.
 */
export const oauthTokenPaths = (basePath: string): readonly [root: string, ...others: string[]] => [
  `${basePath}/oauth/token`,
  `${basePath}/v1/oauth/token`,
  `${basePath}/v2/oauth/token`,
]

export interface OAuthDeps {
  readonly keys: { find(key: string): MaybePromise<ApiKeyRecord | undefined> }
  readonly tokens: Pick<AccessTokens, 'issue'>
  /** Absent: no apps are let in. */
  readonly apps?: AppTokens
  readonly clock: Pick<Clock, 'now'>
  readonly log: Pick<Logger, 'error'>
}

/**
 * `POST /oauth/token`: an API key for a short-lived token that stands for it (RFC 6749, section 4.4), whose client id is the id
 * of the key and its secret the key; or a code or refresh token of an app for its tokens (sections 4.1.3 and 6).
 */
export const createOAuthHandler =
  (deps: OAuthDeps) =>
  async (request: Request): Promise<Response> => {
    try {
      const { apps } = deps
      const parameters = await readParameters(request)
      const grantType = parameters.get('grant_type')
      if (grantType === 'client_credentials') {
        return await tokenOfKey(deps, readTokenRequest(parameters, request.headers.get('authorization')))
      }
      if (grantType === 'authorization_code' && apps !== undefined) {
        return oauthAnswer(200, await apps.takeCode(parameters), ANY_PAGE)
      }
      if (grantType === 'refresh_token' && apps !== undefined) {
        return oauthAnswer(200, await apps.refresh(parameters), ANY_PAGE)
      }
      if (grantType === undefined) throw new OAuthError('invalid_request', 'The grant_type is missing.')
      const known = apps === undefined ? '' : ', authorization_code or refresh_token'
      throw new OAuthError('unsupported_grant_type', `The grant_type must be client_credentials${known}.`)
    } catch (thrown) {
      return oauthRefusal(thrown, deps.log, ANY_PAGE)
    }
  }

const tokenOfKey = async (deps: OAuthDeps, asked: TokenRequest): Promise<Response> => {
  const key = await identify(asked, deps)
  const scopes = narrow(asked, key)
  const token = await deps.tokens.issue({ keyId: key.id, ...(asked.scopes === undefined ? {} : { scopes }) })
  return oauthAnswer(200, {
    access_token: token,
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
    scope: scopes.join(' '),
  })
}

/** One answer for an id that does not exist, a secret that is wrong, and a key that may not be used any more. */
const identify = async ({ clientId, clientSecret }: TokenRequest, deps: OAuthDeps): Promise<ApiKeyRecord> => {
  const key = await deps.keys.find(clientSecret)
  const isTheirs = key !== undefined && sameHash(key.id, clientId.toLowerCase())
  const isUsable =
    key !== undefined &&
    key.status !== 'revoked' &&
    key.status !== 'expired' &&
    (key.expiresAt === null || key.expiresAt.getTime() > deps.clock.now())
  if (key === undefined || !isTheirs || !isUsable) {
    throw new OAuthError('invalid_client', 'The client_id and the client_secret do not belong to a usable API key.')
  }
  return key
}

/** Repeated scopes count once; a scope that the key lacks is refused, not left out in silence. */
const narrow = ({ scopes }: TokenRequest, key: ApiKeyRecord): readonly string[] => {
  if (scopes === undefined) return key.scopes
  const held = new Set<string>(key.scopes)
  if (!scopes.every((scope) => held.has(scope))) {
    throw new OAuthError('invalid_scope', 'The API key does not have every scope that was asked for.')
  }
  return [...new Set(scopes)]
}
