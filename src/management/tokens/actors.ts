import type { OwnedBudgets } from '../../core/budgets.ts'
import { defined } from '../../core/defined.ts'
import type { OwnedLimits } from '../../core/limits.ts'
import type { Clock } from '../../core/ports.ts'
import {
  ExpiredApiKey,
  InvalidApiKey,
  ManagementForbidden,
  ManagementUnauthorized,
  ScopeMissing,
} from '../../errors/gateway-error.ts'
import type { Principal } from '../../kit/slots.ts'
import type { ForeignCaller } from '../../mcp/callers/callers.ts'
import { MCP_SCOPE } from '../../mcp/place.ts'
import { actorOfUser } from '../../people/actor-of-user.ts'
import type { LiveApiKey } from '../../store/memory/live-keys.ts'
import type { Person } from '../../store/memory/people-snapshot.ts'
import type { AppGrant } from '../../store/objects/app-grants.ts'
import type { RateLimit, UsageLimits } from '../../store/schema/own-limits.ts'
import type { RequestDefaults } from '../../store/schema/tenancy.ts'
import type { Actor, Actors } from '../actor.ts'
import { toOwnedBudgets } from '../own-budgets/own-budgets.ts'
import type { AccessToken, AccessTokens, GrantToken, KeyToken } from './access-tokens.ts'
import type { ExternalToken, ExternalTokens } from './jwt.ts'
import { andThen, type MaybePromise } from './maybe-promise.ts'

/** Who a token stands for, as the data plane sees it. */
export interface FoundPrincipal {
  readonly principal: Principal
  /** Milliseconds since 1970 from which it is refused: of the key or of the token, whichever is first. */
  readonly expiresAtMs?: number
  /** What requests get that do not bring their own. */
  readonly defaults?: RequestDefaults
  /** Limits of the key and of its workspace. */
  readonly limits?: readonly OwnedLimits[]
  /** Budgets of the key and of its workspace. */
  readonly budgets?: readonly OwnedBudgets[]
  /** The token is one of an issuer of the operator's. */
  readonly isIssued?: true
}

export interface PrincipalFinder {
  /**
   * Finds who an API key, an access token or a foreign token stands for. Touches no store for one that was seen before.
   * @param resourcePath what is called, for tokens that are good for one thing alone: behind the address of the gateway
   * @returns undefined for one that is unknown, revoked, or meant for something else; the caller looks at `expiresAtMs`
   * @throws ExpiredApiKey for a foreign token that has expired; InvalidApiKey for one whose limits cannot be read
   * @throws ScopeMissing for a key whose workspace is archived, or a foreign token whose workspace is that, does not
   * exist or is not named
   * @throws StoreUnavailable when the store or the issuer would have to be asked and does not answer
   */
  findPrincipal(token: string, resourcePath?: string): MaybePromise<FoundPrincipal | undefined>
  /** Who a stored key stands for, by its id. */
  findKey(id: string): MaybePromise<FoundPrincipal | undefined>
  /** The same as management calls see it; undefined for one that is over. */
  actorOfKey(id: string): MaybePromise<Actor | undefined>
}

/** An active workspace. */
export interface NamedWorkspace {
  readonly id: string
  readonly defaults: RequestDefaults | null
  readonly rateLimits?: readonly RateLimit[] | null
  readonly usageLimits?: readonly UsageLimits[] | null
}

interface Lookup<Row = LiveApiKey> {
  find(name: string): MaybePromise<Row | undefined>
}

/** Where grants are looked up, and the people who gave them. */
export interface GrantSources {
  readonly grants: Lookup<AppGrant>
  /** Undefined for somebody who is not, or no longer, active. */
  readonly people: {
    find(userId: string): Person | undefined
    /** For somebody who may be too new to be in memory. */
    lookUp(userId: string): Promise<Person | undefined>
  }
}

/** Where the three kinds of token are looked up. */
export interface ActorSources {
  /** Keys by themselves, none that is revoked. */
  readonly keys: Lookup
  /** Keys by their ids, none that is revoked. */
  readonly keysById: Lookup
  readonly tokens: AccessTokens
  /** Absent: no tokens of apps are accepted. */
  readonly apps?: GrantSources
  /** Absent: no foreign tokens are accepted. */
  readonly jwt?: ExternalTokens
  /** By id or slug; needed for foreign tokens only. */
  readonly workspaces?: {
    find(organisationId: string, reference: string): NamedWorkspace | undefined
  }
  readonly clock: Pick<Clock, 'now'>
}

/** One finder for all kinds of token, the same on both planes. */
export const createActors = (sources: ActorSources): Actors & PrincipalFinder => {
  const { keys, keysById, tokens, apps, jwt, workspaces, clock } = sources
  const ofRecords = new WeakMap<LiveApiKey, FoundPrincipal>()
  const ofTokens = new WeakMap<KeyToken, { readonly record: LiveApiKey; readonly found: FoundPrincipal }>()
  const ofForeign = new WeakMap<ExternalToken, { readonly row: NamedWorkspace; readonly found: FoundPrincipal }>()

  /** Made once, and as old as the record that the store shares. */
  const fromRecord = (record: LiveApiKey | undefined): FoundPrincipal | undefined => {
    if (record === undefined || record.status === 'revoked') return undefined
    if (record.workspace?.status === 'archived') throw new ScopeMissing('The workspace of the key is archived.')
    const known = ofRecords.get(record)
    if (known !== undefined) return known
    const found = toFound(record)
    ofRecords.set(record, found)
    return found
  }

  const fromKeyToken = (token: KeyToken, record: LiveApiKey | undefined): FoundPrincipal | undefined => {
    const whole = fromRecord(record)
    if (whole === undefined || record === undefined) return undefined
    const known = ofTokens.get(token)
    if (known?.record === record) return known.found
    const found = narrowed(whole, token)
    ofTokens.set(token, { record, found })
    return found
  }

  const ofGrants = new WeakMap<GrantToken, { readonly made: readonly object[]; readonly found: FoundPrincipal }>()

  const fromGrant = (token: GrantToken, grant: AppGrant, person: Person | undefined): FoundPrincipal | undefined => {
    const workspace = workspaces?.find(grant.organisationId, grant.workspaceId)
    if (person === undefined || workspace === undefined) return undefined
    const made = [grant, person, workspace]
    const known = ofGrants.get(token)
    // People and workspaces are read anew when one of them has changed.
    if (known?.made.every((each, index) => each === made[index])) return known.found
    const found = granted(token, grant, person, workspace)
    if (found !== undefined) ofGrants.set(token, { made, found })
    return found
  }

  const fromAccessToken = (
    token: AccessToken,
    resourcePath: string | undefined,
  ): MaybePromise<FoundPrincipal | undefined> =>
    'grantId' in token
      ? andThen(apps?.grants.find(token.grantId), (grant) =>
          grant === undefined || grant.resourcePath !== resourcePath
            ? undefined
            : andThen(apps?.people.find(grant.userId) ?? apps?.people.lookUp(grant.userId), (person) =>
                fromGrant(token, grant, person),
              ),
        )
      : andThen(keysById.find(token.keyId), (record) => fromKeyToken(token, record))

  const fromExternal = (token: ExternalToken): FoundPrincipal => {
    const { organisationId, workspace } = token
    if (workspace === undefined) {
      throw new ScopeMissing('The token names no workspace: it needs the claim `workspace` or `workspace_slug`.')
    }
    const row = workspaces?.find(organisationId, workspace)
    if (row === undefined) throw new ScopeMissing('The workspace that the token names does not exist.')
    const known = ofForeign.get(token)
    // Rows are read anew when one of them has changed.
    if (known?.row === row) return known.found
    const found = foreign(token, row)
    ofForeign.set(token, { row, found })
    return found
  }

  const findPrincipal = (token: string, resourcePath?: string): MaybePromise<FoundPrincipal | undefined> => {
    switch (kindOf(token)) {
      case 'key':
        return andThen(keys.find(token), fromRecord)
      case 'access-token':
        return andThen(tokens.verify(token), (access) => access && fromAccessToken(access, resourcePath))
      case 'foreign':
        return andThen(jwt?.verify(token), (external) => (external === undefined ? undefined : fromExternal(external)))
    }
  }

  const findKey = (id: string): MaybePromise<FoundPrincipal | undefined> => andThen(keysById.find(id), fromRecord)

  const asActor = (found: FoundPrincipal | undefined): Actor | undefined => {
    if (found === undefined) return undefined
    const { principal, expiresAtMs } = found
    return expiresAtMs !== undefined && expiresAtMs <= clock.now() ? undefined : toActor(principal)
  }

  return {
    findPrincipal,
    findKey,
    actorOfKey: (id) => andThen(findKey(id), asActor),
    find: async (token) => asActor(await forManagement(async () => findPrincipal(token))),
  }
}

/** What `createAccessTokens` puts in front of a token, in base64url: `{"alg":"HS256",`. */
const OWN_HEADER = Buffer.from('{"alg":"HS256",').toString('base64url')
const JWT_FORM = /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/

/** By its form alone: nothing is parsed before it is verified. Our own tokens are the only symmetric ones. */
const kindOf = (token: string): 'key' | 'access-token' | 'foreign' => {
  if (!JWT_FORM.test(token)) return 'key'
  return token.startsWith(OWN_HEADER) ? 'access-token' : 'foreign'
}

const toFound = (record: LiveApiKey): FoundPrincipal => {
  const principal: Principal = {
    keyId: record.id,
    keyName: record.name,
    kind: record.kind,
    organisationId: record.organisationId,
    scopes: new Set(record.scopes),
    ...(record.workspaceId === null ? {} : { workspaceId: record.workspaceId }),
    ...(record.userId === null ? {} : { userId: record.userId }),
    ...(record.logs?.bodies === undefined ? {} : { bodies: record.logs.bodies }),
  }
  return {
    principal,
    ...withDefaults(record.workspace?.defaults, record.defaults),
    ...withLimits([
      { owner: 'api_key', id: record.id, limits: record.rateLimits ?? [] },
      { owner: 'workspace', id: record.workspace?.id ?? '', limits: record.workspace?.rateLimits ?? [] },
    ]),
    ...toOwnedBudgets(
      ['api_key', record.id, record.usageLimits && [record.usageLimits]],
      ['workspace', record.workspace?.id ?? '', record.workspace?.usageLimits],
    ),
    ...(record.status === 'expired' ? { expiresAtMs: 0 } : {}),
    ...(record.status !== 'expired' && record.expiresAt !== null ? { expiresAtMs: record.expiresAt.getTime() } : {}),
  }
}

/** A token never outlives its key and never may more than it. */
const narrowed = (whole: FoundPrincipal, { scopes, expiresAtMs }: KeyToken): FoundPrincipal => ({
  ...whole,
  principal:
    scopes === undefined
      ? whole.principal
      : { ...whole.principal, scopes: new Set([...whole.principal.scopes].filter((scope) => scopes.has(scope))) },
  expiresAtMs: Math.min(expiresAtMs, whole.expiresAtMs ?? expiresAtMs),
})

/** @returns undefined for somebody who is not in the workspace any more */
const granted = (
  { expiresAtMs }: GrantToken,
  grant: AppGrant,
  person: Person,
  workspace: NamedWorkspace,
): FoundPrincipal | undefined => {
  const acting = actorOfUser(person, workspace.id)
  if (acting === undefined) return undefined
  const { id, organisationId, userId, clientName } = grant
  return {
    principal: {
      keyId: id,
      keyName: clientName,
      kind: 'workspace-user',
      organisationId,
      workspaceId: workspace.id,
      userId,
      isForeign: true,
      scopes: new Set(grant.scopes.filter((scope) => acting.scopes.has(scope))),
    },
    expiresAtMs,
    ...withDefaults(workspace.defaults, undefined),
    ...withLimits([{ owner: 'workspace', id: workspace.id, limits: workspace.rateLimits ?? [] }]),
    ...toOwnedBudgets(['workspace', workspace.id, workspace.usageLimits]),
  }
}

const foreign = (token: ExternalToken, workspace: NamedWorkspace): FoundPrincipal => {
  const { organisationId, scopes, userId, expiresAtMs, defaults, usageLimits, rateLimits } = token
  const subject = userId ?? 'external token'
  return {
    principal: defined({
      keyId: subject,
      keyName: subject,
      kind: 'workspace-user',
      organisationId,
      workspaceId: workspace.id,
      isForeign: true,
      scopes,
      userId,
    }),
    expiresAtMs,
    isIssued: true,
    ...withDefaults(workspace.defaults, defaults),
    // All tokens of one subject share its counts; those without a subject share one.
    ...withLimits([
      { owner: 'api_key', id: subject, limits: rateLimits ?? [] },
      { owner: 'workspace', id: workspace.id, limits: workspace.rateLimits ?? [] },
    ]),
    ...toOwnedBudgets(['api_key', subject, usageLimits], ['workspace', workspace.id, workspace.usageLimits]),
  }
}

/** Somebody who came with a token that one MCP server takes, for that server alone. */
export const toForeignCaller = (
  { record: { server }, subject, token, expiresAtMs }: ForeignCaller,
  workspace: NamedWorkspace,
): FoundPrincipal & { readonly issuedToken: string } => ({
  principal: {
    keyId: subject,
    keyName: subject,
    kind: 'workspace-user',
    organisationId: server.organisationId,
    workspaceId: workspace.id,
    userId: subject,
    isForeign: true,
    scopes: new Set([MCP_SCOPE]),
  },
  expiresAtMs,
  isIssued: true,
  issuedToken: token,
  ...withDefaults(workspace.defaults, undefined),
  ...withLimits([{ owner: 'workspace', id: workspace.id, limits: workspace.rateLimits ?? [] }]),
  ...toOwnedBudgets(['workspace', workspace.id, workspace.usageLimits]),
})

const withLimits = (limits: readonly OwnedLimits[]): Pick<FoundPrincipal, 'limits'> => {
  const given = limits.filter((owned) => owned.limits.length > 0)
  return given.length === 0 ? {} : { limits: given }
}

/** What the key or token says wins over its workspace, but for metadata, where the workspace wins (behaviours, 1.4). */
const withDefaults = (
  ofWorkspace: RequestDefaults | null | undefined,
  own: RequestDefaults | null | undefined,
): Pick<FoundPrincipal, 'defaults'> => {
  const defaults = { ...ofWorkspace, ...own }
  const metadata = { ...own?.metadata, ...ofWorkspace?.metadata }
  if (Object.keys(metadata).length > 0) return { defaults: { ...defaults, metadata } }
  return Object.keys(defaults).length === 0 ? {} : { defaults }
}

const toActor = ({ keyId, keyName, kind, organisationId, workspaceId, userId, scopes }: Principal): Actor =>
  defined({ kind, id: keyId, name: keyName, organisationId, scopes, workspaceId, userId })

/** Puts refusals into the words of the management interface. */
const forManagement = async <Value>(work: () => Promise<Value>): Promise<Value> => {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof ExpiredApiKey || thrown instanceof InvalidApiKey)
      throw new ManagementUnauthorized(thrown.message, { cause: thrown })
    if (thrown instanceof ScopeMissing) throw new ManagementForbidden(thrown.message, { cause: thrown })
    throw thrown
  }
}
