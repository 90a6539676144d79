import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'
import { Alarm, type Sleeper } from './alarm.ts'

let nowMs = 0
let alarm: Alarm
beforeEach(() => {
  jest.useFakeTimers()
  nowMs = 0
  alarm = new Alarm(() => nowMs)
})
afterEach(() => {
  jest.useRealTimers()
})

const pass = (ms: number): void => {
  for (let left = ms; left > 0; left--) {
    nowMs++
    jest.advanceTimersByTime(1)
  }
}

/** Wants to be woken at one time, and leaves the list then. */
class Once implements Sleeper {
  slot = -1
  readonly atMs: number
  readonly woken: string[]
  readonly name: string
  /** Leave with it. */
  readonly others: Once[] = []

  constructor(name: string, atMs: number, woken: string[]) {
    this.name = name
    this.atMs = atMs
    this.woken = woken
    alarm.add(this, atMs, nowMs)
  }

  wake(now: number): number {
    if (now < this.atMs) return this.atMs
    this.woken.push(`${this.name}@${now}`)
    for (const each of [this, ...this.others]) alarm.remove(each)
    return Number.POSITIVE_INFINITY
  }
}

describe('the alarm', () => {
  test('wakes each in its time, in whatever order they came', () => {
    const woken: string[] = []
    for (const atMs of [50, 10, 30, 20, 40]) new Once(String(atMs), atMs, woken)
    pass(100)
    expect(woken).toEqual(['10@10', '20@20', '30@30', '40@40', '50@50'])
  })

  test('wakes nobody who left, whatever place they had', () => {
    for (const leaving of [0, 1, 2]) {
      const woken: string[] = []
      const beginMs = nowMs
      const sleepers = [1, 2, 3].map((index) => new Once(String(index), beginMs + 10 * index, woken))
      const gone = sleepers[leaving]
      if (gone !== undefined) alarm.remove(gone)
      if (gone !== undefined) alarm.remove(gone)
      pass(50)
      expect(woken).toHaveLength(2)
      expect(woken.some((each) => each.startsWith(`${leaving + 1}@`))).toBe(false)
    }
  })

  test('copes with sleepers that leave together while it looks', () => {
    const woken: string[] = []
    const sleepers = Array.from({ length: 5 }, (_, index) => new Once(String(index), 10, woken))
    sleepers[4]?.others.push(...sleepers.slice(0, 3))
    pass(40)
    expect(woken).toEqual(['4@10', '3@10'])
    expect(sleepers.every(({ slot }) => slot === -1)).toBe(true)
  })

  test('does not look at everybody more often than every 5 ms', () => {
    let looks = 0
    const restless: Sleeper = {
      slot: -1,
      wake: (now) => {
        looks++
        return now + 1
      },
    }
    alarm.add(restless, 1, 0)
    pass(100)
    expect(looks).toBeLessThanOrEqual(21)
  })

  test('sets no timer while it has an earlier one', () => {
    const set = jest.spyOn(globalThis, 'setTimeout')
    new Once('first', 10, [])
    for (let index = 0; index < 100; index++) alarm.remove(new Once('later', 20 + index, []))
    expect(set).toHaveBeenCalledTimes(1)
    set.mockRestore()
  })
})
