import { describe, expect, test } from 'bun:test'
import { chargeOf } from '../test-support/limit-world.ts'
import { ringIdOf } from './last-replies.ts'
import { createUnmerged } from './unmerged.ts'

const NOW_MS = Date.UTC(2026, 0, 1)
const BUCKET = NOW_MS / 100
const { key } = chargeOf()

const created = (maximumRings?: number) => {
  const time = { nowMs: NOW_MS }
  return { time, unmerged: createUnmerged(() => time.nowMs, maximumRings) }
}

describe('what the shared store does not know of yet', () => {
  test('gathers bucket by bucket, and goes as one addition for each ring', () => {
    const { unmerged } = created()
    unmerged.add(key, 1, BUCKET, 2)
    unmerged.add(key, 1, BUCKET, 3)
    unmerged.add(key, 1, BUCKET + 1, 4)
    expect(unmerged.begin(64)).toEqual([
      {
        key,
        grain: 1,
        buckets: [
          [BUCKET, 5],
          [BUCKET + 1, 4],
        ],
      },
    ])
  })

  test('is on its way until it has arrived, and is not sent twice meanwhile', () => {
    const { unmerged } = created()
    unmerged.add(key, 1, BUCKET, 2)
    const [addition] = unmerged.begin(64)
    unmerged.add(key, 1, BUCKET, 7)
    expect(unmerged.begin(64)).toEqual([])
    expect(unmerged.of(ringIdOf(key))).toEqual([
      [BUCKET, 7],
      [BUCKET, 2],
    ])
    if (addition !== undefined) unmerged.finish(addition, true)
    expect(unmerged.begin(64)).toEqual([{ key, grain: 1, buckets: [[BUCKET, 7]] }])
  })

  test('comes back when it has not arrived', () => {
    const { unmerged } = created()
    unmerged.add(key, 1, BUCKET, 2)
    const [addition] = unmerged.begin(64)
    unmerged.add(key, 10, BUCKET, 1)
    if (addition !== undefined) unmerged.finish(addition, false)
    expect(unmerged.begin(64)).toEqual([{ key, grain: 10, buckets: [[BUCKET, 3]] }])
  })

  test('gives back what has not been sent, and says what it could not', () => {
    const { unmerged } = created()
    unmerged.add(key, 1, BUCKET, 5)
    expect(unmerged.take(key, BUCKET, 2)).toBe(0)
    expect(unmerged.take(key, BUCKET + 1, 2)).toBe(2)
    expect(unmerged.take(key, BUCKET, 4)).toBe(1)
    expect(unmerged.size).toBe(0)
  })

  test('takes nothing from what is on its way', () => {
    const { unmerged } = created()
    unmerged.add(key, 1, BUCKET, 5)
    unmerged.begin(64)
    expect(unmerged.take(key, BUCKET, 5)).toBe(5)
  })

  test('leaves out what has left the window', () => {
    const { time, unmerged } = created()
    unmerged.add(key, 1, BUCKET, 5)
    unmerged.add(key, 1, BUCKET + 1, 1)
    time.nowMs += 60_100
    expect(unmerged.begin(64)).toEqual([{ key, grain: 1, buckets: [[BUCKET + 1, 1]] }])
    time.nowMs += 100
    unmerged.add(chargeOf({ group: 'other' }).key, 1, BUCKET + 1, 1)
    expect(unmerged.begin(64)).toEqual([])
    expect(unmerged.size).toBe(1)
  })

  test('an operator who resets a ring resets what is on its way too', () => {
    const { unmerged } = created()
    unmerged.add(key, 1, BUCKET, 5)
    const [addition] = unmerged.begin(64)
    unmerged.forget(ringIdOf(key))
    if (addition !== undefined) unmerged.finish(addition, false)
    expect(unmerged.size).toBe(0)
  })
})

describe('bounds', () => {
  test('a ring holds no more buckets than its window, however long it is away', () => {
    const { time, unmerged } = created()
    for (let bucket = 0; bucket < 5_000; bucket += 1) {
      time.nowMs = NOW_MS + bucket * 100
      unmerged.add(key, 1, BUCKET + bucket, 1)
    }
    expect(unmerged.of(ringIdOf(key)).length).toBeLessThanOrEqual(602)
    expect(unmerged.begin(1)[0]?.buckets.length).toBe(601)
  })

  test('the ring that came first makes room, and is counted when it still mattered', () => {
    const { time, unmerged } = created(2)
    for (const group of ['a', 'b', 'c']) unmerged.add(chargeOf({ group }).key, 1, BUCKET, 1)
    expect(unmerged.dropped).toBe(1)
    expect(unmerged.begin(64).map((addition) => addition.key.group)).toEqual(['b', 'c'])
    for (const group of ['d', 'e']) unmerged.add(chargeOf({ group }).key, 1, BUCKET, 1)
    time.nowMs += 60_100
    unmerged.add(chargeOf({ group: 'f' }).key, 1, BUCKET + 601, 1)
    expect(unmerged.dropped).toBe(1)
  })
})
