import type { Timers } from '../away/deadline.ts'
import { namesOf } from '../redis/redis-keys.ts'
import type { RedisStore } from '../redis/redis-store.ts'
import { LEAST_LEASED, type Verdict } from '../ring/ring.ts'
import type {
  Admission,
  Charge,
  LimitKey,
  RingGiveBack,
  RingGrant,
  RingKey,
  RingLeaseAsk,
  Settlement,
} from '../ring/ring-store.ts'
import { Lease } from './lease.ts'
import { createLeaseSchedule, shareOf } from './lease-schedule.ts'

/** Rings of one command: the script holds up everybody else meanwhile. */
const MOST_RINGS = 64
const NO_VERDICTS: readonly Verdict[] = []

export interface LeasesOptions {
  readonly shared: Pick<RedisStore, 'kind' | 'lease' | 'onLost'>
  /** Processes that share the limits. */
  readonly replicas: () => number
  readonly timers: Timers
  readonly monotonicMs: () => number
  /** Hears what the shared store counts of a ring, and the newest bucket that it is in. */
  readonly onGrant: (key: RingKey, grant: RingGrant) => void
}

/**
 * Weight that this process has charged ahead, of limits that are far from full: calls that it covers ask nobody. What is
 * used was charged before, in a bucket that is counted for as long as the use is: `lease` in `../ring/ring.ts`.
 */
export interface Leases {
  /** Uses what is leased. @returns undefined where a charge is not covered: nothing is used then */
  take(charges: readonly Charge[]): readonly Verdict[] | undefined
  /** Whether the shared store has said that all are far from full. */
  areFar(charges: readonly Charge[], verdicts: readonly Verdict[]): boolean
  /** The shared store has let a call through: the next ones may be covered. */
  note(charges: readonly Charge[]): void
  /** Gives back all that is leased of the rings that refuse a call, before anything else is sent. @returns whether there was anything */
  giveBackRefusing(charges: readonly Charge[], refused: Admission): boolean
  /** Gives back all that is leased of some rings, before anything else is sent, so that only what was used is counted. */
  giveBack(isMeant: (key: RingKey) => boolean): void
  /** @returns false where the shared store has to do it */
  settle(settlement: Settlement): boolean
  /** The ring was forgotten. */
  forget(key: RingKey): void
  /** What was charged may be charged nowhere: nothing of it is used any more, nor given back. */
  drop(): void
  /** Gives everything back. Never throws. */
  close(): Promise<void>
}

export const createLeases = ({ shared, replicas, timers, monotonicMs, onGrant }: LeasesOptions): Leases => {
  const known = new WeakMap<RingKey, Lease>()
  let backs: RingGiveBack[] = []
  let calls = 0
  let isClosed = false

  const send = async (leases: readonly Lease[], given: readonly RingGiveBack[]): Promise<void> => {
    const sentMs = monotonicMs()
    const share = shareOf(replicas())
    const asking: Lease[] = []
    const asks: RingLeaseAsk[] = []
    for (const lease of leases) {
      const ask = lease.toAsk(share, sentMs)
      lease.isAsking = ask !== undefined
      if (ask === undefined) continue
      asking.push(lease)
      asks.push(ask)
    }
    if (asks.length + given.length === 0) return
    const epochs = asking.map(({ epoch }) => epoch)
    let grants: readonly RingGrant[] | undefined
    try {
      grants = await shared.lease(asks, given)
    } catch {
      // Nobody knows whether it was done: what was granted is not used, and what was given back is not given again.
    }
    const nowMs = monotonicMs()
    for (const [place, lease] of asking.entries()) {
      lease.isAsking = false
      const grant = grants?.[place]
      if (grant === undefined || lease.epoch !== epochs[place]) {
        lease.wait(nowMs)
        continue
      }
      backs.push(...lease.granted(grant, sentMs, nowMs))
      if (grant.index > 0) onGrant(lease.key, grant)
    }
  }

  /** In a Cluster, one command for each workspace. */
  const sendInSlots = (leases: readonly Lease[], given: readonly RingGiveBack[]): Promise<void>[] => {
    const slotOf = ({ key }: { readonly key: RingKey }): string => (shared.kind === 'single' ? '' : key.workspaceId)
    const [asksOf, backsOf] = [Map.groupBy(leases, slotOf), Map.groupBy(given, slotOf)]
    return [...new Set([...asksOf.keys(), ...backsOf.keys()])].flatMap((slot) => {
      const parts: Promise<void>[] = []
      const [asking, giving] = [asksOf.get(slot) ?? [], backsOf.get(slot) ?? []]
      for (let at = 0; at < Math.max(asking.length, giving.length); at += MOST_RINGS) {
        parts.push(send(asking.slice(at, at + MOST_RINGS), giving.slice(at, at + MOST_RINGS)))
      }
      return parts
    })
  }

  /** Before anything that is sent after this. */
  const sendBacks = (): Promise<void>[] => {
    const given = backs
    backs = []
    return sendInSlots([], given)
  }

  const schedule = createLeaseSchedule<Lease>({
    timers,
    monotonicMs,
    ask(due) {
      const nowMs = monotonicMs()
      for (const lease of due) backs.push(...lease.takeOver(nowMs))
      const given = backs
      backs = []
      void Promise.all(sendInSlots(due, given))
    },
    // While it is renewed, the next ask takes along what is over.
    giveBackOver(lease, nowMs) {
      if (lease.isOver(nowMs)) backs.push(...lease.takeOver(nowMs))
    },
    onSwept() {
      if (backs.length > 0) schedule.flush()
    },
  })
  const { active, plan } = schedule

  const leaseFor = (charge: Charge): Lease => {
    const found = known.get(charge.key)
    if (found?.limit === charge.limit && found.grain === charge.grain) return found
    if (found !== undefined) backs.push(...found.takeAll(monotonicMs()))
    const made = new Lease(charge)
    known.set(charge.key, made)
    return made
  }

  const giveBack = (isMeant: (key: RingKey) => boolean): void => {
    const nowMs = monotonicMs()
    for (const lease of active) if (isMeant(lease.key)) backs.push(...lease.takeAll(nowMs))
    if (backs.length > 0) void Promise.all(sendBacks())
  }

  const drop = (): void => {
    for (const lease of active) lease.lose()
    backs = []
  }
  shared.onLost(drop)

  return {
    take(charges) {
      if (charges.length === 0) return NO_VERDICTS
      if (active.size === 0) return undefined
      const nowMs = monotonicMs()
      calls += 1
      for (const charge of charges) {
        const lease = known.get(charge.key)
        // A ring that is named twice is a mistake, of which the shared store tells.
        if (lease === undefined || lease.call === calls || !lease.covers(charge, nowMs)) return undefined
        lease.call = calls
      }
      const verdicts: Verdict[] = []
      for (const { key, weight } of charges) {
        const lease = known.get(key)
        if (lease === undefined) continue
        verdicts.push(lease.use(weight, nowMs))
        if (lease.isDue(nowMs)) plan(lease)
      }
      return verdicts
    },

    areFar(charges, verdicts) {
      const share = shareOf(replicas())
      for (const [place, { weight, limit }] of charges.entries()) {
        const left = limit - (verdicts[place]?.used ?? limit)
        if (weight === 0 || left < Math.max(LEAST_LEASED, weight) * share) return false
      }
      return true
    },

    note(charges) {
      if (isClosed) return
      const nowMs = monotonicMs()
      for (const charge of charges) {
        const lease = leaseFor(charge)
        lease.noteAsked(charge.weight, nowMs)
        if (lease.isDue(nowMs)) plan(lease)
      }
    },

    giveBackRefusing(charges, { verdicts }) {
      const nowMs = monotonicMs()
      const refusing = new Set<RingKey>()
      for (const [place, { key, shadow }] of charges.entries()) {
        if (!shadow && verdicts[place]?.fits === 'later') refusing.add(key)
      }
      for (const key of refusing) backs.push(...(known.get(key)?.takeAll(nowMs) ?? []))
      if (!backs.some(({ key }) => refusing.has(key))) return false
      void Promise.all(sendBacks())
      return true
    },

    giveBack,

    settle({ key, index, delta }) {
      return known.get(key)?.settle(index, delta, monotonicMs()) ?? false
    },

    forget(key) {
      const { ring } = namesOf(key)
      for (const lease of active) if (namesOf(lease.key).ring === ring) lease.lose()
    },

    drop,

    async close() {
      isClosed = true
      schedule.close()
      for (const lease of active) backs.push(...lease.takeAll(monotonicMs()))
      await Promise.all(sendBacks())
    },
  }
}

/** Whether a ring is one of a limit. */
export const isOfLimit =
  ({ workspaceId, limitId, unit }: LimitKey) =>
  (key: RingKey): boolean =>
    key.workspaceId === workspaceId && key.limitId === limitId && key.unit === unit
