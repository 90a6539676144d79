import type { OperatorConfig } from '../config/schema.ts'
import type { McpServers } from '../core/mcp/servers.ts'
import type { Clock, Logger } from '../core/ports.ts'
import type { CalledPlace } from '../kit/plugin.ts'
import type { SessionActors } from '../management/actor.ts'
import { challengeOf } from '../management/apps/challenge.ts'
import type { AskedOfPerson } from '../management/apps/deps.ts'
import { otherIssuerOf } from '../management/apps/metadata.ts'
import { mountApps } from '../management/apps/mount.ts'
import type { AddPath } from '../management/mount.ts'
import { mountSignIn } from '../management/sign-in/mount.ts'
import type { SignInDeps } from '../management/sign-in/serve.ts'
import type { AccessTokens } from '../management/tokens/access-tokens.ts'
import { createSessionActors, type SessionActorsDeps } from '../management/tokens/session-actors.ts'
import { readMcpPlace } from '../mcp/place.ts'
import { createAppDocuments } from '../people/apps/documents.ts'
import { createRegistrations } from '../people/apps/registrations.ts'
import { createCsrfTokens } from '../people/sessions/csrf.ts'
import { ownAddress } from '../people/sessions/origin.ts'
import { createAttempts } from '../people/sign-in/attempts.ts'
import { createFlowSeal, FLOW_SECONDS } from '../people/sign-in/flow.ts'
import { createIssuers } from '../people/sign-in/issuers.ts'
import type { MasterKeys } from '../secrets/master-key.ts'
import { createPassingSeal } from '../secrets/own-seal.ts'
import type { Store } from '../store/db.ts'
import type { PeopleSnapshot } from '../store/memory/people-snapshot.ts'
import { createSessionCache } from '../store/memory/session-cache.ts'
import { createTrustedHosts, trustsAddress } from '../upstream/trusted-hosts.ts'
import type { ClosableUpstream } from './issuer-upstream.ts'
import type { McpLoginDeps } from './mcp.ts'

const HOUR_MS = 3_600_000

/** Sessions of browsers and the ways to one. Outlives a change of the config. */
export interface SignIn {
  readonly sessions: SessionActors
  /** Milliseconds without use after which a session is over, by the current config. */
  readonly idleMs: () => number
  /** The ways in and out, for people and for apps that act for them, by a config that is from now on the current one. */
  waysOf(
    config: OperatorConfig,
    arrivalOf: SignInDeps['arrivalOf'],
    mcp: { readonly gateway: McpServers; readonly logins: McpLoginDeps },
  ): (add: AddPath) => void
  /** What a call without a good token is told of where to get one; undefined where there is none to be had. */
  challenge(place: CalledPlace, broughtOne: boolean): string | undefined
  close(): Promise<void>
}

export interface SignInOptions extends Pick<SessionActorsDeps, 'workspaces' | 'actorOfKey'> {
  readonly people: PeopleSnapshot
  readonly tokens: AccessTokens
  readonly store: Store
  readonly masterKeys: MasterKeys
  readonly config: OperatorConfig
  readonly keys: SignInDeps['keys']
  /** The way to issuers, by the trusted hosts of a config. */
  readonly upstreamOf: (config: OperatorConfig) => ClosableUpstream
  readonly clock: Clock
  readonly log: Logger
  readonly randomId: () => string
  readonly onError: (error: unknown) => void
}

/** @throws StoreUnavailable */
export const openSignIn = async (options: SignInOptions): Promise<SignIn> => {
  const { store, masterKeys, keys, upstreamOf, clock, log, randomId, onError, people, workspaces, actorOfKey, tokens } =
    options
  const monotonicMs = (): number => clock.monotonicMs()
  let current = options.config
  let upstream: ClosableUpstream | undefined
  let serversAt: McpLoginDeps['serversAt'] | undefined
  const idleMs = (): number => current.signIn.sessionIdleHours * HOUR_MS
  const cache = await createSessionCache(store, { idleMs, onError, now: clock.now, monotonicMs })
  const csrf = createCsrfTokens(masterKeys)
  const flows = createFlowSeal(masterKeys, clock.now)
  const attempts = createAttempts({ now: monotonicMs })
  const registrations = createRegistrations(masterKeys)
  const asked = createPassingSeal<AskedOfPerson>(masterKeys, 'asked by apps', {
    now: clock.now,
    lifeMs: FLOW_SECONDS * 1_000,
  })
  const publicUrl = (): string | undefined => current.server.publicUrl
  const sessions = createSessionActors({ sessions: cache, csrf, publicUrl, people, workspaces, actorOfKey })

  return {
    sessions,
    idleMs,
    waysOf(config, arrivalOf, mcp) {
      current = config
      serversAt = mcp.logins.serversAt
      upstream?.close()
      upstream = upstreamOf(config)
      const trusted = createTrustedHosts(config.egress.trustedHosts)
      const isTrusted = (address: URL): boolean => trustsAddress(trusted, address)
      const issuers = createIssuers(config.signIn.issuers, { upstream, isTrusted, clock, log })
      const { basePath, publicUrl } = config.server
      const deps: SignInDeps = {
        ...{ db: store.db, issuers, attempts, flows, csrf, keys, clock, log, randomId, arrivalOf, basePath, publicUrl },
        sessionMaxHours: config.signIn.sessionMaxHours,
      }
      const documents = createAppDocuments({ upstream, isTrusted, clock })
      return (add) => {
        mountSignIn(add, deps, sessions)
        mountApps(add, {
          ...deps,
          sessions,
          registrations,
          documents,
          asked,
          people,
          servers: mcp.gateway,
          tokens,
          ...mcp.logins,
        })
      }
    },
    challenge({ path, headers }, broughtOne) {
      const { basePath, publicUrl } = current.server
      const own = ownAddress({ url: `http://${headers.get('host') ?? ''}/` }, { basePath, publicUrl })
      const resource = path.slice(basePath.length)
      const place = readMcpPlace(resource)
      if (own === undefined || place === undefined) return undefined
      const canSignIn = current.signIn.issuers.length > 0
      if (!canSignIn && (serversAt === undefined || otherIssuerOf({ serversAt }, place) === undefined)) return undefined
      return challengeOf(own, resource, broughtOne)
    },
    async close() {
      upstream?.close()
      await cache.close()
    },
  }
}
