import { describe, expect, test } from 'bun:test'
import { goneAt } from '../ring/ring.ts'
import { GRIDS, leaseMsOf } from '../ring/units.ts'
import { fromMember, groupsKeyOf, keepMsOf, memberOf, redisKeyOf } from './redis-keys.ts'

const key = { workspaceId: 'ws-1', limitId: 'api_key.7', unit: 'rpm', group: 'abc-_DEF', label: '["a b","é"]' } as const
const units = ['rps', 'rpm', 'rph', 'rpd', 'rpw'] as const

describe('keys', () => {
  test('carry the workspace alone as their tag', () => {
    expect(redisKeyOf(key)).toBe('rl:{ws-1}:api_key.7:rpm:abc-_DEF')
    expect(groupsKeyOf(key)).toBe('rl:{ws-1}:api_key.7:rpm:groups')
  })

  test.each([
    ['workspaceId', 'a}b'],
    ['workspaceId', 'a{b'],
    ['workspaceId', ''],
    ['limitId', 'a:b'],
    ['limitId', 'a\0b'],
    ['limitId', 'é'],
    ['limitId', 'a\n'],
    ['group', 'a b'],
    ['group', '{x}'],
    ['group', ''],
    ['group', 'groups'],
  ])('refuse a %s of %j', (part, value) => {
    expect(() => redisKeyOf({ ...key, [part]: value })).toThrow('of a ring')
  })

  test.each(units)('of %s outlive what is written in their last bucket by a second', (unit) => {
    const grid = GRIDS[unit]
    const bucket = 1_234_560
    const lastIndex = bucket + grid.coarseGrain - 1
    expect(bucket * grid.bucketMs + keepMsOf(unit)).toBeGreaterThanOrEqual(goneAt(lastIndex, grid) + 1_000)
  })

  test.each(units)('of %s outlive what is leased at their end by a second', (unit) => {
    const { bucketMs, coarseGrain } = GRIDS[unit]
    const bucket = 1_234_560
    for (const grain of [1, coarseGrain]) {
      const end = Math.floor(((bucket + 1) * bucketMs - 1 + leaseMsOf(unit, grain)) / bucketMs)
      const index = end - (end % grain) + grain - 1
      expect(bucket * bucketMs + keepMsOf(unit)).toBeGreaterThanOrEqual(goneAt(index, GRIDS[unit]) + 1_000)
    }
  })

  test.each(units)('of %s have a field for each bucket', (unit) => {
    // As in scripts/ring.lua, where the name of a field is the index modulo 4096.
    expect(GRIDS[unit].buckets + 2 * GRIDS[unit].coarseGrain).toBeLessThan(4_096)
  })
})

test('members of the index say group and label', () => {
  expect(memberOf(key)).toBe('abc-_DEF ["a b","é"]')
  expect(fromMember(memberOf(key))).toEqual({ group: key.group, label: key.label })
  expect(fromMember(memberOf({ group: 'x', label: '' }))).toEqual({ group: 'x', label: '' })
})
