import { expect, test } from 'bun:test'
import { createManualTime } from '../test-support/manual-time.ts'
import { type Outcome, withinDeadline } from './deadline.ts'

const start = (reply: Promise<string>) => {
  const time = createManualTime()
  const seen: Outcome<string>[] = []
  const { monotonicMs } = time.clock
  void withinDeadline(reply, { deadlineMs: 40, timers: time.timers, monotonicMs }).then((outcome) => seen.push(outcome))
  return { time, seen }
}

test('a reply in time', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const { time, seen } = start(promise)
  await time.advance(39)
  expect(seen).toEqual([])
  resolve('here')
  await time.advance(100)
  expect(seen).toEqual([{ kind: 'reply', value: 'here' }])
})

test('an error in time', async () => {
  const error = new Error('no')
  const { time, seen } = start(Promise.reject(error))
  await time.settle()
  expect(seen).toEqual([{ kind: 'failed', error }])
})

test('no reply: late at the deadline, and not a millisecond before', async () => {
  const { time, seen } = start(new Promise(() => undefined))
  await time.advance(39)
  expect(seen).toEqual([])
  await time.advance(1)
  expect(seen).toEqual([{ kind: 'late' }])
})

test('after this process stood still, what has arrived is read first', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const { time, seen } = start(promise)
  await time.stall(200, () => resolve('here'))
  expect(seen).toEqual([{ kind: 'reply', value: 'here' }])
})

test('after this process stood still and nothing has arrived, it is late all the same', async () => {
  const { time, seen } = start(new Promise(() => undefined))
  await time.stall(200)
  expect(seen).toEqual([{ kind: 'late' }])
})

test('a timer that is only a little late reads nothing', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const { time, seen } = start(promise)
  await time.stall(49, () => resolve('here'))
  expect(seen).toEqual([{ kind: 'late' }])
})
