import { describe, expect, test } from 'bun:test'
import { attempt } from '#calls/slots'
import {
  ConnectTimeout,
  type Endpoint,
  FirstByteTimeout,
  IdleTimeout,
  RateLimited,
  RequestTimeout,
  UpstreamInvalid,
  UpstreamTooLarge,
  UpstreamUnreachable,
} from '#kit'
import { attempts } from '#kit/slots'
import { endpoint } from '../../../test/support/endpoints.ts'
import {
  ask,
  type Behaviour,
  createWorld,
  failing,
  fails,
  good,
  inTurn,
  STANDARD,
  textOf,
  throws,
} from '../../../test/support/routing.ts'
import { wait } from './retry.ts'

const single = (retry: Record<string, unknown>) => ({ provider: 'a', retry })
const pair = (retry: Record<string, unknown>) => ({
  strategy: { mode: 'fallback' },
  retry,
  targets: [{ provider: 'a' }, { provider: 'b' }],
})

describe('a config that does not say whether a 429 is waited for', () => {
  const busy = (retryAfterMs: number): Behaviour => inTurn(fails(429, { retryAfterMs }), () => good())
  const asked = async (retryAfterMs: number, options: Parameters<typeof createWorld>[0] = {}, retry = {}) => {
    const world = createWorld({ random: () => 0, ...options })
    const behaviours = { a: busy(retryAfterMs), b: () => good() }
    const call = await ask(pair({ attempts: 2, ...retry }), behaviours, { world })
    return [call.asked.join(''), world.waits]
  }

  test('goes to another target when that would take longer than the back-off', async () => {
    expect(await asked(1_000)).toEqual(['aa', [1_000]])
    expect(await asked(1_001)).toEqual(['ab', []])
    expect(await asked(7_000, {}, { use_retry_after_header: true })).toEqual(['aa', [7_000]])
  })

  test('goes by the word of the operator', async () => {
    const resilience = { useRetryAfterHeader: false, streamRecovery: 'error', skipMalformedEvent: false } as const
    expect(await asked(7_000, { resilience })).toEqual(['aa', [500]])
    expect(await asked(900, { resilience }, { use_retry_after_header: true })).toEqual(['aa', [900]])
  })
})

describe('a retry', () => {
  test('is only made where the config asks for it', async () => {
    const call = await ask({ provider: 'a' }, { a: fails(503) })
    expect([call.asked.length, call.headers['x-gateway-retry-attempt-count']]).toEqual([1, '0'])
  })

  test.each([429, 500, 502, 503, 504, 529])('is made after %d by default', async (status) => {
    const call = await ask(single({ attempts: 3 }), { a: inTurn(fails(status), fails(status), () => good()) })
    expect([await textOf(call), call.asked.length]).toEqual(['good', 3])
    expect(call.headers['x-gateway-retry-attempt-count']).toBe('2')
  })

  test.each([401, 403, 404, 408, 409, 501])('is not made after %d by default', async (status) => {
    expect((await ask(single({ attempts: 3 }), { a: fails(status) })).asked.length).toBe(1)
  })

  test('goes by the codes of the config instead of those', async () => {
    const retry = { attempts: 2, on_status_codes: [409] }
    expect((await ask(single(retry), { a: fails(409) })).asked.length).toBe(3)
    expect((await ask(single(retry), { a: fails(503) })).asked.length).toBe(1)
  })

  test.each([400, 413, 422])('is never made after %d, listed or not', async (status) => {
    const retry = { attempts: 2, on_status_codes: [status, 503] }
    expect((await ask(single(retry), { a: fails(status) })).asked.length).toBe(1)
  })

  test('is counted as -1 when all have failed, and the last failure stands', async () => {
    const call = await ask(single({ attempts: 2 }), { a: inTurn(fails(500), fails(502), fails(503)) })
    expect(call.error).toMatchObject({ status: 503 })
    expect([call.asked.length, call.headers['x-gateway-retry-attempt-count']]).toEqual([3, '-1'])
    expect(call.call.find(attempts)?.map(({ status }) => status)).toEqual([500, 502, 503])
  })

  test('goes before the next target, whose own retries are counted anew', async () => {
    const call = await ask(pair({ attempts: 1 }), { a: fails(500), b: inTurn(fails(500), () => good('from b')) })
    expect([await textOf(call), call.asked]).toEqual(['from b', ['a', 'a', 'b', 'b']])
    expect(call.headers['x-gateway-retry-attempt-count']).toBe('1')
  })

  test('asks for a listed success again, and gives the last one', async () => {
    const soft: Behaviour = (_attempt, count) => ({ ...good(String(count)), status: 246 })
    const call = await ask(single({ attempts: 2, on_status_codes: [246] }), { a: soft })
    expect([await textOf(call), call.headers['x-gateway-retry-attempt-count']]).toEqual(['3', '-1'])
  })
})

describe('what may be tried again', () => {
  const again = async (error: unknown, retry = {}): Promise<readonly [alone: number, before: readonly string[]]> => {
    const policy = { attempts: 1, ...retry }
    const alone = await ask(single(policy), { a: throws(error) })
    const chain = await ask(pair(policy), { a: throws(error), b: () => good() })
    return [alone.asked.length, chain.asked]
  }

  test.each([
    ['a broken connection', new UpstreamUnreachable('reset')],
    ['an unreadable answer', new UpstreamInvalid('strange')],
    ['a 429 that says when', failing(429, { retryAfterMs: 10 })],
  ])('%s: the same target first', async (_name, error) => {
    expect(await again(error)).toEqual([2, ['a', 'a', 'b']])
  })

  test.each([
    ['silence', new FirstByteTimeout('silent')],
    ['silence after the head', new IdleTimeout('silent')],
    ['no connection', new ConnectTimeout('late')],
    ['a 429 that does not say when', failing(429)],
  ])('%s: another target first, the same one if there is none', async (_name, error) => {
    expect(await again(error)).toEqual([2, ['a', 'b']])
  })

  test.each([
    ['an answer that is too large', new UpstreamTooLarge('large')],
    ['a used-up budget', failing(429, { wireCode: 'insufficient_quota', retryAfterMs: 10 })],
    ['a limit of ours', new RateLimited('full', { retryAfterMs: 10 })],
  ])('%s: never the same target', async (_name, error) => {
    expect(await again(error)).toEqual([1, ['a', 'b']])
  })

  test('the time-out of the call: the same target, when 408 is listed', async () => {
    const error = new RequestTimeout('late')
    expect(await again(error)).toEqual([1, ['a', 'b']])
    expect(await again(error, { on_status_codes: [408] })).toEqual([2, ['a', 'a', 'b']])
  })
})

describe('the wait', () => {
  const waits = async (random: number, retry = {}, behaviour: Behaviour = fails(503)): Promise<readonly number[]> => {
    const world = createWorld({ random: () => random })
    await ask(single({ attempts: 5, ...retry }), { a: behaviour }, { world })
    return world.waits
  }

  test('doubles each time, between half of it and the whole', async () => {
    expect(await waits(0)).toEqual([500, 1_000, 2_000, 4_000, 8_000])
    expect((await waits(0.999_999)).map(Math.round)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000])
  })

  test('is what a 429 asks for, if the config honours that', async () => {
    const busy = fails(429, { retryAfterMs: 7_000 })
    expect(await waits(0, { use_retry_after_header: true, attempts: 2 }, busy)).toEqual([7_000, 7_000])
    expect(await waits(0, { use_retry_after_header: false, attempts: 2 }, busy)).toEqual([500, 1_000])
    expect(await waits(0, { attempts: 2 }, busy)).toEqual([7_000, 7_000])
    const other = fails(503, { retryAfterMs: 7_000 })
    expect(await waits(0, { use_retry_after_header: true, attempts: 2 }, other)).toEqual([500, 1_000])
  })

  test('is not begun when it would make more than a minute in all', async () => {
    const header = { use_retry_after_header: true }
    expect(await waits(0, header, fails(429, { retryAfterMs: 86_400_000 }))).toEqual([])
    expect(await waits(0, header, fails(429, { retryAfterMs: 25_000 }))).toEqual([25_000, 25_000])
  })

  test('adds up over targets', async () => {
    const world = createWorld()
    const busy = fails(429, { retryAfterMs: 25_000 })
    await ask(pair({ attempts: 1, use_retry_after_header: true }), { a: busy, b: busy }, { world })
    expect(world.waits).toEqual([25_000, 25_000])
    const third = createWorld()
    const config = pair({ attempts: 2, use_retry_after_header: true })
    const { asked } = await ask(config, { a: busy, b: busy }, { world: third })
    expect([third.waits, asked]).toEqual([
      [25_000, 25_000],
      ['a', 'a', 'a', 'b'],
    ])
  })

  test('is not begun when the call would be over first', async () => {
    const world = createWorld({ totalMs: 2_500, random: () => 0.999_999 })
    const { asked } = await ask(single({ attempts: 5 }), { a: fails(503) }, { world })
    expect([world.waits.length, asked.length]).toEqual([1, 2])
  })

  test('ends at once when the client leaves', async () => {
    const leaving = new AbortController()
    const reason = new Error('the client left')
    const world = createWorld({ wait, retryBaseMs: 60_000, random: () => 0 })
    const call = await ask(
      single({ attempts: 1 }),
      {
        a: () => {
          queueMicrotask(() => setTimeout(() => leaving.abort(reason)))
          throw failing(503)
        },
      },
      { world, signal: leaving.signal },
    )
    expect([call.error, call.asked.length]).toEqual([reason, 1])
  })
})

describe('the budget of a call', () => {
  test('bounds retries and targets together', async () => {
    const config = {
      strategy: { mode: 'fallback' },
      retry: { attempts: 5 },
      targets: ['a', 'b', 'c', 'd'].map((provider) => ({ provider })),
    }
    const behaviours = { a: fails(500), b: fails(500), c: fails(500), d: fails(500) }
    const count = async (maxAttempts: number) =>
      (await ask(config, behaviours, { world: createWorld({ maxAttempts, retryBaseMs: 0 }) })).asked.join('')
    expect(await count(10)).toBe('aaaaaabbbb')
    expect(await count(1)).toBe('a')
    expect(await count(100)).toBe('aaaaaabbbbbbccccccdddddd')
  })

  test('does not count what no provider was asked for', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `p${index}`)
    const config = { strategy: { mode: 'fallback' }, targets: names.map((provider) => ({ provider })) }
    const full = throws(new RateLimited('full'))
    const behaviours = Object.fromEntries(names.map((name) => [name, name === 'p11' ? () => good() : full]))
    const world = createWorld({ maxAttempts: 1 })
    const reached = await ask(config, behaviours, { world })
    expect(reached.asked).toEqual(['p0'])
    const refused = await ask(config, behaviours, { world, reaches: false })
    expect([refused.asked.length, refused.answer?.status]).toEqual([12, 200])
  })

  describe('at an endpoint that must not be asked twice', () => {
    const once = { ...endpoint('chat'), replay: 'never' } as const
    const askOnce = async (config: Record<string, unknown>, a: Behaviour, reaches = true) =>
      ask(config, { a, b: () => good('from b') }, { endpoint: once, reaches })

    test('is one request, whatever became of it', async () => {
      for (const config of [single({ attempts: 2 }), pair({ attempts: 2 })]) {
        for (const failure of [failing(503), new IdleTimeout('silent'), new UpstreamUnreachable('gone')]) {
          const call = await askOnce(config, throws(failure))
          expect([call.asked.join(''), call.error]).toEqual(['a', failure])
        }
      }
      const listed = await askOnce(pair({ attempts: 2, on_status_codes: [200] }), () => good())
      expect([listed.asked.join(''), await textOf(listed)]).toEqual(['a', 'good'])
    })

    test('leaves the next target for one that no provider was asked for', async () => {
      const call = await askOnce(pair({ attempts: 2 }), throws(new RateLimited('no room')), false)
      expect([call.asked.join(''), await textOf(call)]).toEqual(['ab', 'from b'])
    })

    test('waits for it as long as for a target that is alone', async () => {
      const idleMs = async (kind: Endpoint) => {
        const resilience = { ...STANDARD, silence: { ms: 5_000, thinkingMs: 5_000 } }
        const call = await ask(
          pair({ attempts: 1 }),
          { a: () => good() },
          { endpoint: { ...kind, learnsPatience: true }, world: createWorld({ resilience }) },
        )
        return call.call.get(attempt).deadlines?.idleMs
      }
      expect([await idleMs(once), await idleMs(endpoint('chat'))]).toEqual([60_000, 5_000])
    })
  })

  test('ends with the time of the call', async () => {
    const world = createWorld({ totalMs: 1_000 })
    const slow: Behaviour = () => {
      world.nowMs += 600
      throw failing(500)
    }
    const names = ['a', 'b', 'c']
    const config = { strategy: { mode: 'fallback' }, targets: names.map((provider) => ({ provider })) }
    const left: number[] = []
    const { asked, error } = await ask(
      config,
      { a: slow, b: slow, c: slow },
      {
        world,
        before: (fork) => {
          left.push(fork.get(attempt).deadlines.totalMs)
        },
      },
    )
    expect([asked, error, left]).toMatchObject([['a', 'b'], { status: 500 }, [1_000, 400]])
  })
})
