import { cached } from '../cached.ts'
import type { SharedCount } from '../claims/shared-count.ts'
import type { LimitKey, RingKey } from '../ring/ring-store.ts'
import { GRIDS, type LimitUnit, LONGEST_LEASE_MS } from '../ring/units.ts'
import type { ScriptArgument } from './redis-scripts.ts'

/** A second more than anything is counted, for the clocks of a server and of its replica. */
const SPARE_MS = 1_000

/** Characters of a digest, 6 bits each. */
const DIGEST_LENGTH = 22

/** Neither braces, which would move a key to another slot, nor the colon that separates the parts. */
const ID = /^[\w.-]+$/
/** Base64url; the last part of the key of the index is `groups`. */
const GROUP = /^(?!groups$)[\w-]+$/

/**
 * Key of a ring in Redis. The workspace alone decides about its slot in a Cluster, so that all rings of a call, and the
 * indexes of their groups, are in one.
 * @throws Error when a part holds characters that it must not hold
 */
export const redisKeyOf = (key: Omit<RingKey, 'label'>): string => {
  if (!GROUP.test(key.group)) throw new Error('The group of a ring must be base64url')
  return `${prefixOf(key)}${key.group}`
}

/** Key of the sorted set of a limit's groups. @throws Error as `redisKeyOf` does */
export const groupsKeyOf = (key: LimitKey): string => `${prefixOf(key)}groups`

const prefixOf = ({ workspaceId, limitId, unit }: LimitKey): string => {
  if (!ID.test(workspaceId)) throw new Error('The workspace id of a ring has other characters than A-Z a-z 0-9 . _ -')
  if (!ID.test(limitId)) throw new Error('The limit id of a ring has other characters than A-Z a-z 0-9 . _ -')
  return `rl:{${workspaceId}}:${limitId}:${unit}:`
}

/** How the index of groups names one. */
export const memberOf = ({ group, label }: Pick<RingKey, 'group' | 'label'>): string => `${group} ${label}`

export const fromMember = (member: string): Pick<RingKey, 'group' | 'label'> => {
  const space = member.indexOf(' ')
  return { group: member.slice(0, space), label: member.slice(space + 1) }
}

/** What Redis calls a ring, and the index of the groups of its limit. @throws Error as `redisKeyOf` does */
export const namesOf = cached((key: RingKey) => ({ ring: redisKeyOf(key), index: groupsKeyOf(key) }))

/**
 * Key of a count of a budget in Redis, in the slot of the rings of its workspace: each call sends it, so that all but the
 * workspace is a hash. A reset by hand begins another one.
 * @throws Error as `redisKeyOf` does
 */
export const countKeyOf = (count: SharedCount): string => {
  count.name ??= makeCountKey(count)
  return count.name
}

const makeCountKey = ({ counter, generation }: SharedCount): string => {
  const { workspaceId, budgetId, group, startMs } = counter.key
  if (!ID.test(workspaceId)) throw new Error('The workspace id of a count has other characters than A-Z a-z 0-9 . _ -')
  if (!ID.test(budgetId)) throw new Error('The budget id of a count has other characters than A-Z a-z 0-9 . _ -')
  if (!GROUP.test(group)) throw new Error('The group of a count must be base64url')
  const digest = new Bun.CryptoHasher('sha256')
    .update(`${budgetId}:${group}:${startMs}:${generation}`)
    .digest('base64url')
  return `bl:{${workspaceId}}:${digest.slice(0, DIGEST_LENGTH)}`
}

/** Numbers as one argument. As JSON, but that Redis reads an infinite one too, where JSON would have `null`. */
export const listOf = (numbers: readonly number[]): string => `[${numbers.join(',')}]`

/** What `open` in `scripts/ring.lua` reads. */
export const argumentsOf = (key: RingKey, grain: number): readonly ScriptArgument[] => {
  const { bucketMs, buckets } = GRIDS[key.unit]
  return [bucketMs, buckets, grain, keepMsOf(key.unit), memberOf(key)]
}

/** Milliseconds from the start of the bucket in which a ring was written until its key may go, whatever the grain, and also where it was written ahead. */
export const keepMsOf = (unit: LimitUnit): number => {
  const { buckets, bucketMs, coarseGrain } = GRIDS[unit]
  return (buckets + 1 + coarseGrain) * bucketMs + LONGEST_LEASE_MS + SPARE_MS
}
