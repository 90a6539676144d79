import { parseJson } from '../../../core/json/json-depth.ts'
import { isRecord } from '../../../core/json/record.ts'
import type { LoginAnswer, LoginRequest, Logins } from '../../../core/logins.ts'
import { GatewayError, UpstreamError, UpstreamInvalid } from '../../../errors/gateway-error.ts'
import type { Login } from './token-cache.ts'

/** Characters of a service's own words that go into an error. */
const MAX_WORDS = 200
/** Seconds that a token is taken to be good for where its service does not say. */
const DEFAULT_LIFE_S = 300

/** Who logs in, for the words of errors. */
export interface LoginOf {
  /** Id of the provider. */
  readonly provider: string
  /** What must not stand in an error, even if the service repeats it. */
  readonly secrets: readonly string[]
}

/** The login was refused: 401, with the provider's id, and never a 401 of Weir's own keys. */
export const loginRefused = (provider: string, reason: string): GatewayError =>
  new UpstreamError(`The login at '${provider}' was refused: ${reason}.`, {
    status: 401,
    type: 'authentication_error',
    wireCode: 'provider_login_failed',
    provider,
  })

/**
 * Sends a request of a login.
 * @throws a catalogue error that says that it is the login which failed: 502 and others where no answer came
 */
export const sendLogin = async (logins: Logins, provider: string, request: LoginRequest): Promise<LoginAnswer> => {
  try {
    return await logins.send(request)
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown
    throw new GatewayError(thrown.code, `The login at '${provider}' failed: ${thrown.message}`, {
      ...thrown.options,
      wireCode: 'provider_login_failed',
      provider,
      cause: thrown,
    })
  }
}

/**
 * A token as OAuth 2.0 and the metadata services give it: `access_token`, and `expires_in` in seconds or `expires_on` in
 * seconds since 1970, either as a number or as text.
 * @throws UpstreamError (401 where the service refused, 502 where it broke), UpstreamInvalid for an answer without a token
 */
export const readToken = (answer: LoginAnswer, of: LoginOf, nowMs: number): Login<string> => {
  const body = toRecord(answer.text)
  if (answer.status < 200 || answer.status > 299) throw refusal(answer, body, of)
  const { access_token: token } = body
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
    throw new UpstreamInvalid(`The login at '${of.provider}' was answered without a token.`, {
      wireCode: 'provider_login_failed',
      provider: of.provider,
    })
  }
  return { value: token, expiresAtMs: expiryOf(body, nowMs) }
}

const expiryOf = ({ expires_in: forS, expires_on: onS }: Readonly<Record<string, unknown>>, nowMs: number): number => {
  const left = toSeconds(forS)
  if (left !== undefined) return nowMs + left * 1000
  const end = toSeconds(onS)
  return end === undefined ? nowMs + DEFAULT_LIFE_S * 1000 : end * 1000
}

const toSeconds = (value: unknown): number | undefined => {
  const seconds = typeof value === 'string' && /^\d{1,12}(?:\.\d+)?$/.test(value) ? Number(value) : value
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
}

/** A refusal in the words of the service (RFC 6749, section 5.2), as far as they hold no secret. */
export const refusal = (
  { status }: LoginAnswer,
  body: Readonly<Record<string, unknown>>,
  { provider, secrets }: LoginOf,
): GatewayError => {
  const { error, error_description: description } = body
  const words = [error, description]
    .flatMap((part) => (typeof part === 'string' ? [part.split(/[\r\n]/, 1)[0]?.trim() ?? ''] : []))
    .filter((part) => part !== '' && !secrets.some((secret) => secret !== '' && part.includes(secret)))
    .join(': ')
  const reason = words === '' ? `status ${status}` : `${clip(words)} (status ${status})`
  if (status < 500 && status !== 429) return loginRefused(provider, reason)
  return new UpstreamError(`The login at '${provider}' failed: ${reason}.`, {
    status: status === 429 ? 503 : 502,
    wireCode: 'provider_login_failed',
    provider,
  })
}

const clip = (words: string): string =>
  (words.length > MAX_WORDS ? `${words.slice(0, MAX_WORDS)}…` : words).replace(/\.$/, '')

/** The object that a JSON text holds; an empty one for anything else. */
export const toRecord = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = parseJson(text)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}
