import type { CheckReply } from '../../../../src/limits/redis/admit-run.ts'
import type { RedisStore } from '../../../../src/limits/redis/redis-store.ts'
import { createMemoryStore, type MemoryStore } from '../../../../src/limits/ring/memory-store.ts'
import type { Verdict } from '../../../../src/limits/ring/ring.ts'
import type { Charge } from '../../../../src/limits/ring/ring-store.ts'
import type { ManualTime } from '../../../../src/limits/test-support/manual-time.ts'
import { createSharedHashes } from '../../../../src/limits/test-support/shared-hashes.ts'

/** The store that all processes of a test share, as one server keeps it. */
export interface Server {
  readonly rings: MemoryStore
  /** When each call was let through, by what it was told. */
  readonly times: WeakMap<readonly Verdict[], number>
  /** Commands that it ran. */
  commands: number
  /** As `FLUSHALL` does. */
  flush(): void
}

export const createServer = (now: () => number): Server => ({
  rings: createMemoryStore({ now }),
  times: new WeakMap(),
  commands: 0,
  flush() {
    for (const { key } of this.rings.additions(Number.POSITIVE_INFINITY)) this.rings.reset(key)
  },
})

/** A connection of one process: commands and answers take their time, and neither overtakes another. */
export interface Line {
  readonly store: RedisStore
  /** What is under way is lost, answers too, and the process hears of it. */
  cut(): void
}

export const createLine = (server: Server, time: ManualTime, delayMs: () => number): Line => {
  const { now } = time.clock
  const hashes = createSharedHashes(now)
  const listeners: (() => void)[] = []
  const waiting = new Set<(error: Error) => void>()
  let [lastThereMs, lastBackMs] = [0, 0]

  const send = <T>(work: () => T): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    waiting.add(reject)
    lastThereMs = Math.max(lastThereMs, now() + delayMs())
    time.timers.after(lastThereMs - now(), () => {
      if (!waiting.has(reject)) return
      server.commands += 1
      const done = work()
      lastBackMs = Math.max(lastBackMs, now() + delayMs())
      time.timers.after(lastBackMs - now(), () => {
        waiting.delete(reject)
        resolve(done)
      })
    })
    return promise
  }

  const decide = (charges: readonly Charge[]): CheckReply => {
    const admission = { ...server.rings.admit(charges), budgets: [] }
    server.times.set(admission.verdicts, now())
    return admission
  }

  return {
    cut() {
      for (const reject of [...waiting]) {
        waiting.delete(reject)
        reject(new Error('Connection is closed.'))
      }
      for (const listener of listeners) listener()
    },
    store: {
      kind: 'single',
      admit: (charges) => send(() => decide(charges)),
      admitAll: (checks) => send(() => checks.map(({ charges }) => decide(charges))),
      lease: (asks, backs) =>
        send(() => {
          for (const back of backs) server.rings.giveBack(back)
          return asks.map((ask) => server.rings.lease(ask))
        }),
      settle: (settlements) => send(() => server.rings.settle(settlements)),
      peek: (charges) => send(() => ({ ...server.rings.peek(charges), budgets: [] })),
      tell: (counts) => send(hashes.tell('process', counts)),
      groups: (limit, page) => send(() => server.rings.groups(limit, page)),
      reset: (key) => send(() => server.rings.reset(key)),
      merge: () => send(() => undefined),
      onLost: (listener) => void listeners.push(listener),
    },
  }
}
