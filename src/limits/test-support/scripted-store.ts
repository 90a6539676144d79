import type { RedisStore } from '../redis/redis-store.ts'
import { createMemoryStore, type MemoryStore } from '../ring/memory-store.ts'
import type { Admission, Charge, RingAddition, Settlement } from '../ring/ring-store.ts'

/** As the driver says it. */
export const replyError = (message: string): Error => Object.assign(new Error(message), { name: 'ReplyError' })
export const READONLY = replyError("READONLY You can't write against a read only replica.")
export const CONNECTION_LOST = new Error('Connection is closed.')
export const NOT_CONNECTED = new Error("Stream isn't writeable and enableOfflineQueue options is false")

/** What was sent and has no answer yet. */
export interface Pending {
  readonly name: 'admit' | 'peek' | 'settle' | 'merge' | 'groups' | 'reset'
  /** Does it, and keeps the answer back. */
  execute(): void
  /** Does it if that was not done, and answers. */
  answer(): void
  fail(error: Error): void
}

/** A shared store in the hands of a test: rings in memory, and answers when the test says so. */
export interface ScriptedStore {
  readonly store: RedisStore
  /** What the shared store holds. */
  readonly rings: MemoryStore
  /** `answer` does at once what is asked, `hang` keeps it in `pending`, an error fails it without doing it. */
  mode: 'answer' | 'hang' | Error
  readonly pending: Pending[]
  readonly settled: Settlement[][]
  readonly merged: RingAddition[][]
  /** Calls by name, probes left out. */
  readonly asked: Record<Pending['name'], number>
  probes: number
  /** Weight that this store counts now in the ring of a charge. */
  used(charge: Charge): number
}

const toError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))

export const createScriptedStore = (now: () => number): ScriptedStore => {
  const rings = createMemoryStore({ now })

  const send = <T>(name: Pending['name'], work: () => T): Promise<T> => {
    scripted.asked[name] += 1
    if (scripted.mode instanceof Error) return Promise.reject(scripted.mode)
    if (scripted.mode === 'answer') return Promise.resolve(work())
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    let done: { readonly value: T } | undefined
    const execute = (): T => {
      done ??= { value: work() }
      return done.value
    }
    scripted.pending.push({ name, execute, answer: () => resolve(execute()), fail: reject })
    return promise
  }

  const isProbe = ([charge]: readonly Charge[]): boolean => charge?.key.limitId === 'weir.probe'

  const scripted: ScriptedStore = {
    rings,
    mode: 'answer',
    pending: [],
    settled: [],
    merged: [],
    asked: { admit: 0, peek: 0, settle: 0, merge: 0, groups: 0, reset: 0 },
    probes: 0,
    used: (charge) => rings.peek([{ ...charge, weight: 0 }]).verdicts[0]?.used ?? Number.NaN,
    store: {
      kind: 'single',
      admitAll: (checks) => Promise.all(checks.map((charges) => scripted.store.admit(charges).catch(toError))),
      admit(charges) {
        if (!isProbe(charges)) {
          return send('admit', () => rings.admit(charges))
        }
        scripted.probes += 1
        if (scripted.mode instanceof Error) return Promise.reject(scripted.mode)
        if (scripted.mode === 'answer') return Promise.resolve(rings.admit(charges))
        return Promise.withResolvers<Admission>().promise
      },
      peek: (charges) => send('peek', () => rings.peek(charges)),
      settle: (settlements) =>
        send('settle', () => {
          scripted.settled.push([...settlements])
          rings.settle(settlements)
        }),
      merge: (additions) =>
        send('merge', () => {
          scripted.merged.push([...additions])
          for (const { key, buckets } of additions) {
            for (const [index, weight] of buckets) rings.adjust(key, index, weight)
          }
        }),
      groups: (limit, page) => send('groups', () => rings.groups(limit, page)),
      reset: (key) => send('reset', () => rings.reset(key)),
    },
  }
  return scripted
}
