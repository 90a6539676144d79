import type { SharedClaim } from '../claims/shared-count.ts'
import type { CheckReply } from '../redis/admit-run.ts'
import type { RedisStore } from '../redis/redis-store.ts'
import { createMemoryStore, type MemoryStore } from '../ring/memory-store.ts'
import type { Charge, RingAddition, Settlement } from '../ring/ring-store.ts'
import { createSharedHashes, type SharedHashes } from './shared-hashes.ts'

/** As the driver says it. */
export const replyError = (message: string): Error => Object.assign(new Error(message), { name: 'ReplyError' })
export const READONLY = replyError("READONLY You can't write against a read only replica.")
export const CONNECTION_LOST = new Error('Connection is closed.')
export const NOT_CONNECTED = new Error("Stream isn't writeable and enableOfflineQueue options is false")

/** What was sent and has no answer yet. */
export interface Pending {
  readonly name: 'admit' | 'lease' | 'peek' | 'settle' | 'merge' | 'groups' | 'reset' | 'tell'
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
  /** Counts of budgets that it holds. */
  readonly hashes: SharedHashes
  /** `answer` does at once what is asked, `hang` keeps it in `pending`, an error fails it without doing it. */
  mode: 'answer' | 'hang' | Error
  readonly pending: Pending[]
  readonly settled: Settlement[][]
  readonly merged: RingAddition[][]
  /** Calls by name, probes left out. */
  readonly asked: Record<Pending['name'], number>
  probes: number
  /** Loses the connection, for those who listen. */
  lose(): void
  /** Weight that this store counts now in the ring of a charge. */
  used(charge: Charge): number
}

const toError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))

/** The process that a store belongs to, unless a test says otherwise. */
export const PROCESS = 'this-process'

/** @param hashes of several processes that share them */
export const createScriptedStore = (
  now: () => number,
  hashes = createSharedHashes(now),
  process = PROCESS,
): ScriptedStore => {
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

  /** Amounts are those of the time of sending, whenever it is done. */
  const decision = (
    charges: readonly Charge[],
    claims: readonly SharedClaim[],
    changes: boolean,
    ask: MemoryStore['admit'],
  ): (() => CheckReply) => {
    const parts = hashes.parts(claims, changes)
    return () => hashes.decide(process, claims, parts, changes, (othersAdmit) => ask(charges, othersAdmit))
  }

  const listeners: (() => void)[] = []

  const isProbe = ([charge]: readonly Charge[]): boolean => charge?.key.limitId === 'weir.probe'

  const scripted: ScriptedStore = {
    rings,
    hashes,
    mode: 'answer',
    pending: [],
    settled: [],
    merged: [],
    asked: { admit: 0, lease: 0, peek: 0, settle: 0, merge: 0, groups: 0, reset: 0, tell: 0 },
    probes: 0,
    lose() {
      for (const listener of listeners) listener()
    },
    used: (charge) => rings.peek([{ ...charge, weight: 0 }]).verdicts[0]?.used ?? Number.NaN,
    store: {
      kind: 'single',
      admitAll: (checks) =>
        Promise.all(checks.map(({ charges, claims }) => scripted.store.admit(charges, claims).catch(toError))),
      admit(charges, claims = []) {
        const decide = decision(charges, claims, true, rings.admit)
        if (!isProbe(charges)) return send('admit', decide)
        scripted.probes += 1
        if (scripted.mode instanceof Error) return Promise.reject(scripted.mode)
        if (scripted.mode === 'answer') return Promise.resolve(decide())
        return Promise.withResolvers<CheckReply>().promise
      },
      peek: (charges, claims = []) => send('peek', decision(charges, claims, false, rings.peek)),
      lease: (asks, backs) =>
        send('lease', () => {
          for (const back of backs) rings.giveBack(back)
          return asks.map(rings.lease)
        }),
      onLost: (listener) => void listeners.push(listener),
      tell: (counts) => send('tell', hashes.tell(process, counts)),
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
