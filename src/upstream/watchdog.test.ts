import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'
import { Watchdog } from './watchdog.ts'

let nowMs = 0
let expired: string[] = []
let watchdog: Watchdog

/** Lets the clock and the timers run together. */
const pass = (ms: number): void => {
  for (let left = ms; left > 0; left--) {
    nowMs++
    jest.advanceTimersByTime(1)
  }
}

beforeEach(() => {
  jest.useFakeTimers()
  nowMs = 0
  expired = []
  watchdog = new Watchdog(
    () => nowMs,
    (passed) => expired.push(passed),
  )
})
afterEach(() => {
  watchdog.stop()
  jest.useRealTimers()
})

describe('the watchdog', () => {
  test('strikes once, at the earliest deadline', () => {
    watchdog.set('total', 100)
    watchdog.set('idle', 40)
    pass(39)
    expect(expired).toEqual([])
    pass(1)
    expect(expired).toEqual(['idle'])
    pass(200)
    expect(expired).toEqual(['idle'])
  })

  test('a deadline that is moved on and on does not strike, the others still do', () => {
    watchdog.set('total', 100)
    for (let round = 0; round < 9; round++) {
      watchdog.set('idle', 20)
      pass(10)
    }
    expect(expired).toEqual([])
    watchdog.set('idle', 20)
    pass(10)
    expect(expired).toEqual(['total'])
  })

  test('a deadline that is moved nearer strikes earlier', () => {
    watchdog.set('idle', 100)
    watchdog.set('idle', 10)
    pass(10)
    expect(expired).toEqual(['idle'])
  })

  test('a cleared deadline does not strike, and can be set again', () => {
    watchdog.set('idle', 10)
    watchdog.clear('idle')
    pass(50)
    expect(expired).toEqual([])
    watchdog.set('idle', 10)
    pass(10)
    expect(expired).toEqual(['idle'])
  })

  test('a stopped watchdog is silent', () => {
    watchdog.set('total', 10)
    watchdog.stop()
    pass(50)
    expect(expired).toEqual([])
  })
})
