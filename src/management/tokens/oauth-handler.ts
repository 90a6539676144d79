import type { Clock, Logger } from '../../core/ports.ts'
import { errorFields } from '../../errors/error-fields.ts'
import { GatewayError } from '../../errors/gateway-error.ts'
import { StoreUnavailable } from '../../store/errors.ts'
import { sameHash } from '../../store/key-material.ts'
import type { ApiKeyRecord } from '../../store/objects/api-keys.ts'
import { ACCESS_TOKEN_SECONDS, type AccessTokens } from './access-tokens.ts'
import type { MaybePromise } from './maybe-promise.ts'
import { OAuthError } from './oauth-error.ts'
import { readTokenRequest, type TokenRequest } from './token-request.ts'

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
  readonly tokens: AccessTokens
  readonly clock: Pick<Clock, 'now'>
  readonly log: Pick<Logger, 'error'>
}

/**
 * `POST /oauth/token`: an API key for a short-lived token that stands for it (RFC 6749, section 4.4). The client id is
 * the id of the key, the client secret the key.
 */
export const createOAuthHandler =
  (deps: OAuthDeps) =>
  async (request: Request): Promise<Response> => {
    try {
      const asked = await readTokenRequest(request)
      const key = await identify(asked, deps)
      const scopes = narrow(asked, key)
      const token = await deps.tokens.issue({
        keyId: key.id,
        ...(asked.scopes === undefined ? {} : { scopes }),
      })
      return answer(200, {
        access_token: token,
        token_type: 'Bearer',
        expires_in: ACCESS_TOKEN_SECONDS,
        scope: scopes.join(' '),
      })
    } catch (thrown) {
      const error = toOAuthError(thrown)
      if (error.code === 'server_error') deps.log.error('a token could not be made', errorFields(thrown))
      return answer(
        error.status,
        { error: error.code, error_description: error.message },
        // Every 401 must say how to authenticate (RFC 9110, section 15.5.2).
        error.status === 401 ? { 'www-authenticate': 'Basic realm="weir", charset="UTF-8"' } : {},
      )
    }
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

const toOAuthError = (thrown: unknown): OAuthError => {
  if (thrown instanceof OAuthError) return thrown
  const isAway = thrown instanceof StoreUnavailable || (thrown instanceof GatewayError && thrown.status === 503)
  return isAway
    ? new OAuthError('temporarily_unavailable', 'The database cannot be reached now.')
    : new OAuthError('server_error', 'Something went wrong inside the gateway.')
}

/** Never cached, as the standard asks (RFC 6749, section 5.1). */
const answer = (
  status: number,
  body: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Response => Response.json(body, { status, headers: { 'cache-control': 'no-store', pragma: 'no-cache', ...headers } })
