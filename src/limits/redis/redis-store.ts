import type { Cluster, Redis } from 'ioredis'
import type { SharedClaim } from '../claims/shared-count.ts'
import type { ToldCount } from '../claims/shared-counts.ts'
import type {
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
} from '../ring/ring-store.ts'
import { type Check, type CheckReply, faultOf, toAdmitRun, toReply } from './admit-run.ts'
import { toGrants, toLeaseRun } from './lease-run.ts'
import { argumentsOf, countKeyOf, fromMember, groupsKeyOf, listOf, namesOf, redisKeyOf } from './redis-keys.ts'
import { createScriptRunner, type RunScript, type ScriptArgument } from './redis-scripts.ts'

/**
 * Rings in Redis, or in a Cluster: each step is one script, which takes the time from the server. Errors of the driver
 * pass through untouched, and nothing is sent a second time after one.
 */
export interface RedisStore {
  /** In a Cluster, each workspace is in a slot of its own. */
  readonly kind: 'single' | 'cluster'
  /**
   * Sent before this returns, with all that is new of the counts.
   * @throws Error when a call names a ring twice, or rings of two workspaces; nothing is charged then
   */
  admit(charges: readonly Charge[], claims?: readonly SharedClaim[]): Promise<CheckReply>
  /**
   * Several calls in one step: each all or nothing, one after the other. Of a call that fails alone, as one does whose
   * ring is no ring, there is the error in its place.
   * @param checks of one workspace in a Cluster
   */
  admitAll(checks: readonly Check[]): Promise<readonly (CheckReply | Error)[]>
  /** In one step, but for a Cluster, where there is one for each workspace, and for more than a hundred. */
  settle(settlements: readonly Settlement[]): Promise<void>
  /**
   * Charges ahead what is asked for, and takes back what was not used. Sent before this returns.
   * @param asks and `backs` of one workspace in a Cluster
   * @returns one for each of `asks`, in order
   */
  lease(asks: readonly RingLeaseAsk[], backs: readonly RingGiveBack[]): Promise<readonly RingGrant[]>
  /** @throws Error as `admit` does */
  peek(charges: readonly Charge[], claims?: readonly SharedClaim[]): Promise<CheckReply>
  /** Tells counts of budgets what this process has spent and holds. In one step for each workspace in a Cluster, else in one. */
  tell(counts: readonly ToldCount[]): Promise<void>
  /**
   * In the order of the groups' hashes. Reads every group of the limit, a few at a time, so that calls come in between:
   * for people, not for the path of a call.
   */
  groups(limit: LimitKey, page: Page): Promise<GroupPage>
  reset(key: RingKey): Promise<boolean>
  /** Adds what was counted elsewhere to the same buckets; what has left the window by now is skipped. */
  merge(additions: readonly RingAddition[]): Promise<void>
  /** Hears that a connection was lost: what was charged shortly before may be charged nowhere. */
  onLost(listener: () => void): void
}

export interface RedisStoreOptions {
  readonly client: Redis | Cluster
  readonly kind: RedisStore['kind']
  /** How scripts are run; by `client` when absent. */
  readonly run?: RunScript
  /** Names this process in the counts of budgets: unique, and another one for each start. Random when absent. */
  readonly process?: string
}

/** Rings that one script reads or writes: it holds up everybody else meanwhile. */
const MOST_RINGS = 128
/** Rings that one merge writes, many buckets of each. */
const MOST_MERGED = 8
/** Asked of the index of groups at a time. */
const SCAN_COUNT = 500
const NO_CLAIMS: readonly SharedClaim[] = []
const NOTHING_ASKED: CheckReply = { admitted: true, verdicts: [], budgets: [] }

export const createRedisStore = ({
  client,
  kind,
  run = createScriptRunner(client),
  process = crypto.randomUUID(),
}: RedisStoreOptions): RedisStore => {
  const judge = async (checks: readonly Check[], changes: boolean): Promise<readonly (CheckReply | Error)[]> => {
    const faults = checks.map(faultOf)
    const sound = checks.filter((check, place) => faults[place] === undefined && !asksNothing(check))
    if (sound.length === 0) return faults.map((fault) => fault ?? NOTHING_ASKED)
    const { keys, args } = toAdmitRun(sound, changes, process)
    const replies = await run('admit', keys, args)
    if (!Array.isArray(replies))
      throw new Error('Redis answered a script of the rate limits with something else than replies')
    let next = 0
    return checks.map((check, place) => {
      const fault = faults[place]
      if (fault !== undefined || asksNothing(check)) return fault ?? NOTHING_ASKED
      next += 1
      return toReply(replies[next - 1], check)
    })
  }

  const judgeOne = async (check: Check, changes: boolean): Promise<CheckReply> => {
    const [reply] = await judge([check], changes)
    if (reply === undefined || reply instanceof Error) throw reply
    return reply
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
    kind,

    admit: (charges, claims = NO_CLAIMS) => judgeOne({ charges, claims }, true),

    admitAll: (checks) => judge(checks, true),

    peek: (charges, claims = NO_CLAIMS) => judgeOne({ charges, claims }, false),

    async tell(counts) {
      const slots =
        kind === 'single' ? [counts] : Map.groupBy(counts, ({ count }) => count.counter.key.workspaceId).values()
      for (const slot of slots) {
        const keys = slot.map(({ count }) => countKeyOf(count))
        const numbers = slot.flatMap(({ count, isWhole }) => {
          const { stored, own, delta } = isWhole ? count.tellWhole() : count.tell()
          return [stored, own, delta, count.counter.endMs ?? 0, isWhole ? 1 : 0]
        })
        await run('tell', keys, [process, listOf(numbers)])
      }
    },

    settle: (settlements) =>
      runEach('settle', combined(settlements), MOST_RINGS, ({ key, index, delta, grain }) => [
        index,
        delta,
        ...argumentsOf(key, grain),
      ]),

    merge: (additions) =>
      runEach('merge', additions, MOST_MERGED, ({ key, grain, buckets }) => [
        ...argumentsOf(key, grain),
        buckets.length,
        ...buckets.flat(),
      ]),

    async lease(asks, backs) {
      const { keys, args } = toLeaseRun(asks, backs)
      return toGrants(await run('lease', keys, args), asks.length)
    },

    onLost(listener) {
      client.on('close', listener)
      if (!('nodes' in client)) return
      // Of a Cluster, that with any of its nodes: nobody says which rings it had.
      const listen = (node: Redis): void => void node.on('close', listener)
      for (const node of client.nodes('all')) listen(node)
      client.on('+node', listen)
    },

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

const asksNothing = ({ charges, claims }: Check): boolean => charges.length + claims.length === 0

const keysOf = (key: RingKey): readonly [string, string] => {
  const { ring, index } = namesOf(key)
  return [ring, index]
}

/**
 * Those of a ring that follow each other as one, where they give back to the same bucket, or owe to the current one: many
 * calls share a ring, and the ring is the same after them.
 */
const combined = (settlements: readonly Settlement[]): readonly Settlement[] => {
  const found: Settlement[] = []
  const places = new Map<string, number>()
  for (const settlement of settlements) {
    const { key, index, delta, grain } = settlement
    if (delta === 0) continue
    const { ring } = namesOf(key)
    const place = places.get(ring)
    const last = place === undefined ? undefined : found[place]
    const isSameKind = last !== undefined && last.delta < 0 === delta < 0 && last.grain === grain
    if (place !== undefined && isSameKind && (delta > 0 || last.index === index)) {
      found[place] = { key, index, delta: last.delta + delta, grain }
      continue
    }
    places.set(ring, found.length)
    found.push(settlement)
  }
  return found
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
