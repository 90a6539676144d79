import type { JWTPayload } from 'jose'
import { defined } from '../../core/defined.ts'
import { isRecord } from '../../core/json/record.ts'
import type { RequestDefaults } from '../../store/schema/tenancy.ts'
import { WORKSPACE_USER_SCOPES } from '../../store/scopes.ts'
import { type JwtLimits, readLimits } from './jwt-limits.ts'

/** What a foreign token says about its bearer (interface contract, section 1.2; behaviour reference, section 4.7). */
export interface JwtClaims extends JwtLimits {
  readonly organisationId: string
  /** Id or slug. */
  readonly workspace?: string
  readonly scopes: ReadonlySet<string>
  /** The first of `email_id`, `sub`, `uid`. */
  readonly userId?: string
  readonly defaults?: RequestDefaults
}

/** Such a token works like the key of a user of one workspace, and can hold no more than one. */
const KNOWN_SCOPES: ReadonlySet<string> = new Set(WORKSPACE_USER_SCOPES)

const MAX_ID_LENGTH = 255
const MAX_METADATA_KEYS = 64

/**
 * Undefined when a claim is missing or not of its type: the token is then as good as unknown.
 * @throws InvalidApiKey for limits that cannot be read
 */
export const readClaims = (payload: JWTPayload): JwtClaims | undefined => {
  const organisationId = payload.organisation_id ?? payload.oid
  const workspace = payload.workspace ?? payload.workspace_slug
  const user = payload.email_id ?? payload.sub ?? payload.uid
  const scopes = readScopes(payload.scope ?? payload.scopes)
  const defaults = readDefaults(payload.defaults)
  if (!isId(organisationId) || scopes === undefined || defaults === undefined) return undefined
  if (workspace !== undefined && !isId(workspace)) return undefined
  if (user !== undefined && !isId(user)) return undefined
  return {
    organisationId,
    scopes,
    ...defined({ workspace, userId: user }),
    ...(Object.keys(defaults).length === 0 ? {} : { defaults }),
    ...readLimits(payload),
  }
}

const isId = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_ID_LENGTH

/** Text with spaces between, or a list. Scopes that are not ours, such as `openid`, are left out. */
const readScopes = (claim: unknown): ReadonlySet<string> | undefined => {
  const names: unknown = typeof claim === 'string' ? claim.split(' ') : (claim ?? [])
  if (!Array.isArray(names)) return undefined
  const scopes = new Set<string>()
  for (const name of names) {
    if (typeof name !== 'string') return undefined
    // Issuers may put a name of the vendor in front of a scope: `acme.completions.write`, `acme:completions.write`.
    const known = [name, name.replace(/^[^.:/]+[.:/]/, '')].find((candidate) => KNOWN_SCOPES.has(candidate))
    if (known !== undefined) scopes.add(known)
  }
  return scopes
}

/** `{config_id, metadata}`: what a key would have as its defaults. Empty when the claim is absent. */
const readDefaults = (claim: unknown): RequestDefaults | undefined => {
  if (claim === undefined || claim === null) return {}
  if (!isRecord(claim)) return undefined
  const { config_id: configId, metadata } = claim
  if (configId !== undefined && !isId(configId)) return undefined
  const read = metadata === undefined ? undefined : readMetadata(metadata)
  if (metadata !== undefined && read === undefined) return undefined
  return defined({ configId, metadata: read })
}

const readMetadata = (value: unknown): Readonly<Record<string, string>> | undefined => {
  if (!isRecord(value)) return undefined
  const entries: [string, string][] = []
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== 'string' || key.length > MAX_ID_LENGTH || text.length > MAX_ID_LENGTH) return undefined
    entries.push([key, text])
  }
  return entries.length > MAX_METADATA_KEYS ? undefined : Object.fromEntries(entries)
}
