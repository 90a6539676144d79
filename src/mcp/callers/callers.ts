import { createHash } from 'node:crypto'
import { createLocalJWKSet, errors, type JSONWebKeySet, jwtVerify } from 'jose'
import { createBoundedMap } from '../../core/bounded-map.ts'
import { isRecord } from '../../core/json/record.ts'
import { StoreUnavailable } from '../../errors/gateway-error.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import type { McpServerRecord, McpSnapshot } from '../../store/memory/mcp-snapshot.ts'
import { basicOf } from '../basic.ts'
import type { AskJson } from '../logins/server-metadata.ts'
import { readMcpPlace } from '../place.ts'
import { areWanted } from './claims.ts'
import { createIssuerKeySets } from './issuer-keys.ts'
import { type Validation, validationOf } from './validation.ts'

/** Somebody who came with the token of an issuer that an integration takes. */
export interface ForeignCaller {
  readonly record: McpServerRecord
  /** Who that is, at the issuer. */
  readonly subject: string
  readonly email: string | undefined
  /** As it came, for a server that is to get it. */
  readonly token: string
  readonly expiresAtMs: number
}

export interface CalledServer {
  /** Behind the operator's prefix. */
  readonly path: string
  readonly headers: Headers
}

/** Takes the tokens of issuers that integrations name, each for its own servers alone. */
export interface ForeignCallers {
  /**
   * @returns undefined where no integration of that place takes such a token
   * @throws StoreUnavailable where it cannot be checked now
   */
  find(place: CalledServer): Promise<ForeignCaller | undefined>
}

export interface ForeignCallersOptions {
  readonly snapshot: Pick<McpSnapshot, 'at'>
  readonly secretBox: Pick<SecretBox, 'open'>
  readonly ask: AskJson
  /** Milliseconds since 1970. */
  readonly now: () => number
}

type Claims = Readonly<Record<string, unknown>>

const MAX_TOKEN = 8_192
const MAX_CHECKED = 10_000
const MAX_SUBJECT = 255
/** Milliseconds for which an issuer is not asked about a token again. */
const INTROSPECTED_MS = 30_000
const SECRET = 'configurations.jwt_validation.introspectClientSecret'

export const createForeignCallers = ({ snapshot, secretBox, ask, now }: ForeignCallersOptions): ForeignCallers => {
  const keySets = createIssuerKeySets(ask, now)
  const checked = createBoundedMap<string, { readonly claims: Claims; readonly untilMs: number }>(MAX_CHECKED)

  const verify = async (token: string, validation: Validation): Promise<Claims | undefined> => {
    const { jwks, jwksUri, algorithms, toleranceSeconds, maxAgeSeconds } = validation
    const keys = jwksUri === undefined ? createLocalJWKSet(jwks as JSONWebKeySet) : keySets.at(jwksUri, maxAgeSeconds)
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms: [...algorithms],
        clockTolerance: toleranceSeconds,
        currentDate: new Date(now()),
        requiredClaims: ['exp'],
      })
      return payload
    } catch (thrown) {
      if (thrown instanceof errors.JOSEError) return undefined
      throw thrown
    }
  }

  /** RFC 7662. */
  const introspect = async (token: string, record: McpServerRecord, validation: Validation) => {
    const { endpoint = '', clientId } = validation.introspection ?? {}
    const { organisationId, id, secrets } = record.integration
    const sealed = secrets[SECRET]
    const secret = sealed === undefined ? '' : await secretBox.open(organisationId, id, SECRET, sealed)
    const { status, body } = await ask(endpoint, {
      method: 'POST',
      body: new URLSearchParams({ token }).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(clientId === undefined ? {} : { authorization: basicOf(clientId, secret) }),
      },
    })
    if (status !== 200) throw new StoreUnavailable('The issuer that knows tokens for this MCP server does not answer.')
    return isRecord(body) && body.active === true ? body : undefined
  }

  const claimsOf = async (
    token: string,
    record: McpServerRecord,
    validation: Validation,
  ): Promise<Claims | undefined> => {
    const isAsked = validation.jwksUri === undefined && validation.jwks === undefined
    const claims = await (isAsked ? introspect(token, record, validation) : verify(token, validation))
    if (claims === undefined || !areWanted(claims, validation)) return undefined
    const untilMs = Math.min(endOf(claims, validation), isAsked ? now() + INTROSPECTED_MS : Number.POSITIVE_INFINITY)
    return untilMs > now() ? { ...claims, [UNTIL]: untilMs } : undefined
  }

  return {
    async find({ path, headers }) {
      const place = readMcpPlace(path)
      if (place?.server === undefined) return undefined
      const records = snapshot.at(place.workspace, place.server).filter(({ integration }) => validationOf(integration))
      const [record, ...others] = records
      const validation = record && validationOf(record.integration)
      // A name that several workspaces have says nothing about which one is meant.
      if (record === undefined || validation === undefined || others.length > 0) return undefined
      const token = tokenIn(headers, validation)
      if (token === undefined) return undefined
      const { integration } = record
      const key = hashOf(`${integration.id} ${integration.lastUpdatedAt.getTime()} ${token}`)
      const known = checked.get(key)
      const isKnown = known !== undefined && known.untilMs > now()
      const claims = isKnown ? known.claims : await claimsOf(token, record, validation)
      if (claims === undefined) return undefined
      const untilMs = Number(claims[UNTIL])
      if (!isKnown) checked.set(key, { claims, untilMs })
      const { sub, email } = claims
      if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT) return undefined
      return { record, subject: sub, email: typeof email === 'string' ? email : undefined, token, expiresAtMs: untilMs }
    },
  }
}

/** Until when claims are taken without another look; no claim is called so. */
const UNTIL = ' until'

const endOf = ({ exp }: Claims, { toleranceSeconds }: Validation): number =>
  typeof exp === 'number' ? (exp + toleranceSeconds) * 1000 : Number.POSITIVE_INFINITY

const tokenIn = (headers: Headers, { header }: Validation): string | undefined => {
  const value = headers.get(header ?? 'authorization') ?? ''
  const token = value.replace(/^bearer\s+/i, '').trim()
  return token === '' || token.length > MAX_TOKEN || /\s/.test(token) ? undefined : token
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64')
