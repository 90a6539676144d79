import { afterEach, describe, expect, test } from 'bun:test'
import { connectRedis } from '../../../src/store/redis.ts'
import { createSharedFlags } from '../../../src/store/shared-flags.ts'
import { testServices } from '../../support/services.ts'
import { chat, type Scene, type State, startProvider, startScene, to } from './support/scene.ts'

const COOLDOWN_MS = 30_000
const FAILURES = 3

const config = {
  strategy: { mode: 'fallback', cb_config: { failure_threshold: FAILURES, cooldown_interval: COOLDOWN_MS } },
  targets: [to('openai'), to('ollama')],
}

const PRIMARY = 'config.targets[0]'
const SECONDARY = 'config.targets[1]'

const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

/** A clock that can be turned on. */
const createClock = () => {
  let passedMs = 0
  return {
    now: () => Date.now() + passedMs,
    monotonicMs: () => performance.now() + passedMs,
    advance: (ms: number): void => {
      passedMs += ms
    },
  }
}

/** Targets that answered so many calls, one after the other; each answer must be whole. */
const answers = async (scene: Scene, calls: number, stream: boolean): Promise<readonly (string | null)[]> => {
  const targets: (string | null)[] = []
  for (let call = 0; call < calls; call++) {
    const { status, text, target } = await chat(scene, 'pc-main', { stream })
    expect(status).toBe(200)
    expect(text).toContain(stream ? 'data: [DONE]' : '"finish_reason":"stop"')
    expect(text).not.toContain('"error"')
    targets.push(target)
  }
  return targets
}

const times = (count: number, target: string): readonly string[] => Array.from({ length: count }, () => target)

describe.each<[State, boolean]>([
  ['overloaded', false],
  ['overloaded', true],
  ['resetting', false],
  ['resetting', true],
])('a primary that is %s (stream: %p) for a minute and then back', (state, stream) => {
  test('is left to the fallback, probed now and then, and used again', async () => {
    const clock = createClock()
    const scene = await startScene({ configs: { 'pc-main': config }, deps: { clock } })
    opened.push(scene.close)
    const { primary } = scene
    expect(await answers(scene, 3, stream)).toEqual(times(3, PRIMARY))
    expect(primary.arrivals()).toBe(3)

    // Down: it is asked until the breaker opens, and then not at all.
    primary.state = state
    expect(await answers(scene, FAILURES, stream)).toEqual(times(FAILURES, SECONDARY))
    expect(primary.arrivals()).toBe(FAILURES)
    clock.advance(COOLDOWN_MS - 5_000)
    expect(await answers(scene, 5, stream)).toEqual(times(5, SECONDARY))
    expect(primary.arrivals()).toBe(0)

    // After the cool-down one call finds out that it is still down.
    clock.advance(5_000)
    expect(await answers(scene, 5, stream)).toEqual(times(5, SECONDARY))
    expect(primary.arrivals()).toBe(1)

    // Back: nobody notices before the next cool-down is over; then the first call closes the breaker.
    primary.state = 'up'
    expect(await answers(scene, 2, stream)).toEqual(times(2, SECONDARY))
    expect(primary.arrivals()).toBe(0)
    clock.advance(COOLDOWN_MS)
    expect(await answers(scene, 5, stream)).toEqual(times(5, PRIMARY))
    expect(primary.arrivals()).toBe(5)

    // Counted anew.
    primary.state = state
    expect(await answers(scene, FAILURES - 1, stream)).toEqual(times(FAILURES - 1, SECONDARY))
    primary.state = 'up'
    expect(await answers(scene, 1, stream)).toEqual([PRIMARY])
  })
})

test('many calls at once in an outage all get their answer', async () => {
  const clock = createClock()
  const scene = await startScene({ configs: { 'pc-main': config }, deps: { clock } })
  opened.push(scene.close)
  scene.primary.state = 'overloaded'
  const storm = () => Promise.all(Array.from({ length: 40 }, () => chat(scene, 'pc-main')))
  expect((await storm()).map(({ status, target }) => [status, target])).toEqual(
    Array.from({ length: 40 }, () => [200, SECONDARY]),
  )
  scene.primary.arrivals()
  clock.advance(COOLDOWN_MS)
  await storm()
  // One finds out; the others may not wait for it, nor go there.
  expect(scene.primary.arrivals()).toBe(1)
})

test('when both are down each is asked, and the client gets the last answer', async () => {
  const scene = await startScene({ configs: { 'pc-main': config } })
  opened.push(scene.close)
  scene.primary.state = 'resetting'
  scene.secondary.state = 'overloaded'
  for (let call = 0; call < FAILURES + 2; call++) {
    const { status, target, text } = await chat(scene, 'pc-main')
    expect([status, target]).toEqual([503, SECONDARY])
    expect(JSON.parse(text)).toMatchObject({ error: { type: 'overloaded_error' }, provider: 'ollama' })
  }
  expect([scene.primary.arrivals(), scene.secondary.arrivals()]).toEqual([FAILURES + 2, FAILURES + 2])
})

test('two gateways on one Redis leave a target alone together', async () => {
  const { redisUrl } = testServices()
  const key = `test-flags:${crypto.randomUUID()}`
  const clock = createClock()
  const primary = await startProvider()
  const secondary = await startProvider()
  const start = async (): Promise<Scene> => {
    const redis = await connectRedis(redisUrl, { timeoutMs: 5_000, commandTimeoutMs: 2_000 })
    const flags = createSharedFlags({ client: redis.client, now: clock.monotonicMs, key, pollIntervalMs: 10 })
    const scene = await startScene({ configs: { 'pc-main': config }, deps: { clock, flags }, primary, secondary })
    opened.push(async () => {
      await scene.close()
      await flags.close()
      await redis.client.del(key)
      await redis.close()
    })
    return scene
  }
  const first = await start()
  const second = await start()
  primary.state = 'overloaded'
  await answers(first, FAILURES, false)
  primary.arrivals()
  // Within a moment the other one knows: calls go past the primary without having failed there once.
  const deadlineMs = performance.now() + 5_000
  let last = await asked(second)
  while (last !== 0 && performance.now() < deadlineMs) last = await asked(second)
  expect(last).toBe(0)
  primary.state = 'up'
  expect(await answers(second, 3, false)).toEqual(times(3, SECONDARY))

  async function asked(scene: Scene): Promise<number> {
    await answers(scene, 1, false)
    return primary.arrivals()
  }
})
