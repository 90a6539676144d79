import type { BudgetClaim, Counter } from '../../../../../src/budgets/counter.ts'
import type { Clock, LogFields, Logger } from '../../../../../src/core/ports.ts'
import {
  type LimitAdmission,
  type LimitCharge,
  type LimitStore,
  StoreFailedClosed,
} from '../../../../../src/limits/away/limit-store.ts'
import { createLimitStore } from '../../../../../src/limits/away/shared-limit-store.ts'
import { createRedisStore, type RedisStore } from '../../../../../src/limits/redis/redis-store.ts'
import { createMemoryStore } from '../../../../../src/limits/ring/memory-store.ts'
import type { TestCounter } from '../../../../../src/limits/test-support/claims.ts'
import { connectRedis } from '../../../../../src/store/redis.ts'
import { eventually } from '../../../../support/start-process.ts'

/** Commands are given up as late as in the gateway. */
const COMMAND_TIMEOUT_MS = 2_000
const CONNECT_TIMEOUT_MS = 5_000
/** Calls that are under way at the same time. */
const WORKERS = 8
/** Milliseconds a worker rests between two calls: without it, calls decided here would not let anything else run. */
const REST_MS = 4
/** Generous: another process may have the processor, and the bound of the design is looked at by its benchmark. */
const WORST_MS = 1_000

export const CLOCK: Clock = { now: () => Date.now(), monotonicMs: () => performance.now() }

/** What came of calls that were made while something happened. */
export interface Traffic {
  readonly admitted: number
  readonly refused: number
  readonly closed: number
  readonly origins: Readonly<Record<'shared' | 'local' | 'open', number>>
  /** Milliseconds that each call waited, in ascending order. */
  readonly waitsMs: readonly number[]
}

/** The store of a gateway on a real connection. */
export interface FaultRig {
  readonly store: LimitStore
  readonly shared: RedisStore
  readonly lines: { readonly message: string; readonly fields: LogFields }[]
  /**
   * Makes calls from several workers until `meanwhile` is over. Each spends a third of what it claims, and as much of a
   * budget that holds nothing back.
   */
  callDuring(charge: LimitCharge, meanwhile: () => Promise<unknown>, claims?: readonly TestClaim[]): Promise<Traffic>
  /** What the server itself counts. */
  used(charge: LimitCharge): Promise<number>
  /** Waits until limits are counted there. Fails the test when they are not in time. */
  until(state: LimitStore['state']): Promise<void>
  close(): Promise<void>
}

/** A claim of a budget whose counts a test has in its hands. */
export interface TestClaim extends BudgetClaim {
  readonly counter: TestCounter
}

export interface FaultRigOptions {
  /** Milliseconds that a call waits. */
  readonly deadlineMs?: number
  /** Whether calls that are far from their limit go ahead by what was leased. */
  readonly leases?: boolean
}

export const startFaultRig = async (
  port: number,
  { deadlineMs = 40, leases = false }: FaultRigOptions = {},
): Promise<FaultRig> => {
  const connection = await connectRedis(`redis://127.0.0.1:${port}`, {
    timeoutMs: CONNECT_TIMEOUT_MS,
    commandTimeoutMs: COMMAND_TIMEOUT_MS,
  })
  const shared = createRedisStore({ client: connection.client, kind: connection.kind })
  const lines: FaultRig['lines'] = []
  const write = (message: string, fields: LogFields = {}): void => void lines.push({ message, fields })
  const log: Logger = { info: write, warn: write, error: write }
  const listeners: ((counter: Counter) => void)[] = []
  const store = createLimitStore({
    counters: { onChange: (listener) => void listeners.push(listener) },
    memory: createMemoryStore({ now: CLOCK.now }),
    shared,
    clock: CLOCK,
    log,
    deadlineMs,
    replicas: () => 1,
    leases,
  })

  const spend = ({ counter, weight }: TestClaim): void => {
    counter.pending += Math.max(3, weight / 3)
    for (const listener of listeners) listener(counter)
  }

  const callDuring = async (
    charge: LimitCharge,
    meanwhile: () => Promise<unknown>,
    claims: readonly TestClaim[] = [],
  ): Promise<Traffic> => {
    const tally = { admitted: 0, refused: 0, closed: 0 }
    const origins = { shared: 0, local: 0, open: 0 }
    const waitsMs: number[] = []
    let isOver = false
    const work = async (): Promise<void> => {
      while (!isOver) {
        const startedMs = performance.now()
        let admission: LimitAdmission | undefined
        try {
          admission = await store.admit([charge], claims)
          const { admitted, origin } = admission
          tally[admitted ? 'admitted' : 'refused'] += 1
          origins[origin] += 1
        } catch (error) {
          if (!(error instanceof StoreFailedClosed)) throw error
          tally.closed += 1
        }
        waitsMs.push(performance.now() - startedMs)
        await Bun.sleep(REST_MS)
        if (admission?.admitted !== true) continue
        for (const { hold } of admission.budgets) if (hold !== undefined) store.release(hold)
        for (const claim of claims) spend(claim)
      }
    }
    const working = Promise.all(Array.from({ length: WORKERS }, work))
    try {
      await meanwhile()
    } finally {
      isOver = true
    }
    await working
    return { ...tally, origins, waitsMs: waitsMs.toSorted((left, right) => left - right) }
  }

  return {
    store,
    shared,
    lines,
    callDuring,
    async used(charge) {
      const { verdicts } = await shared.peek([{ ...charge, weight: 0 }])
      return verdicts[0]?.used ?? Number.NaN
    },
    async until(state) {
      if (!(await eventually(async () => store.state === state, 15_000))) {
        throw new Error(`limits did not become ${state}: ${JSON.stringify(lines)}`)
      }
    },
    async close() {
      await store.close()
      await connection.close()
    },
  }
}

/** Of so many calls an hour: nothing leaves the window while a test runs. */
export const chargeOf = (limit: number, onStoreFailure: LimitCharge['onStoreFailure'] = 'local'): LimitCharge => ({
  key: { workspaceId: 'faults', limitId: 'policy', unit: 'rph', group: crypto.randomUUID(), label: '[]' },
  limit,
  weight: 1,
  grain: 10,
  shadow: false,
  onStoreFailure,
})

/** Prints what a fault cost its calls. @returns whether even the slow ones were answered in time */
export const reportWaits = (fault: string, { waitsMs, origins, closed }: Traffic): boolean => {
  const at = (share: number): number => waitsMs[Math.ceil(waitsMs.length * share) - 1] ?? Number.NaN
  const [p50, p99, most] = [at(0.5), at(0.99), at(1)].map((ms) => ms.toFixed(1))
  console.log(
    `${fault}: ${waitsMs.length} calls (shared ${origins.shared}, local ${origins.local}, open ${origins.open}, closed ${closed}), waited p50 ${p50} ms, p99 ${p99} ms, at most ${most} ms`,
  )
  return at(0.99) < WORST_MS
}
