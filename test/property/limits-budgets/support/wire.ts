import type { Redis } from 'ioredis'
import type { CheckReply } from '../../../../src/limits/redis/admit-run.ts'
import { createScriptRunner } from '../../../../src/limits/redis/redis-scripts.ts'
import { createRedisStore, type RedisStore } from '../../../../src/limits/redis/redis-store.ts'
import { createScriptedStore } from '../../../../src/limits/test-support/scripted-store.ts'
import type { SharedHashes } from '../../../../src/limits/test-support/shared-hashes.ts'

/** A command on its way to the shared store. */
export interface Command {
  /** Does it and answers. */
  run(): Promise<void>
  /** Does it, and the answer is lost. */
  loseAnswer(): Promise<void>
  /** It is lost. */
  lose(): void
}

/** The connection of one process to the shared store: a test says when its commands arrive, which they do in their order. */
export interface Wire {
  readonly store: RedisStore
  /** Oldest first. */
  readonly waiting: Command[]
  /** True: what is sent arrives at once. */
  isOpen: boolean
}

const PROBED = { fits: 'yes', used: 0, index: 0, releaseMs: 0, resetMs: 0, fitMs: 0 } as const
const LOST = new Error('Connection is closed.')

export const scriptedWire = (now: () => number, hashes: SharedHashes, process: string): Wire => {
  const scripted = createScriptedStore(now, hashes, process)
  scripted.mode = 'hang'
  const waiting: Command[] = []
  const store: RedisStore = {
    ...scripted.store,
    // Alone asked by itself: whether the shared store is back.
    admit(charges) {
      const probed = Promise.withResolvers<CheckReply>()
      if (wire.isOpen) probed.resolve({ admitted: true, verdicts: charges.map(() => PROBED), budgets: [] })
      return probed.promise
    },
  }
  const wire: Wire = { store, waiting, isOpen: false }
  // Taken over as they come, so that both kinds of wires have the same list.
  scripted.pending.push = (...pending) => {
    for (const each of pending) {
      if (wire.isOpen) each.answer()
      else
        waiting.push({
          run: async () => each.answer(),
          async loseAnswer() {
            each.execute()
            each.fail(LOST)
          },
          lose: () => each.fail(LOST),
        })
    }
    return waiting.length
  }
  return wire
}

export const redisWire = (client: Redis, process: string): Wire => {
  const runner = createScriptRunner(client)
  const waiting: Command[] = []
  const store = createRedisStore({
    client,
    kind: 'single',
    process,
    run(name, keys, args) {
      if (wire.isOpen) return runner(name, keys, args)
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      waiting.push({
        run: () => runner(name, keys, args).then(resolve, reject),
        async loseAnswer() {
          await runner(name, keys, args)
          reject(LOST)
        },
        lose: () => reject(LOST),
      })
      return promise
    },
  })
  const wire: Wire = { store, waiting, isOpen: false }
  return wire
}
