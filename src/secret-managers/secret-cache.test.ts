import { expect, jest, test } from 'bun:test'
import { type Secret, SecretFailure } from './manager.ts'
import { CachedSecret } from './secret-cache.ts'

const MINUTE = 60_000

/** A manager that answers when the test says, and a clock that the test moves. */
const start = () => {
  let nowMs = 0
  const waiting: PromiseWithResolvers<Secret>[] = []
  let asked = 0
  const cached = new CachedSecret(
    () => {
      asked++
      const answer = Promise.withResolvers<Secret>()
      waiting.push(answer)
      return answer.promise
    },
    () => nowMs,
  )
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn++) await Promise.resolve()
  }
  return {
    cached,
    get: () => cached.get(),
    /** What it throws, now or later. */
    failure: async () => {
      try {
        return await cached.get()
      } catch (thrown) {
        return thrown
      }
    },
    asked: () => asked,
    advance: (ms: number) => {
      nowMs += ms
    },
    give: async (text: string) => {
      waiting.shift()?.resolve({ text })
      await settled()
    },
    fail: async (outcome: 'away' | 'refused' = 'away') => {
      waiting.shift()?.reject(new SecretFailure(outcome, `it is ${outcome}`))
      await settled()
    },
  }
}

const first = async () => {
  const started = start()
  const waiting = started.get()
  await started.give('one')
  expect(await waiting).toEqual({ text: 'one' })
  return started
}

test('a hundred calls at once ask once, and those that come after wait for nothing', async () => {
  const { get, give, asked, advance } = start()
  const calls = Array.from({ length: 100 }, get)
  await give('one')
  const found = await Promise.all(calls)
  expect(new Set(found).size).toBe(1)
  advance(4 * MINUTE - 1)
  expect(get()).toBe(found[0] as Secret)
  expect(asked()).toBe(1)
})

test('it is read again before it ends, while calls go on with what they have', async () => {
  const { get, give, asked, advance } = await first()
  advance(4 * MINUTE)
  for (let call = 0; call < 100; call++) expect(get()).toEqual({ text: 'one' })
  expect(asked()).toBe(2)
  await give('two')
  expect(get()).toEqual({ text: 'two' })
  advance(4 * MINUTE - 1)
  expect(get()).toEqual({ text: 'two' })
  expect(asked()).toBe(2)
})

test('one that nobody asked for in the meantime is read before it is used', async () => {
  const { get, give, advance } = await first()
  advance(5 * MINUTE)
  const waiting = get()
  expect(waiting).toBeInstanceOf(Promise)
  await give('two')
  expect(await waiting).toEqual({ text: 'two' })
})

test('one that says the same is the same object', async () => {
  const { get, give, advance } = await first()
  const before = get()
  advance(4 * MINUTE)
  void get()
  await give('one')
  expect(get()).toBe(before)
})

test('while its manager is away, the last one holds for an hour, and is asked for four times a minute', async () => {
  const { get, failure, fail, give, asked, advance, cached } = await first()
  advance(4 * MINUTE)
  void get()
  await fail()
  expect([get(), cached.staleMs]).toEqual([{ text: 'one' }, 0])
  advance(MINUTE)
  for (let minutes = 5; minutes < 60; minutes++) {
    const before = asked()
    const waiting = get()
    await fail()
    expect(await waiting).toEqual({ text: 'one' })
    expect(cached.staleMs).toBe(minutes * MINUTE)
    // At once, and without a further question.
    expect(get()).toEqual({ text: 'one' })
    advance(MINUTE)
    expect(asked()).toBe(before + 1)
  }
  const waiting = failure()
  await fail()
  expect(await waiting).toMatchObject({ outcome: 'away', message: 'it is away' })
  expect(cached.staleMs).toBe(0)
  // For a moment without asking.
  expect(await failure()).toMatchObject({ message: 'it is away' })
  advance(1_000)
  const back = get()
  await give('two')
  expect(await back).toEqual({ text: 'two' })
})

test('a manager that says no is not away: what it gave before ends with its five minutes', async () => {
  const { get, failure, fail, advance } = await first()
  advance(4 * MINUTE)
  void get()
  await fail('refused')
  expect(get()).toEqual({ text: 'one' })
  advance(MINUTE)
  const refused = failure()
  await fail('refused')
  expect(await refused).toMatchObject({ outcome: 'refused' })
  advance(5_000)
  // Not even if it is away after that.
  const away = failure()
  await fail('away')
  expect(await away).toMatchObject({ outcome: 'away' })
})

test('a manager that hangs is waited for two seconds where there is a last one', async () => {
  jest.useFakeTimers()
  try {
    const { get, give, advance, asked } = await first()
    advance(6 * MINUTE)
    const waiting = get()
    jest.advanceTimersByTime(2_000)
    expect(await waiting).toEqual({ text: 'one' })
    expect(get()).toEqual({ text: 'one' })
    expect(asked()).toBe(2)
    await give('two')
    expect(get()).toEqual({ text: 'two' })
  } finally {
    jest.useRealTimers()
  }
})
