import { errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { type CheckPowers, type CheckVerdict, defineCheck, defined, InvalidParameters, type PreparedCheck } from '#kit'
import { checkUrl } from '../shared/context.ts'
import { asError, GRACE_MS, inTime } from '../shared/in-time.ts'
import { claimFaults, extracted } from './claims.ts'
import { Introspection } from './introspection.ts'
import { type KeySet, RemoteKeySet, readKeySet } from './key-set.ts'
import { checkWays, type JwtParameters, PARAMETERS, readClaimRules } from './parameters.ts'

type Fields = Readonly<Record<string, unknown>>

/** Milliseconds to look at a token, keys included. */
const TIMEOUT_MS = 5_000

/** Characters of a token, at most. */
const MAX_TOKEN = 16_384

interface Token {
  readonly payload: Fields
  readonly header: Fields
}

/** Finds out what a token says. @throws Error for one that cannot be trusted */
type ReadToken = (token: string, powers: CheckPowers) => Promise<Token>

/** Whatever goes wrong refuses the token: a server that is away lets nobody in. */
export const jwt = defineCheck({
  id: 'default.jwt',
  summary: 'Passes when the call brings a token that is signed by a known key, is still valid and says what it must.',
  parameters: PARAMETERS,
  stages: ['input'],
  reads: 'request',
  needs: ['fetch'],
  deadlineMs: TIMEOUT_MS + GRACE_MS,
  prepare(parameters): PreparedCheck {
    checkWays(parameters)
    const rules = readClaimRules(parameters)
    const readToken = readerOf(parameters)
    const { headerKey, extractClaims, claimPrefix } = parameters
    return {
      failsClosed: true,
      async run({ headers }, powers) {
        const token = (headers.get(headerKey) ?? '').replace(/^Bearer(?:\s+|$)/i, '').trim()
        if (token === '') return refused(`The header ${headerKey} has no token.`)
        if (token.length > MAX_TOKEN) return refused('The token is too long.')
        try {
          const { payload, header } = await inTime(readToken(token, powers), TIMEOUT_MS)
          const faults = claimFaults(payload, header, rules)
          if (faults.length > 0) return refused(`The token is not as it must be: ${faults.join('; ')}.`)
          const claims = extractClaims === undefined ? undefined : extracted(payload, extractClaims, claimPrefix)
          return { verdict: true, data: { verdict: true, explanation: 'The token is valid.', ...defined({ claims }) } }
        } catch (thrown) {
          const error = asError(thrown)
          // What is wrong with the token is no fault of the check.
          const isToken = error instanceof errors.JOSEError
          return { ...refused(`The token is refused: ${error.message}.`), ...(isToken ? {} : { error }) }
        }
      },
    }
  },
})

const refused = (explanation: string): CheckVerdict => ({ verdict: false, data: { verdict: false, explanation } })

const readerOf = (parameters: JwtParameters): ReadToken => {
  const { jwks, jwksUri, introspectEndpoint } = parameters
  if (introspectEndpoint !== undefined) {
    checkUrl(introspectEndpoint, 'introspectEndpoint')
    const introspection = new Introspection(introspectEndpoint, parameters)
    return async (token, powers) => ({ payload: await introspection.payloadOf(token, powers), header: {} })
  }
  if (jwksUri !== undefined) {
    checkUrl(jwksUri, 'jwksUri')
    return verifierOf(new RemoteKeySet(jwksUri, parameters.cacheMaxAge), parameters)
  }
  const keys = ownKeys(jwks)
  return verifierOf({ keys: async (_, isRefreshed) => (isRefreshed ? undefined : keys) }, parameters)
}

const ownKeys = (jwks: JwtParameters['jwks']): JWTVerifyGetKey => {
  const secret = jwks?.keys.findIndex((key) => key.kty === 'oct' || 'd' in key) ?? -1
  if (secret !== -1) {
    throw new InvalidParameters([{ path: `jwks.keys[${secret}]`, message: 'must be a public key, and no secret one' }])
  }
  try {
    return readKeySet(jwks)
  } catch {
    throw new InvalidParameters([{ path: 'jwks', message: 'is no key set' }])
  }
}

const verifierOf = (keySet: KeySet, { algorithms, clockTolerance, maxTokenAge }: JwtParameters): ReadToken => {
  const verify = async (token: string, keys: JWTVerifyGetKey): Promise<Token> => {
    const options = { algorithms: [...algorithms], clockTolerance, maxTokenAge }
    const { payload, protectedHeader } = await jwtVerify(token, keys, options)
    return { payload, header: protectedHeader as unknown as Fields }
  }
  return async (token, powers) => {
    const keys = await keySet.keys(powers, false)
    if (keys === undefined) throw new Error('there are no keys')
    try {
      return await verify(token, keys)
    } catch (thrown) {
      if (!(thrown instanceof errors.JWKSNoMatchingKey)) throw thrown
      const newer = await keySet.keys(powers, true)
      if (newer === undefined) throw thrown
      return verify(token, newer)
    }
  }
}
