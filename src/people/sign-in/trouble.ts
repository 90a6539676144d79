import { AuthorizationResponseError, ResponseBodyError } from 'openid-client'
import type { SignInIssuer } from '../../config/sign-in.ts'
import { defined } from '../../core/defined.ts'
import type { LogFields } from '../../core/ports.ts'
import { GatewayError, ManagementForbidden, ManagementUnavailable } from '../../errors/gateway-error.ts'

/** An issuer that cannot be asked now, or does not say who it is. */
export const issuerTrouble = ({ name }: SignInIssuer, thrown: unknown): GatewayError =>
  new ManagementUnavailable(`Nobody can sign in with ${name} now: it does not answer as an issuer should.`, {
    cause: thrown,
    retryAfterMs: 5_000,
  })

/** Why a sign-in was refused. Our own refusals stay as they are; what an issuer sent is not shown. */
export const signInTrouble = (issuer: SignInIssuer, thrown: unknown): GatewayError => {
  const inner = thrown instanceof Error ? thrown.cause : undefined
  const own = [thrown, inner].find((each) => each instanceof GatewayError)
  // Ours of the way there: the issuer was not reached.
  if (own !== undefined) return own.row.family === 'management' ? own : issuerTrouble(issuer, thrown)
  if (thrown instanceof AuthorizationResponseError && thrown.error === 'access_denied') {
    return new ManagementForbidden(`${issuer.name} let nobody sign in, or it was called off there.`, { cause: thrown })
  }
  return new ManagementForbidden(`What ${issuer.name} answered cannot be accepted, so nobody was signed in.`, {
    cause: thrown,
  })
}

/** Longest text of an issuer that is written down. */
const MAX_TEXT = 100

/** For the log: the words of the library, and the error codes of an issuer. Neither tokens nor codes, which causes may hold. */
export const troubleFields = (thrown: unknown): LogFields => {
  if (!(thrown instanceof Error)) return { error: 'unknown' }
  const { message, cause } = thrown
  const said = thrown instanceof ResponseBodyError || thrown instanceof AuthorizationResponseError ? thrown.error : ''
  return defined({
    error: message,
    reason: cause instanceof Error ? cause.message : undefined,
    said: said === '' ? undefined : said.slice(0, MAX_TEXT),
  })
}
