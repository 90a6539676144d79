import { expect, test } from 'bun:test'
import { createBreaker } from './breaker.ts'

test('opens with the fifth failure in a row, and says so once', () => {
  const breaker = createBreaker()
  const opened = Array.from({ length: 6 }, () => breaker.failed())
  expect(opened).toEqual([false, false, false, false, true, false])
  expect(breaker.isOpen).toBe(true)
})

test('a success begins the row anew', () => {
  const breaker = createBreaker()
  for (let failure = 0; failure < 4; failure += 1) breaker.failed()
  breaker.succeeded()
  for (let failure = 0; failure < 4; failure += 1) breaker.failed()
  expect(breaker.isOpen).toBe(false)
  breaker.failed()
  expect(breaker.isOpen).toBe(true)
})

test('opens when more than half of the last twenty failed, not when half did', () => {
  const breaker = createBreaker()
  for (let pair = 0; pair < 30; pair += 1) {
    breaker.failed()
    breaker.succeeded()
  }
  expect(breaker.isOpen).toBe(false)
  breaker.failed()
  // The oldest of the twenty is a failure: this one only takes its place.
  expect(breaker.isOpen).toBe(false)
  expect(breaker.failed()).toBe(true)
})

test('what failed longer ago than twenty outcomes does not count', () => {
  const breaker = createBreaker()
  for (let failure = 0; failure < 10; failure += 1) {
    breaker.failed()
    breaker.succeeded()
  }
  for (let success = 0; success < 20; success += 1) breaker.succeeded()
  for (let failure = 0; failure < 4; failure += 1) breaker.failed()
  expect(breaker.isOpen).toBe(false)
})

test('late successes do not close it, and once closed it begins anew', () => {
  const breaker = createBreaker()
  for (let failure = 0; failure < 5; failure += 1) breaker.failed()
  breaker.succeeded()
  expect(breaker.isOpen).toBe(true)
  breaker.close()
  expect(breaker.isOpen).toBe(false)
  for (let failure = 0; failure < 4; failure += 1) breaker.failed()
  expect(breaker.isOpen).toBe(false)
})
