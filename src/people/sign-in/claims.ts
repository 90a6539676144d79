import type { SignInIssuer } from '../../config/sign-in.ts'
import { defined } from '../../core/defined.ts'
import { isRecord } from '../../core/json/record.ts'
import type { OrganisationRole, WorkspaceRole } from '../../store/schema/people.ts'

/** Claims of an ID token that was verified, and of the user info. */
export type Claims = Readonly<Record<string, unknown>>

/** Who an issuer says that somebody is. */
export interface Identity {
  /** The claim `iss`. */
  readonly issuer: string
  readonly subject: string
  /** In lower case; absent unless the issuer has verified it. */
  readonly verifiedEmail?: string
  readonly firstName?: string
  readonly lastName?: string
  /** By the claims; absent where the settings say nothing of roles. */
  readonly role?: OrganisationRole | 'refused'
  /** The workspaces of the settings, each with the role there, or none. By id or slug. */
  readonly workspaces: ReadonlyMap<string, WorkspaceRole | undefined>
}

/** Longer names are none. */
const MAX_NAME = 255

/** @throws Error for claims without a subject, which a verified ID token has */
export const readIdentity = (claims: Claims, settings: SignInIssuer): Identity => {
  const { sub: subject } = claims
  if (typeof subject !== 'string' || subject === '') throw new Error('the ID token has no subject')
  return {
    issuer: settings.issuer,
    subject,
    workspaces: workspacesOf(claims, settings),
    ...defined({
      verifiedEmail: verifiedEmail(claims, settings),
      firstName: nameOf(claims.given_name),
      lastName: nameOf(claims.family_name),
      role: roleOf(claims, settings),
    }),
  }
}

/** What the settings look at and the ID token does not say, so that the user info has to be asked. */
export const isMissing = (claims: Claims, { roles, workspaces }: SignInIssuer): boolean => {
  const wanted = [...(roles === undefined ? [] : [roles.claim]), ...workspaces.map(({ claim }) => claim)]
  return claims.email === undefined || wanted.some((name) => claimOf(claims, name) === undefined)
}

/**
 * The claims of the ID token, and what the user info adds to them. Whether an address is verified is said of the address beside
 * which it stands, and of no other.
 */
export const mergeClaims = (idToken: Claims, userInfo: Claims): Claims => {
  const { email, email_verified: said } = idToken
  const isOfToken = email !== undefined && (email !== userInfo.email || said !== undefined)
  const source = isOfToken ? idToken : userInfo
  return { ...userInfo, ...idToken, email: source.email, email_verified: source.email_verified }
}

const verifiedEmail = ({ email, email_verified: said }: Claims, { trustEmail }: SignInIssuer): string | undefined => {
  if (typeof email !== 'string') return undefined
  // Some issuers write all claims as texts.
  const isVerified = said === true || said === 'true' || (said === undefined && trustEmail)
  return isVerified ? email.toLowerCase() : undefined
}

const nameOf = (claim: unknown): string | undefined =>
  typeof claim === 'string' && claim !== '' ? claim.slice(0, MAX_NAME) : undefined

const ROLES = ['owner', 'admin', 'member'] as const

const roleOf = (claims: Claims, { roles }: SignInIssuer): Identity['role'] => {
  if (roles === undefined) return undefined
  const values = valuesOf(claims, roles.claim)
  const found = ROLES.find((role) => roles[role]?.some((value) => values.has(value)))
  return found ?? (roles.otherwise === 'refuse' ? 'refused' : 'member')
}

const MIGHT: readonly (WorkspaceRole | undefined)[] = ['admin', 'manager', 'member', undefined]

/** Of several roles in one workspace the mightiest. */
const workspacesOf = (claims: Claims, { workspaces }: SignInIssuer): Identity['workspaces'] => {
  const found = new Map<string, WorkspaceRole | undefined>()
  for (const { claim, value, workspace, role } of workspaces) {
    const held = found.get(workspace)
    const granted = valuesOf(claims, claim).has(value) ? role : undefined
    found.set(workspace, MIGHT.indexOf(granted) < MIGHT.indexOf(held) ? granted : held)
  }
  return found
}

const valuesOf = (claims: Claims, name: string): ReadonlySet<unknown> => {
  const claim = claimOf(claims, name)
  return new Set(Array.isArray(claim) ? claim : [claim])
}

/** By its whole name, which may have dots of its own, or by a path. */
const claimOf = (claims: Claims, name: string): unknown => {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: unknown = claims
  for (const part of name.split('.')) value = isRecord(value) && Object.hasOwn(value, part) ? value[part] : undefined
  return value
}
