import type { Clock, Logger } from '../core/ports.ts'
import { createDeploymentActors } from '../deployments/control/credentials.ts'
import { type DeploymentHub, openDeploymentHub } from '../deployments/control/hub.ts'
import { recordsRoute } from '../deployments/control/records.ts'
import type { DeploymentActors } from '../management/actor.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import type { Store } from '../store/db.ts'
import { VERSION } from '../version.ts'
import { loadOwnMasterKeys, type Surroundings } from './own-store.ts'
import type { OwnRecords } from './records.ts'

export interface ControlPlaneOptions {
  readonly surroundings: Surroundings
  readonly store: Store
  readonly secretBox: SecretBox
  readonly deliver: OwnRecords['deliver']
  readonly clock: Clock
  readonly log: Logger
}

/** What a gateway has for those that get their configuration from it. */
export interface OwnDeployments extends DeploymentHub {
  readonly actors: DeploymentActors
}

/** @throws StoreUnavailable, MasterKeyRefused */
export const openDeployments = async (options: ControlPlaneOptions): Promise<OwnDeployments> => {
  const { surroundings, store, secretBox, deliver, clock, log } = options
  const masterKeys = await loadOwnMasterKeys(surroundings, store)
  const hub = await openDeploymentHub({ store, masterKeys, secretBox, clock, log, version: VERSION })
  const actors = createDeploymentActors({ db: store.db, monotonicMs: () => clock.monotonicMs() })
  const records = recordsRoute({ db: store.db, deliver })
  return { routes: [...hub.routes, records], connected: () => hub.connected(), close: () => hub.close(), actors }
}
