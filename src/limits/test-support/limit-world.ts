import type { LogFields, Logger } from '../../core/ports.ts'
import type { LimitCharge, LimitStore } from '../away/limit-store.ts'
import { createLimitStore } from '../away/shared-limit-store.ts'
import { createMemoryStore, type MemoryStore } from '../ring/memory-store.ts'
import type { Settlement } from '../ring/ring-store.ts'
import { grainOf } from '../ring/units.ts'
import { createManualTime, type ManualTime } from './manual-time.ts'
import { createScriptedStore, type ScriptedStore } from './scripted-store.ts'

export interface LimitWorld {
  readonly time: ManualTime
  readonly shared: ScriptedStore
  readonly memory: MemoryStore
  readonly store: LimitStore
  readonly lines: { readonly level: string; readonly message: string; readonly fields: LogFields }[]
  /** Makes the shared store fail until it is no longer asked. */
  fallAway(error?: Error): Promise<void>
  /** Lets it answer again, and waits for the next probe. */
  comeBack(): Promise<void>
}

/** The store under test, before a shared store that a test has in its hands. */
export const createLimitWorld = (
  replicas: () => number = () => 1,
  { leases = false }: { readonly leases?: boolean } = {},
): LimitWorld => {
  const time = createManualTime()
  const { now } = time.clock
  const shared = createScriptedStore(now)
  const memory = createMemoryStore({ now })
  const lines: LimitWorld['lines'] = []
  const at =
    (level: string) =>
    (message: string, fields: LogFields = {}): void =>
      void lines.push({ level, message, fields })
  const log: Logger = { info: at('info'), warn: at('warn'), error: at('error') }
  const store = createLimitStore({
    memory,
    shared: shared.store,
    clock: time.clock,
    log,
    replicas,
    leases,
    timers: time.timers,
  })
  return {
    time,
    shared,
    memory,
    store,
    lines,
    async fallAway(error = new Error('Connection is closed.')) {
      shared.mode = error
      // Nothing of it is counted anywhere.
      for (let call = 0; call < 5; call += 1) await store.admit([chargeOf({ group: 'nobody', onStoreFailure: 'open' })])
    },
    async comeBack() {
      shared.mode = 'answer'
      await time.advance(500)
    },
  }
}

export interface ChargeOptions extends Partial<Omit<LimitCharge, 'key'>> {
  readonly group?: string
  readonly workspaceId?: string
}

/** A requests limit of 10 per minute, unless said otherwise. */
export const chargeOf = ({
  group = 'group',
  workspaceId = 'workspace',
  ...charge
}: ChargeOptions = {}): LimitCharge => {
  const limit = charge.limit ?? 10
  return {
    key: { workspaceId, limitId: 'policy', unit: 'rpm', group, label: `["${group}"]` },
    limit,
    weight: 1,
    shadow: false,
    grain: grainOf('rpm', limit, charge.shadow ?? false),
    onStoreFailure: 'local',
    ...charge,
  }
}

export const settlementOf = ({ key, grain }: LimitCharge, index: number, delta: number): Settlement => ({
  key,
  index,
  delta,
  grain,
})

/** Calls with these charges until one is refused. @returns how many were admitted */
export const fill = async ({ store }: LimitWorld, charge = chargeOf()): Promise<number> => {
  let admitted = 0
  while ((await store.admit([charge])).admitted) admitted += 1
  return admitted
}

/** Asks while the shared store hangs, and waits for the deadline. */
export const callIntoSilence = async (world: LimitWorld, charges = [chargeOf()]) => {
  world.shared.mode = 'hang'
  const admission = world.store.admit(charges)
  // Refusals are looked at by the test that expects them.
  Promise.resolve(admission).catch(() => undefined)
  await world.time.advance(40)
  world.shared.mode = 'answer'
  return admission
}
