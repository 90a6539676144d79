import { WholeBody } from '../../core/bodies/body.ts'
import { GatewayError } from '../../errors/gateway-error.ts'
import { readBody } from '../../http/read-body.ts'
import { mediaTypeOf } from './form.ts'
import { OAuthError } from './oauth-error.ts'

/** A request for a token, well formed; nothing of it is verified. */
export interface TokenRequest {
  readonly clientId: string
  readonly clientSecret: string
  /** What the token is to be narrowed to; absent: all that the key may do. */
  readonly scopes?: readonly string[]
}

/** Larger than any request that is meant: every scope there is fits several times. */
const BODY_LIMITS = { maxBytes: 32 * 1024, timeoutMs: 10_000 }

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a client-credentials request (RFC 6749, sections 2.3.1 and 4.4.2): the client in the body or in HTTP Basic.
 * @throws OAuthError
 */
export const readTokenRequest = (
  parameters: ReadonlyMap<string, string>,
  authorization: string | null,
): TokenRequest => {
  const basic = readBasic(authorization)
  const clientId = parameters.get('client_id')
  const clientSecret = parameters.get('client_secret')
  const scopes = (parameters.get('scope') ?? '').split(' ').filter((scope) => scope !== '')
  const narrowing = scopes.length === 0 ? {} : { scopes }
  if (basic !== undefined) {
    if (clientSecret !== undefined || (clientId !== undefined && clientId !== basic.clientId)) {
      throw invalid('the client is named in two ways: use HTTP Basic or the body')
    }
    return { ...basic, ...narrowing }
  }
  if (clientId === undefined || clientSecret === undefined) {
    throw new OAuthError('invalid_client', 'Send client_id, the id of an API key, and client_secret, the key itself.')
  }
  return { clientId, clientSecret, ...narrowing }
}

/** The parameters of a form or of JSON. Unknown ones are ignored, as the standard asks. @throws OAuthError */
export const readParameters = async (request: Request): Promise<ReadonlyMap<string, string>> => {
  const type = mediaTypeOf(request)
  try {
    const bytes = await readBody(request, BODY_LIMITS)
    if (type === 'application/x-www-form-urlencoded') return fromForm(bytes)
    if (type === 'application/json') return fromJson(bytes)
  } catch (thrown) {
    if (thrown instanceof GatewayError) throw new OAuthError('invalid_request', thrown.message, thrown.status)
    throw thrown
  }
  throw invalid('the content-type must be application/x-www-form-urlencoded or application/json')
}

const fromForm = (bytes: Uint8Array): ReadonlyMap<string, string> => {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    throw invalid('the body is not valid UTF-8')
  }
  const parameters = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (parameters.has(name)) throw invalid('a parameter is given twice')
    // "Parameters sent without a value MUST be treated as if they were omitted" (RFC 6749, section 3.2).
    if (value !== '') parameters.set(name, value)
  }
  return parameters
}

const fromJson = (bytes: Uint8Array): ReadonlyMap<string, string> => {
  const parameters = new Map<string, string>()
  for (const [name, value] of Object.entries(new WholeBody(bytes).json())) {
    if (PARAMETERS.has(name) && typeof value !== 'string') throw invalid(`${name} must be text`)
    if (typeof value === 'string' && value !== '') parameters.set(name, value)
  }
  return parameters
}

const PARAMETERS = new Set([
  ...['grant_type', 'client_id', 'client_secret', 'scope', 'code', 'code_verifier', 'redirect_uri', 'refresh_token'],
  'resource',
])

/** Both parts are form-encoded inside (RFC 6749, section 2.3.1); neither ids nor keys of our making need it. */
const readBasic = (header: string | null): Pick<TokenRequest, 'clientId' | 'clientSecret'> | undefined => {
  const encoded = /^basic\s+(\S+)\s*$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 1) throw invalid('the authorization header is not HTTP Basic')
  try {
    const [clientId, clientSecret] = [text.slice(0, colon), text.slice(colon + 1)].map((part) =>
      decodeURIComponent(part.replaceAll('+', ' ')),
    )
    if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret }
  } catch {
    // Falls through: a lone percent sign.
  }
  throw invalid('the authorization header is not form-encoded inside')
}

const invalid = (problem: string): OAuthError =>
  new OAuthError('invalid_request', `The request is not valid: ${problem}.`)
