import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chat, startWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

const CACHED = { 'x-gateway-config': JSON.stringify({ provider: 'openai', cache: { mode: 'simple' } }) }

describe('an answer that was given before', () => {
  test.each([false, true])('costs nothing, and says what it would have (as a stream: %p)', async (stream) => {
    const body = chat({ stream, seed: stream ? 1 : 2 })
    const { record: first } = await world.ask('/v1/chat/completions', body, CACHED)
    expect(first).toMatchObject({ cacheStatus: 'MISS', attempts: 1, cacheUs: expect.any(Number) })
    world.recorder.opened.length = 0
    const { record } = await world.ask('/v1/chat/completions', body, CACHED)
    expect(record).toMatchObject({
      cacheStatus: 'HIT',
      status: 200,
      success: true,
      provider: 'openai',
      model: 'mock',
      stream,
      attempts: 0,
      cost: { total: 0, input: 0, output: 0, cache: 0, other: 0 },
      savedCost: first.cost?.total ?? -1,
      savedTokens: first.totalTokens ?? -1,
      cacheUs: expect.any(Number),
    })
    for (const name of ['inputTokens', 'unpriced', 'sentUrl', 'upstreamUs', 'priceId'] as const)
      expect(record[name]).toBeUndefined()
    // Nothing can be lost of it that costs anything.
    expect(world.recorder.opened).toEqual([])
  })

  test('of an unknown price saves an unknown amount', async () => {
    const body = chat({ model: 'mock-echo' })
    await world.ask('/v1/chat/completions', body, CACHED)
    const { record } = await world.ask('/v1/chat/completions', body, CACHED)
    expect(record).toMatchObject({ cacheStatus: 'HIT', savedTokens: expect.any(Number) })
    expect([record.savedCost, record.unpriced]).toEqual([undefined, undefined])
  })
})
