import { describe, expect, test } from 'bun:test'
import { fakeHost } from '#kit/testing'
import { UpstreamError, UpstreamUnreachable } from '../../../errors/gateway-error.ts'
import { createTokenCache, type Login } from './token-cache.ts'

const HOUR_MS = 3_600_000
const ME = ['entra', 'tenant', 'client', 'secret-canary']

/** A cache, and logins that the test answers when it likes. */
const start = () => {
  const host = fakeHost()
  const cache = createTokenCache<string>({ provider: 'acme', clock: host.clock, log: host.log })
  const asked: PromiseWithResolvers<Login<string>>[] = []
  const login = (): Promise<Login<string>> => {
    const answer = Promise.withResolvers<Login<string>>()
    asked.push(answer)
    return answer.promise
  }
  return {
    host,
    asked,
    get: (identity: readonly string[] = ME) => cache.get(identity, login),
    /** A call that nobody waits for. */
    begin: (identity: readonly string[] = ME): void => {
      Promise.resolve(cache.get(identity, login)).catch(() => undefined)
    },
    refused: () => cache.refused(ME),
    /** Answers the last login. */
    give: async (value: string, lifeMs = HOUR_MS) => {
      asked.at(-1)?.resolve({ value, expiresAtMs: host.clock.now() + lifeMs })
      await Bun.sleep(0)
    },
    fail: async (error: Error) => {
      asked.at(-1)?.reject(error)
      await Bun.sleep(0)
    },
  }
}

const thrownBy = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (error) {
    return error
  }
}

const REFUSED = new UpstreamError('refused', { status: 401 })

test('a hundred calls at once make one login, and those after it wait for nothing', async () => {
  const { get, give, asked } = start()
  const waiting = Array.from({ length: 100 }, () => get())
  await give('token-1')
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['token-1']))
  expect(get()).toBe('token-1')
  expect(asked).toHaveLength(1)
})

test('each identity has a token of its own, however its parts are cut', async () => {
  const { get, begin, give, asked } = start()
  for (const identity of [['a', 'bc'], ['ab', 'c'], ['abc'], ['abc', '']]) {
    begin(identity)
    await give(JSON.stringify(identity))
    expect(get(identity)).toBe(JSON.stringify(identity))
  }
  expect(asked).toHaveLength(4)
})

describe('a token about to end', () => {
  test('is renewed once, while calls go on with it', async () => {
    const { host, get, begin, give, asked } = start()
    begin()
    await give('token-1')
    host.advance(HOUR_MS - 4 * 60_000 - 1)
    expect([get(), asked.length]).toEqual(['token-1', 1])
    host.advance(1)
    expect([get(), get(), asked.length]).toEqual(['token-1', 'token-1', 2])
    await give('token-2')
    expect(get()).toBe('token-2')
    host.advance(10 * 60_000)
    expect([get(), asked.length]).toEqual(['token-2', 2])
  })

  test('that lives shortly is renewed in the last third', async () => {
    const { host, get, begin, give, asked } = start()
    begin()
    await give('token-1', 30_000)
    host.advance(19_999)
    expect([get(), asked.length]).toEqual(['token-1', 1])
    host.advance(1)
    expect([get(), asked.length]).toEqual(['token-1', 2])
  })

  test('is asked for again after a while where the service gives the same one', async () => {
    const { host, get, begin, give, asked } = start()
    begin()
    await give('token-1')
    host.advance(HOUR_MS - 4 * 60_000)
    begin()
    await give('token-1', 4 * 60_000)
    expect([get(), asked.length]).toEqual(['token-1', 2])
    host.advance(160_000 - 1)
    expect([get(), asked.length]).toEqual(['token-1', 2])
    host.advance(1)
    expect([get(), asked.length]).toEqual(['token-1', 3])
  })

  test('that cannot be renewed is used to its end; the log says so, now and then', async () => {
    const { host, get, begin, give, fail, asked } = start()
    begin()
    await give('token-1')
    host.advance(HOUR_MS - 60_000)
    begin()
    await fail(new UpstreamUnreachable('the service is away'))
    expect([get(), get(), asked.length]).toEqual(['token-1', 'token-1', 2])
    expect(host.logLines).toEqual([
      {
        level: 'warn',
        message: 'a login at a provider failed',
        fields: { provider: 'acme', error: 'the service is away' },
      },
    ])
    host.advance(15_000)
    begin()
    expect(asked).toHaveLength(3)
    await fail(new UpstreamUnreachable('the service is away'))
    host.advance(40_000)
    const late = get()
    expect(late).toBeInstanceOf(Promise)
    await give('token-2')
    expect(await late).toBe('token-2')
  })
})

describe('a login that failed', () => {
  test('is told to all that waited, and for a moment to those who come', async () => {
    const { host, get, give, fail, asked } = start()
    const waiting = [get(), get()].map((each) => Promise.resolve(each).catch((error: unknown) => error))
    await fail(REFUSED)
    expect(await Promise.all(waiting)).toEqual([REFUSED, REFUSED])
    host.advance(4_999)
    expect(thrownBy(get)).toBe(REFUSED)
    expect(asked).toHaveLength(1)
    host.advance(1)
    const again = get()
    await give('token-1')
    expect(await again).toBe('token-1')
    expect(get()).toBe('token-1')
  })

  test('for want of an answer is tried again sooner', async () => {
    const { host, get, fail, asked } = start()
    const away = new UpstreamUnreachable('away')
    const first = Promise.resolve(get()).catch((error: unknown) => error)
    await fail(away)
    expect([await first, thrownBy(get)]).toEqual([away, away])
    host.advance(1_000)
    Promise.resolve(get()).catch(() => undefined)
    expect(asked).toHaveLength(2)
    await fail(away)
  })

  test('before it was sent is one too', async () => {
    const host = fakeHost()
    const cache = createTokenCache<string>({ provider: 'acme', clock: host.clock, log: host.log })
    const login = (): Promise<Login<string>> => {
      throw REFUSED
    }
    expect(await Promise.resolve(cache.get(ME, login)).catch((error: unknown) => error)).toBe(REFUSED)
    expect(JSON.stringify(host.logLines)).not.toContain('canary')
  })
})

test('a token that the provider refuses is not used again, unless it is new', async () => {
  const { host, get, begin, give, refused, asked } = start()
  begin()
  await give('token-1')
  refused()
  expect(get()).toBe('token-1')
  host.advance(60_000)
  refused()
  const next = get()
  await give('token-2')
  expect([await next, get(), asked.length]).toEqual(['token-2', 'token-2', 2])
})

test('so many logins are kept that were used last', async () => {
  const { get, begin, give, asked } = start()
  for (let index = 0; index <= 1_000; index++) {
    begin([`${index}`])
    await give(`${index}`)
  }
  expect([get(['1']), get(['1000']), asked.length]).toEqual(['1', '1000', 1_001])
  expect(get(['0'])).toBeInstanceOf(Promise)
  await give('again')
})
