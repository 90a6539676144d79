import { parseJson } from '../core/json/json-depth.ts'
import { isRecord } from '../core/json/record.ts'
import type { LoginAnswer, LoginRequest, Logins } from '../core/logins.ts'
import { EgressRefused, GatewayError, UpstreamTooLarge } from '../errors/gateway-error.ts'
import { MAX_SECRET_BYTES, SecretFailure } from './manager.ts'

/** Sends a request to a manager. @throws SecretFailure */
export const ask = async (logins: Logins, request: LoginRequest): Promise<LoginAnswer> => {
  try {
    return await logins.send(request)
  } catch (thrown) {
    throw toFailure(thrown)
  }
}

/** What a failed request or login means for its secret, in our words. */
export const toFailure = (thrown: unknown): SecretFailure => {
  if (thrown instanceof SecretFailure) return thrown
  if (thrown instanceof EgressRefused) {
    const message =
      'the address of its manager is private or reserved, and the operator does not trust it (`egress.trustedHosts`)'
    return new SecretFailure('refused', message, thrown)
  }
  if (thrown instanceof UpstreamTooLarge) return tooLarge()
  if (!(thrown instanceof GatewayError)) return new SecretFailure('away', 'it could not be read', thrown)
  const isLogin = thrown.options.wireCode === 'provider_login_failed'
  if (thrown.status < 500) return new SecretFailure('refused', 'its manager refuses the login', thrown)
  return new SecretFailure('away', isLogin ? 'the login at its manager fails' : 'its manager does not answer', thrown)
}

/** What a status that is no success means. */
export const statusFailure = (status: number): SecretFailure => {
  if (status === 404) return notThere()
  if (status === 401 || status === 403) return new SecretFailure('refused', 'its manager refuses to show it')
  if (status === 429 || status >= 500) return new SecretFailure('away', `its manager answers with status ${status}`)
  return new SecretFailure('refused', `its manager answers with status ${status}`)
}

export const notThere = (): SecretFailure => new SecretFailure('refused', 'its manager has no such secret')

export const tooLarge = (): SecretFailure =>
  new SecretFailure('unusable', `it is larger than ${MAX_SECRET_BYTES / 1024} KiB`)

/** The text of a secret. @throws SecretFailure for one that is too large, or none */
export const checkedText = (text: string): string => {
  if (text === '') throw new SecretFailure('unusable', 'it is empty')
  if (Buffer.byteLength(text) > MAX_SECRET_BYTES) throw tooLarge()
  return text
}

/** The object that an answer holds. @throws SecretFailure for one that holds none: whoever answered is no manager of secrets */
export const bodyOf = ({ text }: LoginAnswer): Readonly<Record<string, unknown>> => {
  const body = parsedRecord(text)
  if (body === undefined) throw new SecretFailure('away', 'its manager answers with what is no JSON object')
  return body
}

export const parsedRecord = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value = parseJson(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
