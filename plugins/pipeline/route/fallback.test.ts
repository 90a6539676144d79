import { describe, expect, test } from 'bun:test'
import {
  type Call,
  ConnectTimeout,
  EgressRefused,
  FirstByteTimeout,
  IdleTimeout,
  InvalidRequest,
  LimitsUnavailable,
  ProviderKeyRequired,
  RateLimited,
  RequestExceedsLimit,
  RequestTimeout,
  ShuttingDown,
  StoredProviderExhausted,
  StoredProviderExpired,
  StreamTruncated,
  TotalTimeout,
  UnknownProvider,
  UpstreamInvalid,
  UpstreamTooLarge,
  UpstreamUnreachable,
} from '#kit'
import type { Leaf } from '#kit/plan'
import { attempts, type Target, target } from '#kit/slots'
import {
  ask,
  type Behaviour,
  createWorld,
  failing,
  fails,
  good,
  streamOf,
  targetOf,
  textOf,
  throws,
} from '../../../test/support/routing.ts'

const chain = (strategy: Record<string, unknown> = {}, names: readonly string[] = ['a', 'b', 'c']) => ({
  strategy: { mode: 'fallback', ...strategy },
  targets: names.map((provider) => ({ provider })),
})

describe('a fallback', () => {
  test('stays with the first target while that answers', async () => {
    const call = await ask(chain(), { a: () => good('from a') })
    expect(await textOf(call)).toBe('from a')
    expect(call.headers).toEqual({
      'x-gateway-provider': 'a',
      'x-gateway-last-used-option-index': 'config.targets[0]',
      'x-gateway-retry-attempt-count': '0',
    })
    expect(call.call.find(attempts)).toBeUndefined()
  })

  test.each([400, 401, 403, 404, 409, 429, 500, 502, 503, 529])('goes on after %d', async (status) => {
    const call = await ask(chain(), { a: fails(status), b: fails(status), c: () => good('from c') })
    expect([await textOf(call), call.asked]).toEqual(['from c', ['a', 'b', 'c']])
    expect(call.headers).toMatchObject({
      'x-gateway-provider': 'c',
      'x-gateway-last-used-option-index': 'config.targets[2]',
      'x-gateway-retry-attempt-count': '0',
    })
  })

  test.each([
    ['a broken connection', new UpstreamUnreachable('reset')],
    ['no connection', new ConnectTimeout('late')],
    ['silence', new FirstByteTimeout('silent')],
    ['silence after the head', new IdleTimeout('silent')],
    ['the time-out of the call', new RequestTimeout('late')],
    ['an unreadable answer', new UpstreamInvalid('strange')],
    ['an answer that is too large', new UpstreamTooLarge('large')],
    ['a stream cut before its first piece', new StreamTruncated('cut')],
    ['a limit of ours for this target', new RateLimited('full')],
    ['a request larger than a limit of ours', new RequestExceedsLimit('large')],
    ['a limit of ours that cannot be asked', new LimitsUnavailable('away')],
  ])('goes on after %s', async (_name, error) => {
    const call = await ask(chain(), { a: throws(error), b: () => good('from b') })
    expect([await textOf(call), call.asked]).toEqual(['from b', ['a', 'b']])
  })

  test.each([
    ['a request that is wrong for any target', new InvalidRequest('wrong')],
    ['an address that is refused', new EgressRefused('private')],
    ['a target without a key', new ProviderKeyRequired('no key')],
    ['a target that does not exist', new UnknownProvider('no such')],
    ['a call that took too long as a whole', new TotalTimeout('late')],
    ['the end of the gateway', new ShuttingDown('stopping')],
    ['a fault of ours', new TypeError('x is undefined')],
    ['a limit of ours that any target would meet', new RateLimited('full', { endsCall: true })],
  ])('ends with %s', async (_name, error) => {
    const call = await ask(chain(), { a: throws(error), b: () => good() })
    expect([call.error, call.asked]).toEqual([error, ['a']])
    expect(call.headers['x-gateway-last-used-option-index']).toBe('config.targets[0]')
  })

  test('gives the last failure with its status when all fail', async () => {
    const last = failing(418)
    const call = await ask(chain(), { a: fails(500), b: fails(503), c: throws(last) })
    expect(call.error).toBe(last)
    expect(call.headers).toMatchObject({ 'x-gateway-provider': 'c', 'x-gateway-retry-attempt-count': '0' })
  })

  test('only goes on after the codes it lists, a success among them if it is one', async () => {
    const strategy = { on_status_codes: [429, 246] }
    expect((await ask(chain(strategy), { a: fails(500), b: () => good() })).asked).toEqual(['a'])
    expect((await ask(chain(strategy), { a: fails(429), b: () => good() })).asked).toEqual(['a', 'b'])
    const checked = streamOf(['from a'])
    const soft = { ...good(), status: 246, body: checked }
    const call = await ask(chain(strategy), { a: () => soft, b: () => good('from b') })
    expect([await textOf(call), call.asked, checked.cancelled]).toEqual(['from b', ['a', 'b'], true])
  })

  test('gives a listed success when nothing else is left', async () => {
    const config = chain({ on_status_codes: [246] })
    const call = await ask(config, { a: fails(500), b: () => good() })
    expect(call.error).toMatchObject({ status: 500 })
    const soft = (text: string) => () => ({ ...good(text), status: 246 })
    const last = await ask(config, { a: soft('a'), b: soft('b'), c: soft('c') })
    expect([await textOf(last), last.asked, last.answer?.status]).toEqual(['c', ['a', 'b', 'c'], 246])
  })

  test('a target that cannot be bound ends it', async () => {
    const error = new UnknownProvider('no such')
    const bind = ({ provider }: { provider?: string }) => {
      if (provider === 'b') throw error
      return { path: 'x', provider: { id: 'a' }, settings: {}, forwardHeaders: [], strict: true } as never
    }
    const call = await ask(chain(), { a: fails(500), c: () => good() }, { config: { bind } })
    expect([call.error, call.asked]).toEqual([error, ['a']])
  })

  describe('a stored provider that cannot be asked now', () => {
    const spent = {
      expired: new StoredProviderExpired('expired', { param: '@expired' }),
      exhausted: new StoredProviderExhausted('exhausted', { param: '@exhausted' }),
    }
    const bind = (leaf: Leaf): Target => {
      const error = spent[leaf.provider as keyof typeof spent]
      if (error !== undefined) throw error
      return targetOf(leaf)
    }
    const over = (names: readonly string[], behaviours: Record<string, Behaviour>, strategy = {}) =>
      ask(chain(strategy, names), behaviours, { config: { bind } })

    test('is passed over, first or later, and shown among the attempts', async () => {
      const call = await over(['expired', 'exhausted', 'b'], { b: () => good('from b') })
      expect([await textOf(call), call.asked]).toEqual(['from b', ['b']])
      expect(call.headers['x-gateway-last-used-option-index']).toBe('config.targets[2]')
      expect(call.call.find(attempts)).toMatchObject([
        { path: 'config.targets[0]', provider: '@expired', status: 401, error: 'stored_provider_expired', ms: 0 },
        { path: 'config.targets[1]', provider: '@exhausted', status: 412, error: 'stored_provider_exhausted', ms: 0 },
        { path: 'config.targets[2]', provider: 'b', status: 200 },
      ])
      const later = await over(['a', 'expired', 'c'], { a: fails(500), c: () => good('from c') })
      expect([await textOf(later), later.asked]).toEqual(['from c', ['a', 'c']])
    })

    test('counts as one that failed with its status', async () => {
      const strategy = { on_status_codes: [401, 500] }
      expect((await over(['expired', 'b'], { b: () => good() }, strategy)).asked).toEqual(['b'])
      const listed = await over(['exhausted', 'b'], { b: () => good() }, strategy)
      expect([listed.error, listed.asked]).toEqual([spent.exhausted, []])
    })

    test('is the answer where nobody was asked, and else gives way to what was said', async () => {
      expect((await over(['exhausted', 'expired'], {})).error).toBe(spent.expired)
      const failed = failing(503)
      expect((await over(['a', 'expired'], { a: throws(failed) })).error).toBe(failed)
      const soft = () => ({ ...good('soft'), status: 246 })
      expect(await textOf(await over(['a', 'expired'], { a: soft }, { on_status_codes: [246] }))).toBe('soft')
    })
  })

  test('at its end the attempt whose answer is used is the call’s', async () => {
    const { call } = await ask(chain(), { a: fails(500), b: () => good() })
    expect(call.get(target).provider.id).toBe('b')
    const failed = await ask(chain(), { a: fails(500), b: fails(500), c: fails(500) })
    expect(failed.call.get(target).provider.id).toBe('c')
  })

  test('what a failed attempt said in the headers goes with it', async () => {
    const call = await ask(
      chain(),
      { a: fails(500), b: () => good() },
      {
        before: (attempt) => {
          const { id } = attempt.get(target).provider
          attempt.replyHeaders.set(`x-${id}`, 'said')
        },
      },
    )
    expect(Object.keys(call.headers).filter((name) => name.startsWith('x-a') || name.startsWith('x-b'))).toEqual([
      'x-b',
    ])
  })
})

describe('nested', () => {
  test('the inner fallback is done with before the outer one goes on', async () => {
    const config = {
      strategy: { mode: 'fallback' },
      targets: [chain({}, ['a', 'b']), { strategy: { mode: 'single' }, targets: [{ provider: 'c' }] }],
    }
    const call = await ask(config, { a: fails(500), b: fails(500), c: () => good('from c') })
    expect([await textOf(call), call.asked]).toEqual(['from c', ['a', 'b', 'c']])
    expect(call.headers['x-gateway-last-used-option-index']).toBe('config.targets[1].targets[0]')
  })

  test('each level looks at its own codes', async () => {
    const config = {
      strategy: { mode: 'fallback', on_status_codes: [503] },
      targets: [chain({ on_status_codes: [429] }, ['a', 'b']), { provider: 'c' }],
    }
    expect((await ask(config, { a: fails(503), c: () => good() })).asked).toEqual(['a', 'c'])
    expect((await ask(config, { a: fails(429), b: fails(500) })).asked).toEqual(['a', 'b'])
    expect((await ask(config, { a: fails(429), b: fails(503), c: () => good() })).asked).toEqual(['a', 'b', 'c'])
    expect((await ask(config, { a: fails(500) })).asked).toEqual(['a'])
  })

  test('a balance inside a fallback is asked once', async () => {
    const config = {
      strategy: { mode: 'fallback' },
      targets: [
        { strategy: { mode: 'loadbalance' }, targets: [{ provider: 'a' }, { provider: 'b' }] },
        { provider: 'c' },
      ],
    }
    const world = createWorld({ random: () => 0.75 })
    expect((await ask(config, { b: fails(500), c: () => good() }, { world })).asked).toEqual(['b', 'c'])
  })
})

describe('a model that refuses a request', () => {
  const models = (names: readonly (readonly [provider: string, model: string])[], strategy = {}) => ({
    strategy: { mode: 'fallback', ...strategy },
    retry: { attempts: 5 },
    targets: names.map(([provider, model]) => ({ provider, override_params: { model } })),
  })
  const tooLong = { wireCode: 'context_length_exceeded', type: 'invalid_request_error' }
  const filtered = { wireCode: 'content_filter' }

  test('for its length is not asked again, nor is the same model with another key', async () => {
    const config = models([
      ['a', 'small'],
      ['a', 'small'],
      ['a', 'large'],
      ['b', 'small'],
    ])
    const call = await ask(config, { a: fails(400, tooLong), b: () => good('from b') })
    expect([await textOf(call), call.asked]).toEqual(['from b', ['a', 'a', 'b']])
    expect(call.headers['x-gateway-last-used-option-index']).toBe('config.targets[3]')
  })

  test('keeps its failure when there is no other model', async () => {
    const config = models([
      ['a', 'small'],
      ['a', 'small'],
    ])
    const call = await ask(config, { a: fails(400, tooLong) })
    expect([call.error, call.asked]).toMatchObject([{ status: 400 }, ['a']])
  })

  test('for its content is the last one, unless the config asks for others', async () => {
    const pair = [
      ['a', 'strict'],
      ['b', 'free'],
    ] as const
    const behaviours = { a: fails(400, filtered), b: () => good('from b') }
    expect((await ask(models(pair), behaviours)).asked).toEqual(['a'])
    expect((await ask(models(pair, { on_status_codes: [400] }), behaviours)).asked).toEqual(['a'])
    const asked = await ask(models(pair, { on_content_refusal: true }), behaviours)
    expect([await textOf(asked), asked.asked]).toEqual(['from b', ['a', 'b']])
  })

  test('in a plain answer counts too where the config asks', async () => {
    const refusal = () => good(JSON.stringify({ choices: [{ finish_reason: 'content_filter', message: {} }] }))
    const pair = [
      ['a', 'strict'],
      ['b', 'free'],
    ] as const
    expect((await ask(models(pair), { a: refusal })).asked).toEqual(['a'])
    const config = models(pair, { on_content_refusal: true })
    expect((await ask(config, { a: refusal, b: () => good('{}') })).asked).toEqual(['a', 'b'])
    const both = await ask(config, { a: refusal, b: refusal })
    expect([both.answer?.status, both.asked]).toEqual([200, ['a', 'b']])
    const partly = () =>
      good(JSON.stringify({ choices: [{ finish_reason: 'content_filter' }, { finish_reason: 'stop' }] }))
    expect((await ask(config, { a: partly })).asked).toEqual(['a'])
  })
})

describe('the record of a call', () => {
  test('lists every attempt of one that was tried more than once', async () => {
    const { call } = await ask(
      { ...chain(), targets: [{ provider: 'a', override_params: { model: 'm-a' } }, { provider: 'b' }] },
      { a: throws(new UpstreamUnreachable('reset')), b: () => good() },
    )
    expect(call.find(attempts)).toEqual([
      {
        path: 'config.targets[0]',
        provider: 'a',
        model: 'm-a',
        status: 502,
        first_token_limit_ms: 15_000,
        error: 'upstream_unreachable',
        ms: 0,
      },
      { path: 'config.targets[1]', provider: 'b', status: 200, ms: 0 },
    ])
  })

  test('has no tokens of attempts that failed', async () => {
    const usage = { inputTokens: 5, outputTokens: 7, totalTokens: 12 }
    const spend = (fork: Call): void => {
      fork.recordUsage(usage)
      fork.estimateUsage((reported) => reported ?? usage)
    }
    const failed = await ask(chain(), {
      a: (fork) => {
        spend(fork)
        throw failing(500)
      },
      b: (fork) => {
        fork.recordUsage({ ...usage, totalTokens: 99 })
        return good()
      },
    })
    expect(failed.finish().usage).toEqual({ ...usage, totalTokens: 99 })
    const allFailed = await ask(chain({}, ['a', 'b']), {
      a: (fork) => {
        spend(fork)
        throw failing(500)
      },
      b: (fork) => {
        spend(fork)
        throw failing(500)
      },
    })
    expect(allFailed.finish().usage).toBeUndefined()
  })

  test('listeners of an attempt hear of its own end', async () => {
    const heard: unknown[] = []
    const call = await ask(
      chain(),
      { a: fails(503), b: () => good() },
      {
        before: (fork) => {
          const { id } = fork.get(target).provider
          fork.onFinish(({ outcome, status, reachedProvider }) => heard.push([id, outcome, status, reachedProvider]))
        },
      },
    )
    expect(heard).toEqual([['a', 'failed', 503, true]])
    call.finish()
    expect(heard).toEqual([
      ['a', 'failed', 503, true],
      ['b', 'completed', 200, true],
    ])
  })
})
