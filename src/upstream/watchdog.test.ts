import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'
import { type GatewayError, IdleTimeout, TotalTimeout } from '../errors/gateway-error.ts'
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
    (error: GatewayError) => expired.push(error.code),
  )
})
afterEach(() => {
  watchdog.stop()
  jest.useRealTimers()
})

const total = (): GatewayError => new TotalTimeout('total')
const idle = (): GatewayError => new IdleTimeout('idle')

describe('the watchdog', () => {
  test('strikes once, at the earliest deadline', () => {
    watchdog.set('total', 100, total)
    watchdog.set('idle', 40, idle)
    pass(39)
    expect(expired).toEqual([])
    pass(1)
    expect(expired).toEqual(['idle_timeout'])
    pass(200)
    expect(expired).toEqual(['idle_timeout'])
  })

  test('a deadline that is moved on and on does not strike, the others still do', () => {
    watchdog.set('total', 100, total)
    for (let round = 0; round < 9; round++) {
      watchdog.set('idle', 20, idle)
      pass(10)
    }
    expect(expired).toEqual([])
    watchdog.set('idle', 20, idle)
    pass(10)
    expect(expired).toEqual(['total_timeout'])
  })

  test('a deadline that is moved nearer strikes earlier', () => {
    watchdog.set('idle', 100, idle)
    watchdog.set('idle', 10, idle)
    pass(10)
    expect(expired).toEqual(['idle_timeout'])
  })

  test('a cleared deadline does not strike, and can be set again', () => {
    watchdog.set('idle', 10, idle)
    watchdog.clear('idle')
    pass(50)
    expect(expired).toEqual([])
    watchdog.set('idle', 10, idle)
    pass(10)
    expect(expired).toEqual(['idle_timeout'])
  })

  test('a stopped watchdog is silent', () => {
    watchdog.set('total', 10, total)
    watchdog.stop()
    pass(50)
    expect(expired).toEqual([])
  })
})
