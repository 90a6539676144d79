import { describe, expect, test } from 'bun:test'
import type { BreakerPolicy } from '#kit/plan'
import { fakeHost } from '#kit/testing'
import {
  ask,
  type Behaviour,
  condition,
  createWorld,
  failing,
  fails,
  good,
  planOf,
  streamOf,
  textOf,
} from '../../../test/support/routing.ts'
import { Breakers, type Health } from './breaker.ts'
import { targetIdentity } from './health.ts'

const COOLDOWN_MS = 30_000

/** Two processes that share their flags. */
const createTwo = () => {
  const { flags, clock, advance } = fakeHost()
  const now = (): number => clock.monotonicMs()
  return { here: new Breakers(flags, now), there: new Breakers(flags, now), advance }
}

const policy = (more: Partial<BreakerPolicy>): BreakerPolicy => ({
  minimumRequests: 5,
  cooldownMs: COOLDOWN_MS,
  ...more,
})

const feed = (breakers: Breakers, by: BreakerPolicy, results: string): void => {
  for (const result of results) {
    const health = ({ g: 'good', b: 'bad', n: 'none' } as Record<string, Health>)[result] ?? 'none'
    breakers.end('t', by, health, { probe: breakers.begin('t') })
  }
}

describe('a breaker', () => {
  test.each([
    ['opens at the number of failures', { failureThreshold: 3 }, 'bbb', false],
    ['counts failures with successes between them', { failureThreshold: 3 }, 'bgbgb', false],
    ['stays closed below it', { failureThreshold: 3 }, 'bgb', true],
    ['opens at the share of failures', { failureThresholdPercentage: 50, minimumRequests: 4 }, 'bgbg', false],
    ['stays closed below that', { failureThresholdPercentage: 60, minimumRequests: 4 }, 'bgbg', true],
    ['and before there were requests enough', { failureThresholdPercentage: 50, minimumRequests: 4 }, 'bbb', true],
    [
      'does not count what was before the first failure',
      { failureThresholdPercentage: 100, minimumRequests: 2 },
      'ggbb',
      false,
    ],
    ['does not count what nobody was asked for', { failureThresholdPercentage: 100, minimumRequests: 2 }, 'bnb', false],
  ])('%s', (_name, more, results, isClosed) => {
    const { here } = createTwo()
    feed(here, policy(more), results)
    expect(here.isAvailable('t')).toBe(isClosed)
    expect(here.isAvailable('another')).toBe(true)
  })

  test('forgets failures that are older than the cool-down', () => {
    const { here, advance } = createTwo()
    const by = policy({ failureThreshold: 2 })
    feed(here, by, 'b')
    advance(COOLDOWN_MS)
    feed(here, by, 'b')
    expect(here.isAvailable('t')).toBe(true)
    feed(here, by, 'b')
    expect(here.isAvailable('t')).toBe(false)
  })

  test('lets one call at a time find out after the cool-down, and closes with its success', () => {
    const { here, advance } = createTwo()
    const by = policy({ failureThreshold: 1 })
    feed(here, by, 'b')
    advance(COOLDOWN_MS - 1)
    expect(here.isAvailable('t')).toBe(false)
    advance(1)
    expect(here.isAvailable('t')).toBe(true)
    const probe = here.begin('t')
    expect(here.isAvailable('t')).toBe(false)
    // One that began before it opened says nothing of now.
    here.end('t', by, 'good')
    here.end('t', by, 'bad')
    expect(here.isAvailable('t')).toBe(false)
    here.end('t', by, 'good', { probe })
    expect(here.isAvailable('t')).toBe(true)
    here.begin('t')
    expect(here.isAvailable('t')).toBe(true)
  })

  test('opens again when that call fails, and waits for another when it says nothing', () => {
    const { here, advance } = createTwo()
    const by = policy({ failureThreshold: 5 })
    feed(here, by, 'bbbbb')
    advance(COOLDOWN_MS)
    feed(here, by, 'n')
    expect(here.isAvailable('t')).toBe(true)
    feed(here, by, 'b')
    expect(here.isAvailable('t')).toBe(false)
    advance(COOLDOWN_MS - 1)
    expect(here.isAvailable('t')).toBe(false)
    advance(1)
    expect(here.isAvailable('t')).toBe(true)
  })

  test('is open for all processes, each of which finds out for itself', () => {
    const { here, there, advance } = createTwo()
    const by = policy({ failureThreshold: 1 })
    feed(here, by, 'b')
    expect(there.isAvailable('t')).toBe(false)
    advance(COOLDOWN_MS)
    expect([here.isAvailable('t'), there.isAvailable('t')]).toEqual([true, true])
    const probe = there.begin('t')
    expect([here.isAvailable('t'), there.isAvailable('t')]).toEqual([true, false])
    there.end('t', by, 'bad', { probe })
    expect([here.isAvailable('t'), there.isAvailable('t')]).toEqual([false, false])
  })

  test('closes everywhere with a success that came while it was open', () => {
    const { here, there } = createTwo()
    const by = policy({ failureThreshold: 1 })
    feed(here, by, 'b')
    expect(there.isAvailable('t')).toBe(false)
    feed(there, by, 'g')
    expect([here.isAvailable('t'), there.isAvailable('t')]).toEqual([true, true])
  })

  test('is not held open by failures of calls that had nowhere else to go', () => {
    const { here, advance } = createTwo()
    const by = policy({ failureThreshold: 1 })
    feed(here, by, 'b')
    advance(COOLDOWN_MS - 1)
    feed(here, by, 'b')
    advance(1)
    expect(here.isAvailable('t')).toBe(true)
  })
})

const config = (breaker: Record<string, unknown>, targets: unknown[] = [{ provider: 'a' }, { provider: 'b' }]) => ({
  strategy: { mode: 'fallback', cb_config: { cooldown_interval: COOLDOWN_MS, ...breaker } },
  targets,
})
const saved = { config: { slug: 'pc-test', versionId: 'version-1' } }

describe('calls', () => {
  /** Who was asked, call by call. */
  const asked = async (
    world: ReturnType<typeof createWorld>,
    of: Record<string, unknown>,
    behaviours: Record<string, Behaviour>,
    calls: number,
    options: Record<string, unknown> = saved,
  ): Promise<readonly string[]> => {
    const seen: string[] = []
    for (let call = 0; call < calls; call++)
      seen.push((await ask(of, behaviours, { world, ...options })).asked.join(''))
    return seen
  }
  const down = { a: fails(503), b: () => good() }
  const up = { a: () => good(), b: () => good() }

  test('leave a target alone that failed too often, and come back to it', async () => {
    const world = createWorld()
    const of = config({ failure_threshold: 3 })
    expect(await asked(world, of, down, 5)).toEqual(['ab', 'ab', 'ab', 'b', 'b'])
    world.nowMs += COOLDOWN_MS
    expect(await asked(world, of, down, 2)).toEqual(['ab', 'b'])
    world.nowMs += COOLDOWN_MS
    expect(await asked(world, of, up, 3)).toEqual(['a', 'a', 'a'])
    expect(await asked(world, of, down, 1)).toEqual(['ab'])
  })

  describe('with an inline config', () => {
    const inline = {}
    const of = (first: Record<string, unknown> = {}, breaker: Record<string, unknown> = {}) =>
      config({ failure_threshold: 2, ...breaker }, [{ provider: 'a', ...first }, { provider: 'b' }])

    test('know of the breakers of its targets, whatever else their configs hold', async () => {
      const world = createWorld()
      expect(await asked(world, of(), down, 1, inline)).toEqual(['ab'])
      expect(await asked(world, of({ retry: { attempts: 0 } }), down, 2, inline)).toEqual(['ab', 'b'])
      world.nowMs += COOLDOWN_MS
      expect(await asked(world, of(), up, 2, inline)).toEqual(['a', 'a'])
    })

    test.each([
      ['model', { override_params: { model: 'm' } }],
      ['host', { custom_host: 'https://other.example' }],
      ['key', { api_key: 'other' }],
      ['setting', { aws_region: 'eu' }],
    ])('tell targets apart by their %s', async (_name, other) => {
      const world = createWorld()
      expect(await asked(world, of(), down, 3, inline)).toEqual(['ab', 'ab', 'b'])
      expect(await asked(world, of(other), down, 1, inline)).toEqual(['ab'])
    })

    test('know of none without `cb_config`, and nothing of those of saved configs', async () => {
      const world = createWorld()
      const plain = { strategy: { mode: 'fallback' }, targets: [{ provider: 'a' }, { provider: 'b' }] }
      expect(await asked(world, of(), down, 3, inline)).toEqual(['ab', 'ab', 'b'])
      expect(await asked(world, plain, down, 1, inline)).toEqual(['ab'])
      expect(await asked(world, of(), down, 1)).toEqual(['ab'])
    })

    test('keep no key in the name of a breaker', async () => {
      const { root } = planOf(of({ api_key: 'sk-secret-0123456789' }))
      if (root.kind !== 'branch' || root.children[0]?.kind !== 'leaf') throw new Error('no such target')
      const { call } = await ask(of(), up, { world: createWorld() })
      expect(targetIdentity(call, root.children[0])).toMatch(/^organisation-1:[\w-]{43}$/)
    })

    test('whose target does not name its provider go by what the call names', async () => {
      const world = createWorld()
      const nameless = config({ failure_threshold: 1 }, [{ override_params: { x: 1 } }, { provider: 'b' }])
      const behaviours = { acme: fails(503), b: () => good() }
      const call = (model: string) => asked(world, nameless, behaviours, 1, { body: { model } })
      expect([await call('m'), await call('m'), await call('n')]).toEqual([['acmeb'], ['b'], ['acmeb']])
    })
  })

  test('of another version begin anew', async () => {
    const world = createWorld()
    const of = config({ failure_threshold: 1 })
    expect(await asked(world, of, down, 2)).toEqual(['ab', 'b'])
    expect(await asked(world, of, down, 1, { config: { versionId: 'version-2' } })).toEqual(['ab'])
  })

  test('do as if there were no breaker when all targets are open', async () => {
    const world = createWorld()
    const of = config({ failure_threshold: 1 })
    const both = { a: fails(503), b: fails(503) }
    expect(await asked(world, of, both, 3)).toEqual(['ab', 'ab', 'ab'])
    expect(await asked(world, of, up, 2)).toEqual(['a', 'a'])
  })

  test.each([
    [500, true],
    [503, true],
    [429, false],
    [404, false],
  ])('count %d as a failure by default: %p', async (status, counts) => {
    const of = config({ failure_threshold: 1 })
    const seen = await asked(createWorld(), of, { a: fails(status), b: () => good() }, 2)
    expect(seen).toEqual(['ab', counts ? 'b' : 'ab'])
  })

  test('count the codes of the config instead', async () => {
    const of = config({ failure_threshold: 1, failure_status_codes: [429] })
    expect(await asked(createWorld(), of, { a: fails(429), b: () => good() }, 2)).toEqual(['ab', 'b'])
    expect(await asked(createWorld(), of, { a: fails(503), b: () => good() }, 2)).toEqual(['ab', 'ab'])
  })

  test('count every retry', async () => {
    const of = config({ failure_threshold: 3 }, [{ provider: 'a', retry: { attempts: 2 } }, { provider: 'b' }])
    expect(await asked(createWorld(), of, down, 2)).toEqual(['aaab', 'b'])
  })

  test('that no provider was asked for count nothing', async () => {
    const of = config({ failure_threshold: 1 })
    expect(await asked(createWorld(), of, down, 2, { ...saved, reaches: false })).toEqual(['ab', 'ab'])
  })

  test('pass over a whole branch when all below it is open', async () => {
    const inner = { strategy: { mode: 'fallback' }, targets: [{ provider: 'a' }, { provider: 'b' }] }
    const of = config({ failure_threshold: 1 }, [inner, { provider: 'c' }])
    const behaviours = { a: fails(503), b: fails(503), c: () => good() }
    expect(await asked(createWorld(), of, behaviours, 2)).toEqual(['abc', 'c'])
  })

  test('of a balance go to the targets that are left', async () => {
    const of = {
      strategy: { mode: 'loadbalance', cb_config: { failure_threshold: 1, cooldown_interval: COOLDOWN_MS } },
      targets: [{ provider: 'a', weight: 9 }, { provider: 'b' }, { provider: 'c', weight: 0 }],
    }
    const world = createWorld({ random: () => 0 })
    const behaviours = { a: fails(503), b: fails(503), c: () => good() }
    expect(await asked(world, of, behaviours, 3)).toEqual(['a', 'b', 'a'])
  })

  test('that follow conditions do so regardless', async () => {
    const of = {
      strategy: { mode: 'fallback', cb_config: { failure_threshold: 1, cooldown_interval: COOLDOWN_MS } },
      targets: [
        {
          strategy: { mode: 'conditional', conditions: [condition({ 'params.x': 1 }, 'a')], default: 'a' },
          targets: [{ name: 'a', provider: 'a' }],
        },
        { provider: 'b' },
      ],
    }
    expect(await asked(createWorld(), of, down, 3)).toEqual(['ab', 'ab', 'ab'])
  })

  test('whose stream breaks count as failures after all', async () => {
    const world = createWorld()
    const of = config({ failure_threshold_percentage: 100, minimum_requests: 2 })
    const broken = () => ({ ...good(), body: streamOf(['some'], failing(502)) })
    for (let call = 0; call < 2; call++) {
      await expect(textOf(await ask(of, { a: broken }, { world, ...saved }))).rejects.toMatchObject({ status: 502 })
    }
    expect(await asked(world, of, down, 1)).toEqual(['b'])
    const whole = createWorld()
    const fine = () => ({ ...good(), body: streamOf(['all']) })
    expect(await textOf(await ask(of, { a: fine }, { world: whole, ...saved }))).toBe('all')
    expect(await asked(whole, of, up, 1)).toEqual(['a'])
  })

  test('at the same time wait for the one that finds out', async () => {
    const world = createWorld()
    const of = config({ failure_threshold: 1 })
    await ask(of, down, { world, ...saved })
    world.nowMs += COOLDOWN_MS
    const { promise, resolve } = Promise.withResolvers<void>()
    const slow = { a: async () => promise.then(() => good()), b: () => good() }
    const first = ask(of, slow, { world, ...saved })
    const second = await ask(of, slow, { world, ...saved })
    expect(second.asked).toEqual(['b'])
    resolve()
    expect((await first).asked).toEqual(['a'])
    expect((await ask(of, up, { world, ...saved })).asked).toEqual(['a'])
  })
})
