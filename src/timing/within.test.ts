import { expect, test } from 'bun:test'
import { within } from './within.ts'

const never = new Promise<string>(() => undefined)

test('gives what the work comes to, or throws what it throws', async () => {
  expect(await within(Promise.resolve('done'), 1_000)).toBe('done')
  const failed = (): Promise<never> => Promise.reject(new Error('broken'))
  expect(async () => await within(failed(), 1_000, () => new Error('late'))).toThrow('broken')
})

test('gives nothing when the work is late, or throws what stands for that', async () => {
  expect(await within(never, 1)).toBeUndefined()
  expect(async () => await within(never, 1, () => new Error('late'))).toThrow('late')
})

test('is given up with its signal, at once or before it began', async () => {
  const leaving = new AbortController()
  const waiting = within(never, 10_000, undefined, leaving.signal)
  leaving.abort(new Error('the caller left'))
  expect(async () => await waiting).toThrow('the caller left')
  expect(async () => await within(Promise.resolve(1), 1, undefined, leaving.signal)).toThrow('the caller left')
})

test('leaves neither a timer nor a listener behind', async () => {
  const { signal } = new AbortController()
  let listeners = 0
  const counting = Object.assign(Object.create(signal) as AbortSignal, {
    throwIfAborted: () => undefined,
    addEventListener: () => void listeners++,
    removeEventListener: () => void listeners--,
  })
  let isLate = false
  await within(Promise.resolve(), 1, () => {
    isLate = true
    return new Error('late')
  })
  await within(Promise.resolve(), 1, undefined, counting)
  await Bun.sleep(5)
  expect([isLate, listeners]).toEqual([false, 0])
})
