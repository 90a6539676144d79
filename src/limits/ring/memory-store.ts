import {
  add,
  type Claim,
  commit,
  copyRing,
  createRing,
  debit,
  describe,
  goneAt,
  isInUse,
  judge,
  lease,
  type Ring,
  refund,
  type Verdict,
} from './ring.ts'
import type {
  Admission,
  Charge,
  GroupPage,
  GroupUsage,
  LimitKey,
  Page,
  RingAddition,
  RingGiveBack,
  RingGrant,
  RingKey,
  RingLeaseAsk,
  Settlement,
} from './ring-store.ts'
import { RingTable, type StoredRing } from './ring-table.ts'
import { GRIDS } from './units.ts'

const MAXIMUM_RINGS = 250_000

/**
 * Rings in this process. Nothing here waits. Every store gives the same replies for the same calls at the same times; all
 * charges of one call belong to one workspace.
 */
export interface MemoryStore {
  /**
   * All or nothing: every charge is added, or none is.
   * @param othersAdmit false: something else refuses the call, so that nothing is added; true when absent
   * @throws Error when a call names a ring twice; nothing is charged then
   */
  admit(charges: readonly Charge[], othersAdmit?: boolean): Admission
  settle(settlements: readonly Settlement[]): void
  /** Charges weight ahead of its use. */
  lease(ask: RingLeaseAsk): RingGrant
  /** Takes back what was leased and not used, from the ring that it was leased from alone. */
  giveBack(back: RingGiveBack): void
  /** What `admit` would say, changing nothing. @throws Error as `admit` does */
  peek(charges: readonly Charge[], othersAdmit?: boolean): Admission
  /** The groups of a limit that hold anything, in a stable order. */
  groups(limit: LimitKey, page: Page): GroupPage
  /** Forgets all that a group has used. @returns whether there was anything */
  reset(key: RingKey): boolean
  /**
   * Adds weight to a bucket, or takes it out, whatever the limit; a ring without any is dropped.
   * @returns weight that should have been taken and was not there
   */
  adjust(key: RingKey, index: number, delta: number): number
  /** What the first rings hold, at most so many, for the same rings elsewhere. */
  additions(most: number): readonly RingAddition[]
  /** Rings held. */
  readonly size: number
  /** Rings that were dropped before their end, for want of room. */
  readonly forgotten: number
}

export interface MemoryStoreOptions {
  /** Milliseconds since 1970. May step back: the time of a ring does not. */
  readonly now: () => number
  /** 250,000 when absent. A ring takes about 1 kB, and 5 kB when all its buckets are in use. */
  readonly maximumRings?: number
}

export const createMemoryStore = ({ now, maximumRings = MAXIMUM_RINGS }: MemoryStoreOptions): MemoryStore => {
  const table = new RingTable(maximumRings)

  /** The stored rings of a call; undefined where there is none yet. */
  const take = (charges: readonly Charge[], call: number): (StoredRing | undefined)[] => {
    const taken: (StoredRing | undefined)[] = []
    for (const [place, { key }] of charges.entries()) {
      const stored = table.find(key)
      if (stored === undefined ? isNamedBefore(charges, place) : stored.call === call) throw namedTwice()
      if (stored !== undefined) stored.call = call
      taken.push(stored)
    }
    return taken
  }

  return {
    admit(charges, othersAdmit = true) {
      const nowMs = now()
      const taken = take(charges, table.begin())
      table.sweep(nowMs)
      const rings = taken.map((stored) => stored?.ring ?? createRing())
      const admission = decide(charges, rings, nowMs, othersAdmit)
      if (!admission.admitted) return admission
      for (const [place, { key, weight }] of charges.entries()) {
        const verdict = admission.verdicts[place]
        if (weight === 0 || verdict === undefined) continue
        const stored = taken[place] ?? table.add(key, nowMs, rings[place])
        table.keep(stored, verdict.index)
      }
      return admission
    },

    settle(settlements) {
      const nowMs = now()
      table.sweep(nowMs)
      for (const { key, index, delta, grain } of settlements) {
        const stored = table.find(key)
        if (delta < 0 && stored !== undefined) refund(stored.ring, index, -delta)
        if (delta <= 0) continue
        const owing = stored ?? table.add(key, nowMs)
        table.keep(owing, debit(owing.ring, owing.grid, delta, grain, nowMs))
      }
    },

    lease(ask) {
      const nowMs = now()
      const known = table.find(ask.key)
      const ring = known?.ring ?? createRing()
      const isSame = (known?.generation ?? '') === ask.generation
      const grant = lease(ring, GRIDS[ask.key.unit], isSame ? ask : { ...ask, inHand: 0, last: NO_CHUNK }, nowMs)
      if (grant.index === 0) return { ...grant, generation: known?.generation ?? '' }
      const stored = known ?? table.add(ask.key, nowMs, ring)
      table.keep(stored, grant.index)
      return { ...grant, generation: stored.generation }
    },

    giveBack({ key, index, weight, generation }) {
      const stored = table.find(key)
      if (stored?.generation === generation) refund(stored.ring, index, weight)
    },

    peek(charges, othersAdmit = true) {
      const nowMs = now()
      const taken = take(charges, table.begin())
      return decide(
        charges,
        taken.map((stored) => (stored === undefined ? createRing() : copyRing(stored.ring))),
        nowMs,
        othersAdmit,
      )
    },

    groups(limit, page) {
      const nowMs = now()
      const inUse = [...table.of(limit)].filter(({ ring, grid }) => isInUse(ring, grid, nowMs))
      return {
        groups: inUse.slice(page.offset, page.offset + page.limit).map((stored) => usageOf(stored, nowMs)),
        total: inUse.length,
      }
    },

    reset(key) {
      const stored = table.find(key)
      if (stored === undefined) return false
      table.remove(stored)
      return isInUse(stored.ring, stored.grid, now())
    },

    adjust(key, index, delta) {
      const known = table.find(key)
      if (delta > 0) {
        const stored = known ?? table.add(key, now())
        add(stored.ring, index, delta)
        table.keep(stored, index)
        return 0
      }
      const given = known === undefined ? 0 : refund(known.ring, index, -delta)
      if (known?.ring.sum === 0) table.remove(known)
      return -delta - given
    },

    additions(most) {
      const nowMs = now()
      const found: RingAddition[] = []
      for (const stored of table.all()) {
        if (found.length === most) break
        const { key, grid, ring } = stored
        const buckets = [...ring.buckets].filter(([index]) => goneAt(index, grid) > nowMs)
        if (buckets.length === 0) table.remove(stored)
        else found.push({ key, grain: grid.coarseGrain, buckets })
      }
      return found
    },

    get size() {
      return table.size
    },
    get forgotten() {
      return table.forgotten
    },
  }
}

const NO_CHUNK = { index: 0, weight: 0 }

/** Judges all charges before the first is added, and adds all or none. */
const decide = (charges: readonly Charge[], rings: readonly Ring[], nowMs: number, othersAdmit: boolean): Admission => {
  const fits: Verdict['fits'][] = []
  let admitted = othersAdmit
  for (const [place, charge] of charges.entries()) {
    const ring = rings[place]
    if (ring === undefined) continue
    const fit = judge(ring, GRIDS[charge.key.unit], charge, nowMs)
    if (fit !== 'yes' && !charge.shadow) admitted = false
    fits.push(fit)
  }
  const conclude = admitted ? commit : describe
  const verdicts: Verdict[] = []
  for (const [place, charge] of charges.entries()) {
    const ring = rings[place]
    const fit = fits[place]
    if (ring === undefined || fit === undefined) continue
    verdicts.push(conclude(ring, GRIDS[charge.key.unit], charge, fit, nowMs))
  }
  return { admitted, verdicts }
}

/** Whether an earlier charge has the same key. Only asked for rings that do not exist yet. */
const isNamedBefore = (charges: readonly Charge[], place: number): boolean => {
  const key = charges[place]?.key
  return charges
    .slice(0, place)
    .some(
      ({ key: other }) =>
        other.group === key?.group &&
        other.limitId === key.limitId &&
        other.unit === key.unit &&
        other.workspaceId === key.workspaceId,
    )
}

const namedTwice = (): Error => new Error('A call may charge a ring only once')

/** Asks for nothing: only to learn what is counted. */
const NOTHING: Claim = { limit: Number.MAX_SAFE_INTEGER, weight: 0, grain: 1, shadow: true }

const usageOf = ({ key, grid, ring }: StoredRing, nowMs: number): GroupUsage => {
  const copy = copyRing(ring)
  const { used, releaseMs, resetMs } = describe(copy, grid, NOTHING, judge(copy, grid, NOTHING, nowMs), nowMs)
  return { group: key.group, label: key.label, used, releaseMs, resetMs }
}
