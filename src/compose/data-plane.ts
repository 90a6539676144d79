import type { OperatorConfig } from '../config/schema.ts'
import type { Clock, Logger } from '../core/ports.ts'
import { type ControlPlaneClient, createControlPlaneClient } from '../deployments/ask.ts'
import { type ControlPlane, readControlPlane } from '../deployments/control-plane.ts'
import { type Link, openLink } from '../deployments/data/link.ts'
import { openMirror } from '../deployments/data/mirror.ts'
import { ManagementForbidden, ManagementUnavailable, StoreUnavailable } from '../errors/gateway-error.ts'
import type { KeyDirectory } from '../kit/plugin.ts'
import type { Actors } from '../management/actor.ts'
import type { AnyRoute } from '../management/route.ts'
import type { Store } from '../store/db.ts'
import { createTrustedHosts } from '../upstream/trusted-hosts.ts'
import { VERSION } from '../version.ts'
import { loadOwnMasterKeys, type Surroundings } from './own-store.ts'

export interface DataPlaneOptions {
  readonly surroundings: Surroundings
  readonly config: Pick<OperatorConfig, 'egress' | 'controlPlane'>
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
}

/** What a gateway is that gets its configuration from another one. */
export interface DataPlane {
  /** Keys as calls find them: without a configuration none is known to be wrong. */
  keys(keys: KeyDirectory): KeyDirectory
  /** As `keys`, for management. */
  actors(actors: Actors): Actors
  /** Routes that change something are the control plane's. */
  routes(routes: readonly AnyRoute[]): readonly AnyRoute[]
  /** The part of `/readyz`. */
  readiness(): { readonly ready: boolean; readonly controlPlane: Readonly<Record<string, unknown>> }
  close(): Promise<void>
}

/** A first start waits this long for a configuration, before it says that it has none. */
const FIRST_SNAPSHOT_MS = 10_000

/** The control plane that the environment names, if it names one. @throws ConfigError */
export const controlPlaneOf = (
  { env }: Surroundings,
  { egress }: Pick<OperatorConfig, 'egress'>,
): ControlPlane | undefined => {
  const trusted = createTrustedHosts(egress.trustedHosts)
  return readControlPlane(env, (hostname, port) => trusted.trusts(hostname, port, [hostname]))
}

/** Connects to the control plane. @throws StoreUnavailable, MasterKeyRefused */
export const openDataPlane = async (controlPlane: ControlPlane, options: DataPlaneOptions): Promise<DataPlane> => {
  const { surroundings, config, store, clock, log } = options
  const { url } = controlPlane
  const mirror = await openMirror(store.db, await loadOwnMasterKeys(surroundings, store))
  const client: ControlPlaneClient = createControlPlaneClient(controlPlane, () => clock.monotonicMs())
  const link: Link = openLink({
    ...{ client, mirror, clock, log, url, version: VERSION },
    refusedGraceMs: config.controlPlane.refusedGraceMs,
  })
  await link.ready(FIRST_SNAPSHOT_MS)
  if (!link.state.hasSnapshot) {
    log.warn('no configuration has come from the control plane yet: calls are refused until it has', {
      controlPlane: url,
      reason: link.state.problem,
    })
  }
  return {
    keys: ({ find }) => ({
      find(key) {
        if (link.isServing) return find(key)
        throw new StoreUnavailable('This data plane has no configuration from its control plane yet.', {
          retryAfterMs: 1_000,
        })
      },
    }),
    actors: (actors) => ({
      find(token) {
        if (link.isServing) return actors.find(token)
        throw new ManagementUnavailable('This data plane has no configuration from its control plane yet.', {
          retryAfterMs: 1_000,
        })
      },
    }),
    routes: (routes) => routes.map((route) => (route.changes ? { ...route, handle: () => refuse(url) } : route)),
    readiness: () => {
      const { isConnected, hasSnapshot, hasEnded, ageMs, problem } = link.state
      return {
        ready: hasSnapshot && !hasEnded,
        controlPlane: {
          url,
          ok: isConnected,
          configured: hasSnapshot,
          ...(hasEnded ? { ended: true } : {}),
          ...(ageMs === undefined ? {} : { ageMs: Math.round(ageMs) }),
          ...(isConnected ? {} : { problem }),
        },
      }
    },
    async close() {
      await link.close()
      client.close()
    },
  }
}

const refuse = (url: string): never => {
  throw new ManagementForbidden(`This gateway is a data plane: changes are made at its control plane, ${url}.`)
}
