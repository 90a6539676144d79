import { publicBaseOf } from '../config/public-base.ts'
import type { OperatorConfig } from '../config/schema.ts'
import type { McpGateway } from '../core/mcp/ask.ts'
import type { Clock, Logger } from '../core/ports.ts'
import { errorFields } from '../errors/error-fields.ts'
import type { AppsDeps } from '../management/apps/deps.ts'
import { createForeignCallers, type ForeignCallers } from '../mcp/callers/callers.ts'
import { createMcpProbe } from '../mcp/create-probe.ts'
import { createMcpGateway } from '../mcp/gateway.ts'
import { createIdentities, type KnownPerson } from '../mcp/identity.ts'
import { createIdentityKeys } from '../mcp/identity-keys.ts'
import { createSeenKeeper } from '../mcp/keep-seen.ts'
import { askJson } from '../mcp/logins/ask-json.ts'
import { createUserLogins } from '../mcp/logins/user-logins.ts'
import type { McpProbe } from '../mcp/probe.ts'
import { createMcpServers } from '../mcp/servers.ts'
import { createServiceTokens } from '../mcp/service-tokens.ts'
import { createSessionTokens } from '../mcp/session-token.ts'
import { createSseBridge } from '../mcp/sse-bridge.ts'
import { createIssuerAsking } from '../people/sign-in/ask-issuer.ts'
import { FLOW_SECONDS } from '../people/sign-in/flow.ts'
import type { SecretReferences } from '../secret-managers/secret-references.ts'
import { createOwnSeal, createPassingSeal } from '../secrets/own-seal.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import type { Store } from '../store/db.ts'
import { createMcpSnapshot } from '../store/memory/mcp-snapshot.ts'
import type { PeopleSnapshot, Person } from '../store/memory/people-snapshot.ts'
import { createLogins } from '../upstream/logins.ts'
import { createResolver } from '../upstream/resolver.ts'
import { createTrustedHosts, trustsAddress } from '../upstream/trusted-hosts.ts'
import { createUpstream } from '../upstream/upstream.ts'
import { VERSION } from '../version.ts'
import { loadOwnMasterKeys, type Surroundings } from './own-store.ts'

export interface OpenedMcp {
  readonly gateway: McpGateway
  /** Who comes with tokens of others. */
  readonly callers: ForeignCallers
  /** What letting users agree at servers needs. */
  readonly logins: McpLoginDeps
  readonly probe: McpProbe
  close(): Promise<void>
}

/** Of whoever mounts the ways there and back. */
export type McpLoginDeps = Pick<AppsDeps, 'userLogins' | 'begunLogins' | 'serverById' | 'serversAt'>

export interface McpOptions {
  readonly store: Store
  readonly secretBox: SecretBox
  /** Secrets that are kept elsewhere. */
  readonly references: SecretReferences
  readonly people: PeopleSnapshot
  readonly surroundings: Surroundings
  readonly config: OperatorConfig
  readonly clock: Clock
  readonly log: Logger
  readonly randomId: () => string
}

const RESOLVE_TIMEOUT_MS = 5_000
/** Milliseconds between two looks for sessions that nobody uses. */
const SWEEP_MS = 60_000

/** MCP servers of all workspaces, and the one way out to them. @throws StoreUnavailable */
export const openMcp = async (options: McpOptions): Promise<OpenedMcp> => {
  const { surroundings, store, secretBox, references, people, config, clock, log, randomId } = options
  const onError = (error: unknown): void =>
    log.warn('MCP servers could not be read anew; what was read last stays in use', errorFields(error))
  const snapshot = await createMcpSnapshot(store, { onError })
  const now = (): number => clock.monotonicMs()
  const masterKeys = await loadOwnMasterKeys(surroundings, store)
  const resolver = createResolver({ now, timeoutMs: RESOLVE_TIMEOUT_MS })
  const trusted = createTrustedHosts(config.egress.trustedHosts)
  const upstream = createUpstream({ resolver, trusted, now })
  const logins = createLogins({ upstream, resolver, trusted, now, environment: {} })
  const tokens = createServiceTokens(logins, clock.now)
  const isTrusted = (address: URL): boolean => trustsAddress(trusted, address)
  const login = { now: clock.now, lifeMs: FLOW_SECONDS * 1_000 }
  const send = createIssuerAsking(upstream)
  const userLogins = await createUserLogins({
    ...{ store, secretBox, log, onError, isTrusted, send, ask: askJson(send), now: clock.now, monotonicMs: now },
    tickets: createPassingSeal(masterKeys, 'mcp tickets', login),
    publicBase: () => publicAddressOf(config),
  })
  // The same on all processes: any of them may go on with a session.
  const sessions = createSessionTokens(createOwnSeal(masterKeys, 'mcp sessions'))
  const seen = createSeenKeeper(store.db, log)
  const bridge = createSseBridge({ upstream, tokens: sessions, randomId, monotonicMs: now, version: VERSION })
  const sweeping = setInterval(() => bridge.sweep(), SWEEP_MS)
  sweeping.unref()
  const keys = createIdentityKeys({ db: store.db, secretBox, now: clock.now })
  return {
    gateway: createMcpGateway({
      servers: createMcpServers({ snapshot, secretBox, references, tokens, logins: userLogins, seen: seen.seen }),
      ...{ upstream, tokens: sessions, bridge, version: VERSION },
      identities: createIdentities({ personOf: (userId) => toKnown(people.find(userId)), sign: keys.sign }),
    }),
    callers: createForeignCallers({ snapshot, secretBox, ask: askJson(send), now: clock.now }),
    logins: {
      userLogins,
      begunLogins: createPassingSeal(masterKeys, 'mcp logins', login),
      serverById: snapshot.byId,
      serversAt: snapshot.at,
    },
    probe: createMcpProbe({ upstream, secretBox, references, tokens, monotonicMs: now, version: VERSION }),
    async close() {
      clearInterval(sweeping)
      bridge.close()
      await seen.close()
      await userLogins.close()
      await snapshot.close()
      logins.close()
      upstream.close()
    },
  }
}

const toKnown = (person: Person | undefined): KnownPerson | undefined =>
  person && {
    email: person.email,
    name: [person.firstName, person.lastName].filter((part) => part !== null && part !== '').join(' ') || undefined,
  }

/** Where clients find MCP servers, as far as that is known without a request. */
export const mcpBaseOf = (config: OperatorConfig): string => `${publicAddressOf(config)}/mcp`

const publicAddressOf = ({ server }: OperatorConfig): string => {
  const { host, port } = server
  return publicBaseOf(server, `http://${host.includes(':') ? `[${host}]` : host}:${port}`)
}
