import { beforeEach, describe, expect, test } from 'bun:test'
import { createMemoryStore, type MemoryStore } from './memory-store.ts'
import type { Charge, RingKey } from './ring-store.ts'

const START_MS = 1_700_000_000_000

const keyOf = (rest: Partial<RingKey> = {}): RingKey => ({
  workspaceId: 'workspace',
  limitId: 'limit',
  unit: 'rpm',
  group: 'group',
  label: '{"api_key":"one"}',
  ...rest,
})

const chargeOf = (weight: number, key: Partial<RingKey> = {}, rest: Partial<Charge> = {}): Charge => ({
  key: keyOf(key),
  limit: 10,
  weight,
  grain: 1,
  shadow: false,
  ...rest,
})

let nowMs: number
let store: MemoryStore

beforeEach(() => {
  nowMs = START_MS
  store = createMemoryStore({ now: () => nowMs })
})

const usedOf = (key: Partial<RingKey> = {}): (number | undefined)[] =>
  store.peek([chargeOf(0, key)]).verdicts.map(({ used }) => used)

describe('admit', () => {
  test('charges all rings of a call', () => {
    const { admitted, verdicts } = store.admit([chargeOf(3), chargeOf(4, { limitId: 'other' })])
    expect(admitted).toBe(true)
    expect(verdicts).toMatchObject([
      { fits: 'yes', used: 3 },
      { fits: 'yes', used: 4 },
    ])
  })

  test('charges none when one refuses, wherever that stands', () => {
    store.admit([chargeOf(10, { limitId: 'full' })])
    const before = store.size
    for (const charges of [
      [chargeOf(1, { limitId: 'full' }), chargeOf(1)],
      [chargeOf(1), chargeOf(1, { limitId: 'full' })],
    ]) {
      const { admitted, verdicts } = store.admit(charges)
      expect(admitted).toBe(false)
      expect(verdicts.map(({ fits }) => fits).toSorted()).toEqual(['later', 'yes'])
    }
    expect(usedOf()).toEqual([0])
    expect(store.size).toBe(before)
  })

  test('a shadow refuses nothing, and is not charged when another refuses', () => {
    const shadow = chargeOf(30, { limitId: 'shadow' }, { shadow: true })
    expect(store.admit([shadow, chargeOf(1)])).toMatchObject({ admitted: true, verdicts: [{ fits: 'never' }, {}] })
    expect(store.admit([shadow, chargeOf(10)])).toMatchObject({ admitted: false, verdicts: [{ used: 30 }, {}] })
  })

  test('a call without charges is admitted', () => {
    expect(store.admit([])).toEqual({ admitted: true, verdicts: [] })
  })

  test('a weight of 0 leaves nothing behind', () => {
    expect(store.admit([chargeOf(0)]).admitted).toBe(true)
    expect(store.size).toBe(0)
  })

  test('workspace, limit, unit and group each have a ring of their own', () => {
    store.admit([chargeOf(5)])
    expect(usedOf({ workspaceId: 'other' })).toEqual([0])
    expect(usedOf({ limitId: 'other' })).toEqual([0])
    expect(usedOf({ unit: 'rph' })).toEqual([0])
    expect(usedOf({ group: 'other' })).toEqual([0])
    expect(usedOf({ label: 'only for people' })).toEqual([5])
  })

  test('a call that names a ring twice is a mistake, and charges nothing', () => {
    const twice = [chargeOf(1), chargeOf(1, { limitId: 'other' }), chargeOf(2)]
    expect(() => store.admit(twice)).toThrow('only once')
    expect(store.size).toBe(0)
    store.admit([chargeOf(1)])
    expect(() => store.admit(twice)).toThrow('only once')
    expect(() => store.peek(twice)).toThrow('only once')
    expect(usedOf()).toEqual([1])
  })
})

describe('peek', () => {
  test('says what admit would say', () => {
    const charges = [chargeOf(3), chargeOf(4, { limitId: 'other' })]
    const foreseen = store.peek(charges)
    expect(store.size).toBe(0)
    expect(store.admit(charges)).toEqual(foreseen)
    const refused = [chargeOf(8), chargeOf(1, { limitId: 'other' })]
    expect(store.peek(refused)).toEqual(store.admit(refused))
  })

  test('does not move the time of a ring', () => {
    store.admit([chargeOf(1)])
    nowMs += 5_000
    store.peek([chargeOf(1)])
    nowMs -= 5_000
    expect(store.admit([chargeOf(1)]).verdicts).toMatchObject([{ index: START_MS / 100 }])
  })
})

describe('settle', () => {
  test('gives back to the bucket of the charge, and adds debt to the current one', () => {
    const [verdict] = store.admit([chargeOf(9)]).verdicts
    const index = verdict?.index ?? 0
    nowMs += 30_000
    store.settle([
      { key: keyOf(), index, delta: -4, grain: 1 },
      { key: keyOf(), index, delta: 7, grain: 1 },
      { key: keyOf(), index, delta: 0, grain: 1 },
    ])
    expect(usedOf()).toEqual([12])
    nowMs = START_MS + 60_100
    expect(usedOf()).toEqual([7])
  })

  test('counts debt where nothing is counted any more, and gives nothing back there', () => {
    store.settle([{ key: keyOf(), index: START_MS / 100, delta: -4, grain: 1 }])
    expect(store.size).toBe(0)
    store.settle([{ key: keyOf(), index: START_MS / 100, delta: 4, grain: 1 }])
    expect(usedOf()).toEqual([4])
  })
})

describe('groups', () => {
  const limit = { workspaceId: 'workspace', limitId: 'limit', unit: 'rpm' } as const

  test('lists those of one limit that hold anything, page by page, in the order in which they came', () => {
    for (const group of ['c', 'a', 'd', 'b']) store.admit([chargeOf(2, { group, label: `label ${group}` })])
    store.admit([chargeOf(1, { limitId: 'other', group: 'e' })])
    store.admit([chargeOf(1, { unit: 'rph', group: 'f' })])
    nowMs += 1_000
    store.admit([chargeOf(1, { group: 'a' })])
    const names = (offset: number, most: number) => {
      const { groups, total } = store.groups(limit, { offset, limit: most })
      expect(total).toBe(4)
      return groups.map(({ group }) => group)
    }
    expect(names(0, 3)).toEqual(['c', 'a', 'd'])
    expect(names(3, 3)).toEqual(['b'])
    expect(names(4, 3)).toEqual([])
    expect(store.groups(limit, { offset: 1, limit: 1 }).groups).toEqual([
      { group: 'a', label: 'label a', used: 3, releaseMs: 59_100, resetMs: 60_100 },
    ])
    nowMs = START_MS + 60_100
    expect(store.groups(limit, { offset: 0, limit: 9 })).toMatchObject({ groups: [{ group: 'a', used: 1 }], total: 1 })
  })

  test('leaves out a group that was given back all it had', () => {
    const [verdict] = store.admit([chargeOf(2)]).verdicts
    store.settle([{ key: keyOf(), index: verdict?.index ?? 0, delta: -2, grain: 1 }])
    expect(store.groups(limit, { offset: 0, limit: 9 })).toEqual({ groups: [], total: 0 })
  })

  test('has none for a limit that nobody met', () => {
    expect(store.groups({ ...limit, limitId: 'other' }, { offset: 0, limit: 9 })).toEqual({ groups: [], total: 0 })
  })
})

describe('reset', () => {
  test('forgets what one group has used', () => {
    store.admit([chargeOf(10)])
    store.admit([chargeOf(10, { group: 'other' })])
    expect(store.reset(keyOf())).toBe(true)
    expect(store.reset(keyOf())).toBe(false)
    expect(store.admit([chargeOf(10)]).admitted).toBe(true)
    expect(store.admit([chargeOf(1, { group: 'other' })]).admitted).toBe(false)
  })

  test('says that there was nothing when all had left', () => {
    store.admit([chargeOf(10)])
    nowMs += 60_100
    expect(store.reset(keyOf())).toBe(false)
  })
})

describe('room', () => {
  test('what is added to a bucket leaves with it', () => {
    store.adjust(keyOf(), START_MS / 100 - 300, 8)
    expect(store.admit([chargeOf(3)])).toMatchObject({ admitted: false, verdicts: [{ used: 8, fitMs: 30_100 }] })
    nowMs += 30_100
    expect(store.admit([chargeOf(3)])).toMatchObject({ admitted: true, verdicts: [{ used: 3 }] })
  })

  test('what is taken out of buckets is no more than they hold, and a ring without any is dropped', () => {
    store.adjust(keyOf(), START_MS / 100, 5)
    expect(store.adjust(keyOf(), START_MS / 100, -2)).toBe(0)
    expect(store.adjust(keyOf(), START_MS / 100 - 1, -2)).toBe(2)
    expect(store.size).toBe(1)
    expect(store.adjust(keyOf(), START_MS / 100, -4)).toBe(1)
    expect(store.size).toBe(0)
    expect(store.adjust(keyOf(), START_MS / 100, -4)).toBe(4)
  })

  test('what the first rings hold is told bucket by bucket, and those whose buckets have all left go', () => {
    for (const group of ['a', 'b', 'c', 'd']) store.admit([chargeOf(2, { group })])
    nowMs += 60_000
    for (const group of ['b', 'd']) store.admit([chargeOf(1, { group })])
    nowMs += 200
    expect(store.additions(1).map(({ key, buckets }) => [key.group, buckets.map(([, weight]) => weight)])).toEqual([
      ['d', [1]],
    ])
    expect(store.additions(9).map(({ key }) => key.group)).toEqual(['d', 'b'])
    expect(store.size).toBe(2)
  })

  test('a hundred thousand groups that come and go take no more room than those that are in use', () => {
    for (let group = 0; group < 100_000; group += 1) {
      nowMs += 10
      store.admit([chargeOf(1, { unit: 'rps', group: `${group}` })])
    }
    // 200 or so have not ended at any time.
    expect(store.size).toBeLessThan(1_000)
    expect(store.forgotten).toBe(0)
  })

  test('at the maximum the one that ends first, of a few, makes room', () => {
    const small = createMemoryStore({ now: () => nowMs, maximumRings: 3 })
    for (const unit of ['rpd', 'rpm', 'rph'] as const) small.admit([chargeOf(1, { unit })])
    small.admit([chargeOf(1, { unit: 'rpw' })])
    expect(small).toMatchObject({ size: 3, forgotten: 1 })
    const counted = (unit: 'rpm' | 'rpd') => small.groups(keyOf({ unit }), { offset: 0, limit: 9 }).total
    expect([counted('rpm'), counted('rpd')]).toEqual([0, 1])
  })

  test('a call that charges more rings than there may be takes them all the same', () => {
    const small = createMemoryStore({ now: () => nowMs, maximumRings: 1 })
    const charges = [chargeOf(10), chargeOf(10, { group: 'other' })]
    expect(small.admit(charges).admitted).toBe(true)
    expect(small.admit(charges).admitted).toBe(false)
  })
})
