import { expect, test } from 'bun:test'
import { createRestarts } from './restarts.ts'

const MINUTE_MS = 60_000

test('a worker that dies at once is started again after longer and longer, and given up after the fifth time', () => {
  const restarts = createRestarts()
  const delays = [1, 2, 3, 4, 5].map(() => restarts.next(10, true))
  expect(delays).toEqual([100, 200, 400, 800, 1_600].map((afterMs) => ({ afterMs })))
  expect(restarts.next(10, true)).toBe('give-up')
})

test('one that served for a while begins anew', () => {
  const restarts = createRestarts()
  for (let death = 0; death < 20; death++) expect(restarts.next(MINUTE_MS, true)).toEqual({ afterMs: 100 })
})

test('one that cannot start is tried for as long as others serve, as while the database is away', () => {
  const restarts = createRestarts()
  let last = restarts.next(undefined, true)
  for (let death = 0; death < 50; death++) last = restarts.next(undefined, true)
  expect(last).toEqual({ afterMs: 10_000 })
  expect(restarts.next(undefined, false)).toBe('give-up')
})
