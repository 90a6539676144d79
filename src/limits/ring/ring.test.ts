import { expect, describe as group, test } from 'bun:test'
import {
  add,
  type Claim,
  commit,
  copyRing,
  createRing,
  debit,
  describe,
  isInUse,
  judge,
  MOST_COUNTED,
  type Ring,
  refund,
} from './ring.ts'
import { GRIDS, grainOf } from './units.ts'

/** 600 buckets of 100 ms. */
const GRID = GRIDS.rpm
/** The start of a bucket, and of a coarse one. */
const START_MS = 1_700_000_000_000 - (1_700_000_000_000 % 1_000)

const claimOf = (weight: number, rest: Partial<Claim> = {}): Claim => ({
  limit: 10,
  weight,
  grain: 1,
  shadow: false,
  ...rest,
})

/** As a store does it for a call with one charge. */
const ask = (ring: Ring, claim: Claim, nowMs: number) => {
  const fits = judge(ring, GRID, claim, nowMs)
  const conclude = fits === 'yes' || claim.shadow ? commit : describe
  return conclude(ring, GRID, claim, fits, nowMs)
}

group('admission', () => {
  test('a ring admits up to its limit, and what has left makes room', () => {
    const ring = createRing()
    expect(ask(ring, claimOf(4), START_MS)).toMatchObject({ fits: 'yes', used: 4 })
    expect(ask(ring, claimOf(6), START_MS + 150)).toMatchObject({ fits: 'yes', used: 10 })
    expect(ask(ring, claimOf(1), START_MS + 200)).toMatchObject({ fits: 'later', used: 10 })
    expect(ask(ring, claimOf(4), START_MS + 60_099)).toMatchObject({ fits: 'later', used: 10 })
    expect(ask(ring, claimOf(4), START_MS + 60_100)).toMatchObject({ fits: 'yes', used: 10 })
  })

  test('it says when the oldest leaves, when all have, and when the weight fits', () => {
    const ring = createRing()
    ask(ring, claimOf(4), START_MS)
    ask(ring, claimOf(6), START_MS + 5_000)
    const nowMs = START_MS + 7_000
    expect(ask(ring, claimOf(4), nowMs)).toEqual({
      fits: 'later',
      used: 10,
      index: nowMs / 100,
      releaseMs: 53_100,
      resetMs: 58_100,
      fitMs: 53_100,
    })
    expect(ask(ring, claimOf(5), nowMs).fitMs).toBe(58_100)
  })

  test('an empty ring has nothing to wait for', () => {
    expect(ask(createRing(), claimOf(0), START_MS)).toEqual({
      fits: 'yes',
      used: 0,
      index: START_MS / 100,
      releaseMs: 0,
      resetMs: 0,
      fitMs: 0,
    })
  })

  test('a weight above the limit never fits, and a limit of 0 lets nothing through', () => {
    expect(ask(createRing(), claimOf(11), START_MS)).toMatchObject({ fits: 'never', fitMs: 0 })
    expect(ask(createRing(), claimOf(10), START_MS).fits).toBe('yes')
    expect(ask(createRing(), claimOf(0, { limit: 0 }), START_MS).fits).toBe('never')
  })

  test('a weight of 0 adds nothing and asks for room for 1', () => {
    const ring = createRing()
    ask(ring, claimOf(9), START_MS)
    expect(ask(ring, claimOf(0), START_MS)).toMatchObject({ fits: 'yes', used: 9 })
    ask(ring, claimOf(1), START_MS)
    expect(ask(ring, claimOf(0), START_MS)).toMatchObject({ fits: 'later', used: 10, fitMs: 60_100 })
  })

  test('a shadow is counted beyond its limit and says what it would have said', () => {
    const ring = createRing()
    ask(ring, claimOf(10), START_MS)
    expect(ask(ring, claimOf(3, { shadow: true }), START_MS)).toMatchObject({ fits: 'later', used: 13, fitMs: 0 })
    expect(ask(ring, claimOf(30, { shadow: true }), START_MS)).toMatchObject({ fits: 'never', used: 43 })
  })

  test('under more load than it admits it lets through all but a sixtieth', () => {
    const ring = createRing()
    const limit = 6_000
    const claim = claimOf(1, { limit, grain: grainOf('rpm', limit, false) })
    const windows = 20
    let admitted = 0
    for (let nowMs = START_MS; nowMs < START_MS + windows * GRID.windowMs; nowMs += 5)
      if (ask(ring, claim, nowMs).fits === 'yes') admitted += 1
    expect(admitted).toBeGreaterThanOrEqual((windows * limit * 60) / 61)
    expect(admitted).toBeLessThanOrEqual(windows * limit)
  })
})

group('grain', () => {
  test('a coarse bucket leaves with the last of those that it stands for', () => {
    const ring = createRing()
    const coarse = claimOf(10, { grain: 10 })
    expect(ask(ring, coarse, START_MS + 100).index).toBe(START_MS / 100 + 9)
    expect(ask(ring, coarse, START_MS + 60_999).fits).toBe('later')
    expect(ask(ring, coarse, START_MS + 61_000).fits).toBe('yes')
  })

  test('a limit may become finer, and coarser again, while its ring is in use', () => {
    const ring = createRing()
    ask(ring, claimOf(1, { grain: 10 }), START_MS)
    ask(ring, claimOf(2), START_MS + 100)
    ask(ring, claimOf(3), START_MS + 200)
    ask(ring, claimOf(4, { grain: 10 }), START_MS + 300)
    const first = START_MS / 100
    expect([...ring.buckets]).toEqual([
      [first + 1, 2],
      [first + 2, 3],
      [first + 9, 5],
    ])
    expect(ask(ring, claimOf(1), START_MS + 400)).toMatchObject({ releaseMs: 59_800, resetMs: 60_600, fitMs: 59_800 })
  })
})

group('settlement', () => {
  test('a refund goes to the bucket of the charge, and makes room in no later window', () => {
    const ring = createRing()
    const { index } = ask(ring, claimOf(8), START_MS)
    ask(ring, claimOf(2), START_MS + 30_000)
    refund(ring, index, 5)
    expect(ask(ring, claimOf(5), START_MS + 30_000)).toMatchObject({ fits: 'yes', used: 10 })
    // What is left of the first charge leaves with its bucket; nothing of the refund is there to be given twice.
    expect(ask(ring, claimOf(4), START_MS + 60_100).fits).toBe('later')
    expect(ask(ring, claimOf(3), START_MS + 60_100).fits).toBe('yes')
  })

  test('a refund takes no more than there is, and nothing from a bucket that has left', () => {
    const ring = createRing()
    const { index } = ask(ring, claimOf(3), START_MS)
    refund(ring, index, 7)
    expect(ring).toMatchObject({ sum: 0 })
    expect(ring.buckets.size).toBe(0)
    ask(ring, claimOf(3), START_MS + 60_100)
    refund(ring, index, 3)
    expect(ring.sum).toBe(3)
  })

  test('a refund of all of the oldest bucket makes the next one the oldest', () => {
    const ring = createRing()
    const { index } = ask(ring, claimOf(3), START_MS)
    ask(ring, claimOf(4), START_MS + 1_000)
    refund(ring, index, 3)
    expect(ask(ring, claimOf(1), START_MS + 1_000)).toMatchObject({ used: 5, releaseMs: 60_100 })
  })

  test('a debt is counted in full, beyond the limit, and is waited for', () => {
    const ring = createRing()
    ask(ring, claimOf(8), START_MS)
    expect(debit(ring, GRID, 25, 1, START_MS + 1_000)).toBe(START_MS / 100 + 10)
    expect(ask(ring, claimOf(1), START_MS + 1_000)).toMatchObject({ fits: 'later', used: 33, fitMs: 60_100 })
  })
})

group('time', () => {
  test('the time of a ring does not step back', () => {
    const ring = createRing()
    const { index } = ask(ring, claimOf(5), START_MS)
    expect(ask(ring, claimOf(5), START_MS - 3_000)).toMatchObject({ index, used: 10 })
    expect(debit(ring, GRID, 1, 1, START_MS - 3_000)).toBe(index)
    // As of the clock that was put back, which has to come to the same time.
    expect(ask(ring, claimOf(1), START_MS - 3_000).fitMs).toBe(63_100)
  })

  test('a ring is in use until its last bucket has left', () => {
    const ring = createRing()
    expect(isInUse(ring, GRID, START_MS)).toBe(false)
    ask(ring, claimOf(1), START_MS)
    ask(ring, claimOf(1), START_MS + 1_000)
    expect(isInUse(ring, GRID, START_MS + 61_099)).toBe(true)
    expect(isInUse(ring, GRID, START_MS + 61_100)).toBe(false)
    expect(ring.sum).toBe(2)
  })
})

test('rings are put together bucket by bucket, in any order', () => {
  const ring = createRing()
  ask(ring, claimOf(2), START_MS + 1_000)
  const first = START_MS / 100
  add(ring, first + 10, 3)
  add(ring, first, 4)
  expect([...ring.buckets]).toEqual([
    [first, 4],
    [first + 10, 5],
  ])
  expect(ask(ring, claimOf(2), START_MS + 1_000)).toMatchObject({ fits: 'later', used: 9, fitMs: 59_100 })
})

test('a copy is another ring', () => {
  const ring = createRing()
  ask(ring, claimOf(2), START_MS)
  ask(copyRing(ring), claimOf(5), START_MS + 1_000)
  expect(ring).toMatchObject({ sum: 2, newest: START_MS / 100 })
  expect(ring.buckets.size).toBe(1)
})

group('weights beyond all measure', () => {
  test.each([1e308, Number.POSITIVE_INFINITY, MOST_COUNTED])(
    '%p fills a ring and no more, and what was there can leave',
    (weight) => {
      const ring = createRing()
      ask(ring, claimOf(4), START_MS)
      for (let times = 0; times < 3; times++) debit(ring, GRID, weight, 1, START_MS + 5_000)
      expect([ring.sum, ring.buckets.get(START_MS / 100 + 50)]).toEqual([MOST_COUNTED, MOST_COUNTED - 4])
      expect(ask(ring, claimOf(1), START_MS + 60_100)).toMatchObject({ fits: 'later', used: MOST_COUNTED - 4 })
      expect(ask(ring, claimOf(1), START_MS + 65_100)).toMatchObject({ fits: 'yes', used: 1 })
    },
  )

  test.each([Number.NaN, -5, Number.NEGATIVE_INFINITY])('%p is not counted', (weight) => {
    const ring = createRing()
    ask(ring, claimOf(4), START_MS)
    add(ring, START_MS / 100, weight)
    expect([ring.sum, [...ring.buckets.values()]]).toEqual([4, [4]])
  })
})
