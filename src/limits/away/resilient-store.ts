import type { Clock, Logger } from '../../core/ports.ts'
import type { RedisStore } from '../redis/redis-store.ts'
import type { MemoryStore } from '../ring/memory-store.ts'
import type { LimitStore } from './limit-store.ts'
import { createSharedLimitStore } from './shared-limit-store.ts'
import { systemTimers, type Timers } from './timers.ts'

export {
  type LimitStore,
  type Origin,
  type ResilientAdmission,
  type ResilientCharge,
  StoreFailedClosed,
} from './limit-store.ts'

const DEADLINE_MS = 40

export interface LimitStoreOptions {
  /** Of this process alone: where there is no Redis, and while it is away. */
  readonly memory: MemoryStore
  /** Its connection gives up a command only after a time of its own, much longer than `deadlineMs`. */
  readonly shared?: RedisStore
  readonly clock: Clock
  readonly log: Logger
  /** Milliseconds that a call waits for the shared store; 40 when absent. */
  readonly deadlineMs?: number
  /** Processes that share the limits. */
  readonly replicas: () => number
  readonly timers?: Timers
}

/** The one store of a process: in memory without Redis, and with it one that outlives it. */
export const createLimitStore = (options: LimitStoreOptions): LimitStore => {
  const { shared, memory, deadlineMs = DEADLINE_MS, timers = systemTimers } = options
  return shared === undefined ? inMemory(memory) : createSharedLimitStore({ ...options, shared, deadlineMs, timers })
}

const inMemory = (memory: MemoryStore): LimitStore => ({
  // Nobody else counts: what this process says is what all say.
  admit: (charges) => ({ ...memory.admit(charges), origin: 'shared' }),
  settle: (settlements) => memory.settle(settlements),
  peek: (charges) => memory.peek(charges),
  groups: (limit, page) => memory.groups(limit, page),
  reset: (key) => memory.reset(key),
  state: 'memory',
  close: () => Promise.resolve(),
})
