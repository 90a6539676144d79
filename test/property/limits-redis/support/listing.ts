import type { RedisStore } from '../../../../src/limits/redis/redis-store.ts'
import { copyRing, describe, judge } from '../../../../src/limits/ring/ring.ts'
import type { GroupUsage, RingKey } from '../../../../src/limits/ring/ring-store.ts'
import { GRIDS } from '../../../../src/limits/ring/units.ts'
import { type Driver, NOTHING } from './driver.ts'

type LimitKey = Pick<RingKey, 'workspaceId' | 'limitId' | 'unit'>

/** The limits that the driver has rings of. */
const limitsOf = (driver: Driver): LimitKey[] => [
  ...new Map([...driver.rings.values()].map(({ key }) => [`${key.limitId} ${key.unit}`, key])).values(),
]

/** What the groups of a limit have used, in the order of their hashes. */
const usageOf = (driver: Driver, { limitId, unit }: LimitKey, nowMs: number): GroupUsage[] =>
  [...driver.rings.values()]
    .filter(({ key }) => key.limitId === limitId && key.unit === unit)
    .map(({ key, ring }) => {
      const copy = copyRing(ring)
      const fits = judge(copy, GRIDS[unit], NOTHING, nowMs)
      const { used, releaseMs, resetMs } = describe(copy, GRIDS[unit], NOTHING, fits, nowMs)
      return { group: key.group, label: key.label, used, releaseMs, resetMs }
    })
    .filter(({ used }) => used > 0)
    .toSorted((left, right) => (left.group < right.group ? -1 : 1))

/** The list of groups holds those that have used anything, and says what. */
export const findWrongListing = async (
  store: RedisStore,
  driver: Driver,
  nowMs: number,
): Promise<string | undefined> => {
  for (const limit of limitsOf(driver)) {
    const groups = usageOf(driver, limit, nowMs)
    const expected = { groups: groups.slice(0, 1), total: groups.length }
    const actual = await store.groups(limit, { offset: 0, limit: 1 })
    if (!Bun.deepEquals(expected, actual, true)) return `groups: ${Bun.inspect({ limit, expected, actual })}`
  }
  return undefined
}
