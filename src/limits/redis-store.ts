import type { Cluster, Redis } from 'ioredis'
import type { RingAddition } from './memory-store.ts'
import { fromMember, groupsKeyOf, keepMsOf, memberOf, redisKeyOf } from './redis-keys.ts'
import { createScriptRunner, type RunScript, type ScriptArgument } from './redis-scripts.ts'
import type { Verdict } from './ring.ts'
import type { Admission, Charge, GroupPage, GroupUsage, RingKey, RingStore, Settlement } from './ring-store.ts'
import { GRIDS } from './units.ts'

/**
 * Rings in Redis, or in a Cluster: each step is one script, which takes the time from the server. Errors of the driver
 * pass through untouched, and nothing is sent a second time after one.
 */
export interface RedisStore extends RingStore {
  /** @throws Error when a call names a ring twice, or rings of two workspaces; nothing is charged then */
  admit(charges: readonly Charge[]): Promise<Admission>
  /** In one step, but for a Cluster, where there is one for each workspace, and for more than a hundred. */
  settle(settlements: readonly Settlement[]): Promise<void>
  /** @throws Error as `admit` does */
  peek(charges: readonly Charge[]): Promise<Admission>
  /**
   * In the order of the groups' hashes. Reads every group of the limit, a few at a time, so that calls come in between:
   * for people, not for the path of a call.
   */
  groups(
    limit: Pick<RingKey, 'workspaceId' | 'limitId' | 'unit'>,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<GroupPage>
  reset(key: RingKey): Promise<boolean>
  /** Adds what was counted elsewhere to the same buckets; what has left the window by now is skipped. */
  merge(additions: readonly RingAddition[]): Promise<void>
}

export interface RedisStoreOptions {
  readonly client: Redis | Cluster
  /** In a Cluster, each workspace is in a slot of its own. */
  readonly kind: 'single' | 'cluster'
  /** How scripts are run; by `client` when absent. */
  readonly run?: RunScript
}

/** Rings that one script reads or writes: it holds up everybody else meanwhile. */
const MOST_RINGS = 128
/** The same for `merge`, which writes many buckets of each. */
const MOST_MERGED = 8
/** Asked of the index of groups at a time. */
const SCAN_COUNT = 500
const FITS = ['later', 'yes', 'never'] as const
/** Numbers of one verdict in a reply. */
const VERDICT_LENGTH = 6

export const createRedisStore = ({ client, kind, run = createScriptRunner(client) }: RedisStoreOptions): RedisStore => {
  const judge = async (charges: readonly Charge[], changes: boolean): Promise<Admission> => {
    if (charges.length === 0) return { admitted: true, verdicts: [] }
    const keys = charges.flatMap(({ key }) => keysOf(key))
    checkCharges(charges, keys)
    const args = charges.flatMap(({ key, limit, weight, grain, shadow }) => [
      limit,
      weight,
      shadow ? 1 : 0,
      ...argumentsOf(key, grain),
    ])
    return toAdmission(toNumbers(await run('admit', keys, [changes ? 0 : 1, ...args])), charges.length)
  }

  /** Runs a script over all items, in order for each ring, as few at a time as one slot and `most` demand. */
  const runEach = async <Item extends { readonly key: RingKey; readonly grain: number }>(
    name: 'settle' | 'merge',
    items: readonly Item[],
    most: number,
    toArguments: (item: Item) => readonly ScriptArgument[],
  ): Promise<void> => {
    const slots = kind === 'single' ? [items] : [...Map.groupBy(items, ({ key }) => key.workspaceId).values()]
    for (const part of slots.flatMap((slot) => inParts(slot, most))) {
      await run(
        name,
        part.flatMap(({ key }) => keysOf(key)),
        part.flatMap((item) => toArguments(item)),
      )
    }
  }

  const membersOf = async (indexKey: string): Promise<string[]> => {
    const members = new Set<string>()
    let cursor = '0'
    do {
      const [next, found] = await client.zscan(indexKey, cursor, 'COUNT', SCAN_COUNT)
      // Members and scores by turns; one may come more than once.
      for (const [place, member] of found.entries()) if (place % 2 === 0) members.add(member)
      cursor = next
    } while (cursor !== '0')
    return [...members]
  }

  return {
    admit: (charges) => judge(charges, true),

    peek: (charges) => judge(charges, false),

    settle: (settlements) =>
      runEach(
        'settle',
        settlements.filter(({ delta }) => delta !== 0),
        MOST_RINGS,
        ({ key, index, delta, grain }) => [index, delta, ...argumentsOf(key, grain)],
      ),

    merge: (additions) =>
      runEach('merge', additions, MOST_MERGED, ({ key, grain, buckets }) => [
        ...argumentsOf(key, grain),
        buckets.length,
        ...buckets.flat(),
      ]),

    async groups(limit, { offset, limit: count }) {
      const found = (await membersOf(groupsKeyOf(limit))).map(fromMember).toSorted(byGroup)
      // A group whose label was written in another way before is there twice.
      const known = found.filter(({ group }, place) => group !== found[place - 1]?.group)
      const inUse: GroupUsage[] = []
      for (const part of inParts(known, MOST_RINGS)) {
        const keys = part.map(({ group }) => redisKeyOf({ ...limit, group }))
        const numbers = toNumbers(await run('groups', keys, argumentsOf({ ...limit, group: '', label: '' }, 1)))
        for (const [place, group] of part.entries()) {
          const [used = 0, releaseMs = 0, resetMs = 0] = numbers.slice(place * 3)
          if (used > 0) inUse.push({ ...group, used, releaseMs, resetMs })
        }
      }
      return { groups: inUse.slice(offset, offset + count), total: inUse.length }
    },

    async reset(key) {
      return (await run('reset', keysOf(key), argumentsOf(key, 1))) === 1
    },
  }
}

const keysOf = (key: RingKey): [string, string] => [redisKeyOf(key), groupsKeyOf(key)]

/** What `open` in `scripts/ring.lua` reads. */
const argumentsOf = (key: RingKey, grain: number): ScriptArgument[] => {
  const { bucketMs, buckets } = GRIDS[key.unit]
  return [bucketMs, buckets, grain, keepMsOf(key.unit), memberOf(key)]
}

const checkCharges = (charges: readonly Charge[], keys: readonly string[]): void => {
  const rings = new Set(keys.filter((_, place) => place % 2 === 0))
  if (rings.size < charges.length) throw new Error('A call may charge a ring only once')
  if (charges.some(({ key }) => key.workspaceId !== charges[0]?.key.workspaceId)) {
    throw new Error('A call may charge rings of one workspace only')
  }
}

const byGroup = (left: Pick<RingKey, 'group'>, right: Pick<RingKey, 'group'>): number => {
  if (left.group === right.group) return 0
  return left.group < right.group ? -1 : 1
}

const inParts = <Item>(items: readonly Item[], most: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / most) }, (_, part) => items.slice(part * most, (part + 1) * most))

const toNumbers = (reply: unknown): number[] => {
  if (!Array.isArray(reply) || !reply.every((value) => typeof value === 'number')) {
    throw new Error('Redis answered a script of the rate limits with something else than numbers')
  }
  return reply
}

const toAdmission = ([admitted = 0, ...numbers]: readonly number[], count: number): Admission => ({
  admitted: admitted === 1,
  verdicts: Array.from({ length: count }, (_, place) => toVerdict(numbers.slice(place * VERDICT_LENGTH))),
})

const toVerdict = ([fits = 0, used = 0, index = 0, releaseMs = 0, resetMs = 0, fitMs = 0]: number[]): Verdict => ({
  fits: FITS[fits] ?? 'later',
  used,
  index,
  releaseMs,
  resetMs,
  fitMs,
})
