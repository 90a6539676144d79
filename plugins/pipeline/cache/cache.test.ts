import { describe, expect, test } from 'bun:test'
import { UpstreamError } from '#kit'
import { report } from '#kit/slots'
import { CHAT, cacheWorld, completion, jsonAnswer, streamAnswer, useOf } from '../../../test/support/caching.ts'

const STREAM = { ...CHAT, stream: true }

describe('an answer', () => {
  test('is given again, byte by byte, without asking the provider', async () => {
    const world = await cacheWorld()
    const first = await world.ask()
    const text = await first.text()
    const second = await world.ask()
    expect([first.status, second.status, world.asked()]).toEqual(['MISS', 'HIT', 1])
    expect(await second.text()).toBe(text)
    expect(Object.fromEntries(second.answer.headers)).toEqual({ 'content-type': 'application/json' })
    expect(second.call.reachedProvider).toBe(false)
    const usage = { inputTokens: 3, outputTokens: 2, totalTokens: 5 }
    expect(useOf(second)).toEqual({ status: 'HIT', tokensSaved: 5, saved: { usage } })
    expect(second.call.get(report)).toEqual({ provider: 'acme', model: 'm-1', droppedParams: ['seed'], stream: false })
    expect(second.call.replyHeaders.get('x-gateway-dropped-params')).toBe('seed')
  })

  test('is not given to a call that wants all of its request or nothing, when a part was lost', async () => {
    const world = await cacheWorld()
    await world.status()
    expect(await world.status({ headers: { 'x-gateway-strict-params': 'true' } })).toBe('MISS')
    expect(await world.status({ headers: { 'x-gateway-strict-params': 'false' } })).toBe('HIT')
  })

  test('is not kept without a cache in the config', async () => {
    const world = await cacheWorld()
    expect(await world.status({ uncached: true })).toBe('DISABLED')
    expect(await world.status()).toBe('MISS')
    const disabled = await world.ask({ uncached: true })
    expect([disabled.status, useOf(disabled)]).toEqual(['DISABLED', { status: 'DISABLED' }])
  })

  test('is found whatever the order of the keys, and not when anything else differs', async () => {
    const world = await cacheWorld()
    await world.status({ text: '{"model":"m-1","messages":[{"role":"user","content":"Hello"}],"temperature":1}' })
    const same = '{"temperature":1.0, "messages":[{"content":"Hello","role":"user"}],"model":"m-1","stream":false}'
    expect(await world.status({ text: same })).toBe('HIT')
    const others = [
      '{"model":"m-1","messages":[{"role":"user","content":"Hello"}]}',
      '{"model":"m-2","messages":[{"role":"user","content":"Hello"}],"temperature":1}',
      '{"model":"m-1","messages":[{"role":"user","content":"hello"}],"temperature":1}',
      '{"model":"m-1","messages":[{"role":"user","content":"Hello"}],"temperature":1,"user":"u"}',
      '{"model":"m-1","messages":[{"role":"user","content":"Hello"}],"temperature":1,"seed":9007199254740993}',
      '{"model":"m-1","messages":[{"role":"user","content":"Hello"}],"temperature":1,"seed":9007199254740992}',
    ]
    const statuses: (string | undefined)[] = []
    for (const text of others) statuses.push(await world.status({ text }))
    expect(statuses).toEqual(others.map(() => 'MISS'))
  })

  test('is looked for by the parameters as the target gets them', async () => {
    const world = await cacheWorld()
    await world.status({ body: { ...CHAT, temperature: 0 } })
    expect(await world.status({ to: { overrideParams: { temperature: 0 } } })).toBe('HIT')
    expect(await world.status({ body: { ...CHAT, temperature: 0, seed: 1 }, to: { dropParams: ['seed'] } })).toBe('HIT')
    expect(await world.status({ body: { ...CHAT, temperature: 0 }, to: { overrideParams: { top_p: 1 } } })).toBe('MISS')
  })

  test('ends with its age, and with the age that the one who asks allows', async () => {
    const world = await cacheWorld()
    await world.status()
    world.host.advance(3_599_000)
    expect(await world.status()).toBe('HIT')
    expect(await world.status({ to: { cache: { mode: 'simple', maxAgeSeconds: 60 } } })).toBe('MISS')
    world.host.advance(3_600_000)
    expect(await world.status()).toBe('MISS')
  })

  test('is the same for embeddings, and of a list of models there is none', async () => {
    const world = await cacheWorld()
    const body = { model: 'e-1', input: 'Hello' }
    const provider = () => jsonAnswer({ object: 'list', data: [], model: 'e-1', usage: {} })
    expect(await world.status({ endpoint: 'embeddings', body, provider })).toBe('MISS')
    expect(await world.status({ endpoint: 'embeddings', body, provider })).toBe('HIT')
    expect(await world.status({ endpoint: 'models', provider })).toBe('DISABLED')
  })
})

describe('not kept is', () => {
  test.each([
    ['an answer with another status', () => jsonAnswer(completion(), 201)],
    [
      'one without an end',
      () => jsonAnswer(completion('Hi', { choices: [{ index: 0, message: {}, finish_reason: null }] })),
    ],
    ['one without choices', () => jsonAnswer({ choices: [] })],
    ['one that is no JSON', () => ({ ...jsonAnswer(), body: new TextEncoder().encode('{') })],
    ['one that is too large', () => jsonAnswer(completion('x'.repeat(2_000)))],
  ])('%s', async (_name, provider) => {
    const world = await cacheWorld({ maxEntryBytes: 1_500 })
    const first = await world.ask({ provider })
    await first.text()
    expect(await world.status({ provider })).toBe('MISS')
    expect(world.asked()).toBe(2)
    expect(await world.status()).toBe('MISS')
    expect(await world.status()).toBe('HIT')
  })

  test.each([
    ['a stream that broke off', () => streamAnswer(['Hi'], new Error('reset'))],
    ['one without a last word', () => ({ ...streamAnswer([]), body: streamAnswer(['Hi']).body, status: 206 })],
    ['one that is too large', () => streamAnswer(Array.from({ length: 200 }, () => '0123456789'))],
  ])('%s', async (_name, provider) => {
    const world = await cacheWorld({ maxEntryBytes: 1_500 })
    await (await world.ask({ body: STREAM, provider })).text().catch(() => undefined)
    expect(await world.status({ body: STREAM })).toBe('MISS')
    expect(await world.status({ body: STREAM })).toBe('HIT')
  })

  test('an error', async () => {
    const world = await cacheWorld()
    const provider = () => {
      throw new UpstreamError('busy', { status: 503 })
    }
    await expect(world.ask({ provider })).rejects.toThrow('busy')
    expect(await world.status()).toBe('MISS')
  })

  test('the answer of a call whose client left', async () => {
    const world = await cacheWorld()
    const { call } = await world.ask()
    call.finish('client_closed', 499)
    expect(await world.status()).toBe('MISS')
  })
})

describe('force refresh', () => {
  const FRESH = { 'x-gateway-cache-force-refresh': 'TRUE' }

  test('asks again and replaces what was kept', async () => {
    const world = await cacheWorld()
    const says = (text: string) => () => jsonAnswer(completion(text))
    await world.status({ provider: says('old') })
    expect(await world.status({ headers: FRESH, provider: says('new') })).toBe('REFRESH')
    const hit = await world.ask()
    expect([hit.status, JSON.parse(await hit.text()).choices[0].message.content, world.asked()]).toEqual([
      'HIT',
      'new',
      2,
    ])
  })

  test('leaves nothing when the new answer is not kept', async () => {
    const world = await cacheWorld()
    await world.status()
    expect(await world.status({ headers: FRESH, provider: () => jsonAnswer({ choices: [] }) })).toBe('REFRESH')
    expect(await world.status()).toBe('MISS')
  })

  test('means nothing without a cache, and only `true` asks for it', async () => {
    const world = await cacheWorld()
    expect(await world.status({ headers: FRESH, uncached: true })).toBe('DISABLED')
    await world.status()
    expect(await world.status({ headers: { 'x-gateway-cache-force-refresh': 'false' } })).toBe('HIT')
  })
})

test('an entry that nobody can read is a miss, and replaced', async () => {
  const kept = new Map<string, Uint8Array>()
  const cache = {
    get: (key: string) => kept.get(key),
    set: (key: string, value: Uint8Array) => void kept.set(key, value),
    delete: (key: string) => void kept.delete(key),
  }
  const world = await cacheWorld({}, { cache })
  await world.status()
  for (const garbage of [
    '',
    'no line',
    '{}\n{}',
    '[1]\n',
    '{"storedAtMs":1e15,"model":"m","tokens":0,"droppedParams":[1]}\n',
  ]) {
    for (const key of kept.keys()) kept.set(key, new TextEncoder().encode(garbage))
    expect([garbage, await world.status()]).toEqual([garbage, 'MISS'])
  }
  expect(await world.status()).toBe('HIT')
})
