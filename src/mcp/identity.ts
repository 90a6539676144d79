import type { McpCaller, McpHeaders, McpTarget } from '../core/mcp/servers.ts'

/** Who a caller is, as a server behind may be told. */
export interface Identities {
  headersFor(target: McpTarget, caller: McpCaller): McpHeaders | Promise<McpHeaders>
}

/** What of a person is known besides what a call says. */
export interface KnownPerson {
  readonly email?: string | undefined
  readonly name?: string | undefined
}

export interface IdentitiesOptions {
  /** Absent for a caller that is no person who is known here. */
  readonly personOf: (userId: string) => KnownPerson | undefined
  /** Signs claims, for servers that check them with the keys of Weir. */
  readonly sign: (organisationId: string, claims: Readonly<Record<string, unknown>>) => Promise<string>
}

const HEADERS = { claims_header: 'x-user-claims', jwt_header: 'x-user-jwt' } as const

/** Tells servers who calls, where their integration says so (interface, section 10.3). */
export const createIdentities = ({ personOf, sign }: IdentitiesOptions): Identities => ({
  headersFor(target, caller) {
    const { identity } = target
    if (identity === undefined) return []
    if (identity.method === 'bearer') {
      // The token of a client is only passed on where it came from an issuer; a key of Weir never leaves.
      return caller.token === undefined ? [] : [[identity.header ?? 'authorization', `Bearer ${caller.token}`]]
    }
    const claims = claimsOf(caller, caller.userId === undefined ? undefined : personOf(caller.userId))
    const told = Object.fromEntries(Object.entries(claims).filter(([name]) => identity.claims.includes(name)))
    const name = identity.header ?? HEADERS[identity.method]
    if (identity.method === 'claims_header') return [[name, asAscii(JSON.stringify(told))]]
    return sign(target.organisationId, { ...told, aud: target.url }).then((token) => [[name, token]])
  },
})

const claimsOf = (caller: McpCaller, person: KnownPerson | undefined): Readonly<Record<string, unknown>> => {
  const { keyId, keyName, userId, organisationId, workspaceId, scopes } = caller
  const claims = {
    sub: userId ?? keyId,
    email: person?.email,
    username: person?.name ?? person?.email ?? keyName,
    user_id: userId,
    workspace_id: workspaceId,
    organisation_id: organisationId,
    scope: [...scopes].join(' '),
    client_id: keyId,
  }
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined))
}

/** JSON that may stand in a header: all else is escaped. */
const asAscii = (json: string): string =>
  json.replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
