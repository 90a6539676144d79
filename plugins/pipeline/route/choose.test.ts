import { describe, expect, test } from 'bun:test'
import { InvalidConfig } from '#kit'
import { ask, condition, createWorld, fails, good, textOf } from '../../../test/support/routing.ts'

describe('a balance', () => {
  const config = (weights: readonly number[]) => ({
    strategy: { mode: 'loadbalance' },
    targets: weights.map((weight, index) => ({ provider: `p${index}`, weight })),
  })
  const behaviours = { p0: () => good(), p1: () => good(), p2: () => good() }

  test.each([
    [[1, 1], 0, 'p0'],
    [[1, 1], 0.49, 'p0'],
    [[1, 1], 0.5, 'p1'],
    [[3, 1], 0.74, 'p0'],
    [[3, 1], 0.75, 'p1'],
    [[0, 1], 0, 'p1'],
    [[0.2, 0, 0.8], 0.21, 'p2'],
    [[1, 1, 0], 0.999_999_999, 'p1'],
  ] as const)('of %p with a draw of %p goes to %s', async (weights, draw, chosen) => {
    const world = createWorld({ random: () => draw })
    expect((await ask(config(weights), behaviours, { world })).asked).toEqual([chosen])
  })

  test('asks no other target when the one fails', async () => {
    const world = createWorld({ random: () => 0 })
    const call = await ask(config([1, 1]), { p0: fails(503), p1: () => good() }, { world })
    expect([call.asked, call.error]).toMatchObject([['p0'], { status: 503 }])
  })
})

describe('a sticky balance', () => {
  const config = (sticky: Record<string, unknown>, weights: readonly number[] = [1, 1, 1, 1]) => ({
    strategy: { mode: 'loadbalance', sticky: { enabled: true, ...sticky } },
    targets: weights.map((weight, index) => ({ provider: `p${index}`, weight })),
  })
  const behaviours = Object.fromEntries(Array.from({ length: 4 }, (_, index) => [`p${index}`, () => good()]))
  const chosen = async (of: ReturnType<typeof config>, options: Parameters<typeof ask>[2]): Promise<string> =>
    (await ask(of, behaviours, options)).asked.join()

  test('goes by metadata, parameters or headers', async () => {
    const users = Array.from({ length: 40 }, (_, index) => `user-${index}`)
    const ways: readonly (readonly [string, (user: string) => Parameters<typeof ask>[2]])[] = [
      ['metadata.user', (user) => ({ config: { metadata: { user } } })],
      ['params.user', (user) => ({ body: { user } })],
      ['headers.x-user', (user) => ({ headers: { 'X-User': user } })],
    ]
    for (const [field, options] of ways) {
      const of = config({ hash_fields: [field] })
      const first = await Promise.all(users.map((user) => chosen(of, options(user))))
      const again = await Promise.all(
        users.map((user) => chosen(of, { ...options(user), world: createWorld({ random: () => 0.9 }) })),
      )
      expect(again).toEqual(first)
      expect(new Set(first).size).toBe(4)
    }
  })

  test('leaves calls that have none of the fields to chance', async () => {
    const of = config({ hash_fields: ['metadata.user'] })
    const draws = [0, 0.3, 0.6, 0.9]
    const targets = await Promise.all(draws.map((draw) => chosen(of, { world: createWorld({ random: () => draw }) })))
    expect(targets).toEqual(['p0', 'p1', 'p2', 'p3'])
  })

  test('holds for its time and then may change', async () => {
    const of = config({ hash_fields: ['metadata.user'], ttl: 60 })
    const options = { config: { metadata: { user: 'someone' } } }
    const at = (nowMs: number): Promise<string> => {
      const world = createWorld()
      world.nowMs = nowMs
      return chosen(of, { ...options, world })
    }
    const minutes = Array.from({ length: 40 }, (_, index) => index * 60_000)
    expect(new Set(await Promise.all(minutes.map(at))).size).toBeGreaterThan(1)
    // Within one time there is at most one moment of change.
    const seconds = await Promise.all(Array.from({ length: 60 }, (_, index) => at(index * 1_000)))
    const changes = seconds.filter((target, index) => index > 0 && target !== seconds[index - 1])
    expect(changes.length).toBeLessThanOrEqual(1)
  })
})

describe('conditions', () => {
  const config = {
    strategy: {
      mode: 'conditional',
      conditions: [
        condition({ 'metadata.plan': 'paid' }, 'big'),
        condition({ 'params.temperature': { $gt: 1 } }, 'wild'),
        condition({ 'url.pathname': { $regex: 'completions$' }, 'metadata.plan': { $in: ['trial'] } }, 'nested'),
      ],
      default: 'small',
    },
    targets: [
      { name: 'small', provider: 'small' },
      { name: 'wild', provider: 'wild' },
      { name: 'big', provider: 'big' },
      { name: 'nested', strategy: { mode: 'fallback' }, targets: [{ provider: 'x' }, { provider: 'y' }] },
    ],
  }
  const behaviours = Object.fromEntries(['small', 'wild', 'big', 'y'].map((name) => [name, () => good(name)]))

  test.each([
    [{}, {}, ['small']],
    [{ plan: 'paid' }, { temperature: 2 }, ['big']],
    [{ plan: 'free' }, { temperature: 2 }, ['wild']],
    [{ plan: 'trial' }, {}, ['x', 'y']],
  ])('with the metadata %p and the parameters %p choose %p', async (metadata, body, asked) => {
    const options = { config: { metadata: metadata as Record<string, string> }, body }
    const call = await ask(config, { ...behaviours, x: fails(500) }, options)
    expect([await textOf(call), call.asked]).toEqual([asked.at(-1) ?? '', asked])
  })

  test('refuse a call that fits none when there is no default', async () => {
    const base = { kind: 'branch', path: 'config' } as const
    const leaf = { kind: 'leaf', path: 'config.targets[0]', provider: 'small', settings: {} } as const
    const query = { source: {}, holds: () => false }
    const root = { ...base, mode: 'conditional', children: [leaf], conditions: [condition(query, 0)] } as const
    const plan = { root, leaves: [leaf], usesCache: false, usesBreakers: false }
    const call = await ask(config, behaviours, { config: { plan } })
    expect(call.error).toBeInstanceOf(InvalidConfig)
    expect(call.error).toMatchObject({ status: 400, options: { param: 'config.strategy.default' } })
    expect(call.asked).toEqual([])
  })

  test('read a body that is none only when they ask for it', async () => {
    const only = (query: Record<string, unknown>) => ({
      strategy: { mode: 'conditional', conditions: [condition(query, 'a')], default: 'a' },
      targets: [{ name: 'a', provider: 'small' }],
    })
    const resilience = { useRetryAfterHeader: false, streamRecovery: 'error', skipMalformedEvent: false } as const
    const options = { text: 'not JSON', world: createWorld({ resilience }) }
    expect((await ask(only({ 'metadata.x': '1' }), behaviours, options)).asked).toEqual(['small'])
    expect((await ask(only({ 'params.x': '1' }), behaviours, options)).error).toMatchObject({ code: 'invalid_request' })
  })
})
