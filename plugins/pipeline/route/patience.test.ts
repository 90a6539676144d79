import { describe, expect, test } from 'bun:test'
import { attempt } from '#calls/slots'
import type { Resilience } from '#core/ports'
import { FirstByteTimeout, FirstTokenTimeout } from '#kit'
import { attempts } from '#kit/slots'
import { endpoint } from '../../../test/support/endpoints.ts'
import {
  type AskOptions,
  ask,
  type Behaviour,
  createWorld,
  fails,
  good,
  inTurn,
  STANDARD,
  targetOf,
  throws,
  type World,
} from '../../../test/support/routing.ts'

const STREAM = { stream: true }
const COUNTERPART: Resilience = { useRetryAfterHeader: false, streamRecovery: 'error', skipMalformedEvent: false }

/** What the first attempt of a call is waited for. It fails, and so teaches nothing. */
const waitsOf = async (
  body: Record<string, unknown>,
  { target = {}, strategy = {}, targets, world = createWorld(), ...more }: Options = {},
) => {
  const seen: { readonly firstTokenMs: number | undefined; readonly firstByteMs: number; readonly idleMs: number }[] =
    []
  const config = {
    strategy: { mode: 'fallback', ...strategy },
    targets: targets ?? [{ provider: 'a', ...target }, { provider: 'b' }],
  }
  await ask(
    config,
    { a: fails(500), b: () => good() },
    {
      ...more,
      body,
      world,
      before: (fork) => {
        const { deadlines, firstTokenMs } = fork.get(attempt)
        seen.push({ firstTokenMs, firstByteMs: deadlines.firstByteMs, idleMs: deadlines.idleMs })
      },
    },
  )
  return seen[0]
}

interface Options extends AskOptions {
  readonly target?: Record<string, unknown>
  readonly strategy?: Record<string, unknown>
  readonly targets?: readonly Record<string, unknown>[]
}

describe('while another target could take over', () => {
  test('a stream has its first token to come, and the silence before it is no matter of the connection', async () => {
    expect(await waitsOf(STREAM)).toEqual({ firstTokenMs: 15_000, firstByteMs: 15_000, idleMs: 60_000 })
  })

  test('a whole answer has its head to come, and its body may not be silent', async () => {
    expect(await waitsOf({})).toEqual({ firstTokenMs: 15_000, firstByteMs: 15_000, idleMs: 20_000 })
  })

  test.each([
    [400, 15_000],
    [1_400, 40_000],
    [100_000, 60_000],
  ])('a whole answer of %d tokens may take its time to be written', async (tokens, firstByteMs) => {
    expect(await waitsOf({ max_tokens: tokens })).toMatchObject({ firstByteMs })
    expect(await waitsOf({ ...STREAM, max_tokens: tokens })).toMatchObject({ firstByteMs: 15_000 })
  })

  test('a model that thinks, or is asked to, has its time, whatever the deadlines', async () => {
    const target = { override_params: { model: 'o3' } }
    const config = { bind: targetOf }
    const patient = { firstTokenMs: 120_000, firstByteMs: 120_000, idleMs: 120_000 }
    expect(await waitsOf(STREAM, { target, config })).toEqual(patient)
    expect(await waitsOf({ ...STREAM, reasoning_effort: 'high' })).toEqual(patient)
    expect(await waitsOf({ reasoning_effort: 'high' })).toEqual({ ...patient, idleMs: 60_000 })
    expect(await waitsOf({ ...STREAM, reasoning_effort: 'none' }, { target, config })).toMatchObject({
      firstTokenMs: 15_000,
    })
  })

  test.each([
    ['no other', { targets: [{ provider: 'a' }] }],
    ['no other that goes on after silence', { strategy: { on_status_codes: [429] } }],
    ['no request left', { world: createWorld({ maxAttempts: 1 }) }],
  ])('which %s does: nothing but the deadlines', async (_name, options) => {
    const plain = { firstTokenMs: undefined, firstByteMs: 60_000, idleMs: 60_000 }
    expect(await waitsOf(STREAM, options)).toEqual(plain)
    expect(await waitsOf({}, options)).toEqual(plain)
  })

  test('what passes through has nothing but the deadlines', async () => {
    const before = { firstTokenMs: undefined, firstByteMs: 60_000, idleMs: 60_000 }
    const passing = createWorld()
    const seen: unknown[] = []
    await ask(
      { strategy: { mode: 'fallback' }, targets: [{ provider: 'a' }, { provider: 'b' }] },
      {
        a: (fork) => {
          fork.become(endpoint('proxy'))
          return fails(500)(fork, 1)
        },
        b: () => good(),
      },
      {
        world: passing,
        before: (fork) => {
          const { deadlines, firstTokenMs } = fork.get(attempt)
          seen.push({ firstTokenMs, firstByteMs: deadlines.firstByteMs, idleMs: deadlines.idleMs })
        },
      },
    )
    expect(seen[1]).toEqual(before)
  })

  test.each([
    ['first_token_timeout', { firstTokenTimeoutMs: 2_000 }, { firstTokenMs: undefined, firstByteMs: 2_000 }],
    ['request_timeout', { requestTimeoutMs: 50_000 }, { firstTokenMs: undefined, firstByteMs: 60_000 }],
  ])('the config’s own `%s` is the limit', async (_name, own, expected) => {
    const config: AskOptions['config'] = { bind: (leaf) => ({ ...targetOf(leaf), ...own }) }
    expect(await waitsOf(STREAM, { config })).toMatchObject(expected)
  })

  test('nothing happens where the operator wants the counterpart', async () => {
    const world = createWorld({ resilience: COUNTERPART })
    const plain = { firstTokenMs: undefined, firstByteMs: 60_000, idleMs: 60_000 }
    expect(await waitsOf({ ...STREAM, reasoning_effort: 'high' }, { world })).toEqual(plain)
  })
})

describe('what is learnt', () => {
  const config = { strategy: { mode: 'fallback' }, targets: [{ provider: 'a' }, { provider: 'b' }] }
  const taking =
    (world: World, ms: number, then: Behaviour = () => good()): Behaviour =>
    (fork, count) => {
      world.nowMs += ms
      return then(fork, count)
    }
  const call = (world: World, a: Behaviour, body: Record<string, unknown> = STREAM, options: AskOptions = {}) =>
    ask(config, { a, b: () => good() }, { world, body, ...options })
  const limit = async (world: World, body: Record<string, unknown> = STREAM) =>
    (await waitsOf(body, { world }))?.firstTokenMs

  test('comes from answers, the slow ones too, and is for one kind of call', async () => {
    const world = createWorld()
    await call(world, taking(world, 4_000))
    expect([await limit(world), await limit(world, {})]).toEqual([16_000, 15_000])
    await call(world, taking(world, 6_000))
    expect(await limit(world)).toBe(24_000)
  })

  test.each([
    ['a failure', (world: World) => call(world, taking(world, 9_000, fails(500)))],
    ['what no provider was asked for', (world: World) => call(world, taking(world, 9_000), STREAM, { reaches: false })],
  ])('does not come from %s', async (_name, happen) => {
    const world = createWorld()
    await happen(world)
    expect(await limit(world)).toBe(15_000)
  })

  test.each([new FirstByteTimeout('late'), new FirstTokenTimeout('late')])(
    'gives a target that was given up another chance: %p',
    async (error) => {
      const world = createWorld()
      const { asked } = await call(world, throws(error))
      expect([asked, await limit(world)]).toEqual([['a', 'b'], 30_000])
      world.nowMs += 60_000
      expect(await limit(world)).toBe(15_000)
    },
  )

  test('that the model has thought gives it its time', async () => {
    const world = createWorld()
    const thinking: Behaviour = (fork) => {
      fork.recordUsage({ inputTokens: 1, outputTokens: 9, totalTokens: 10, reasoningTokens: 8 })
      return good()
    }
    const { finish } = await call(world, thinking)
    expect(await limit(world)).toBe(10_000)
    finish()
    expect(await limit(world)).toBe(120_000)
  })

  test('is in the report of every attempt', async () => {
    const { call: called } = await call(createWorld(), inTurn(fails(500)))
    expect(called.find(attempts)?.map(({ first_token_limit_ms: ms }) => ms)).toEqual([15_000, undefined])
  })

  test('is off by itself, or with the rest', async () => {
    const { firstToken: _, ...rest } = STANDARD
    const world = createWorld({ resilience: rest })
    expect(await limit(world)).toBeUndefined()
    expect(await waitsOf({}, { world })).toMatchObject({ firstByteMs: 60_000 })
  })
})
