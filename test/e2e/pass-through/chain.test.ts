import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import OpenAI from 'openai'
import { API_KEY } from '../../support/gateway.ts'
import { last, PROVIDER_KEY, type Scene, startScene } from './support/upstream.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

/** Fails with these statuses in turn, then answers. */
const failing = (...statuses: readonly number[]): void => {
  const left = [...statuses]
  scene.answer = () => {
    const status = left.shift()
    return status === undefined
      ? Response.json({ ok: true })
      : new Response('{"error":{"message":"theirs"}}', { status, headers: { 'retry-after-ms': '1' } })
  }
}
const config = (value: unknown) => ({ 'x-gateway-config': JSON.stringify(value) })

describe('a call that passes through', () => {
  test('is asked again as its config says', async () => {
    failing(503, 503)
    const before = scene.arrived.length
    const answer = await scene.call('POST', '/v1/some/place', {
      body: '{"a":1}',
      headers: config({ provider: 'openai', retry: { attempts: 3 } }),
    })
    expect([answer.status, answer.headers.get('x-gateway-retry-attempt-count')]).toEqual([200, '2'])
    expect(scene.arrived.slice(before).map(({ body }) => new TextDecoder().decode(body))).toEqual(
      Array(3).fill('{"a":1}'),
    )
  })

  test('gets the provider’s own words when all fail', async () => {
    failing(500, 502, 503)
    const answer = await scene.call('POST', '/v1/some/place', {
      body: '{}',
      headers: config({ provider: 'openai', retry: { attempts: 2 } }),
    })
    expect([answer.status, answer.text]).toEqual([503, '{"error":{"message":"theirs"}}'])
    expect(answer.headers.get('x-gateway-retry-attempt-count')).toBe('-1')
  })

  test('goes on to the next target, in that one’s own way', async () => {
    failing(500)
    const answer = await scene.call('POST', '/v1/gateway/messages', {
      body: '{}',
      headers: config({ strategy: { mode: 'fallback' }, targets: [{ provider: 'openai' }, { provider: 'anthropic' }] }),
    })
    expect([answer.status, answer.headers.get('x-gateway-last-used-option-index')]).toEqual([200, 'config.targets[1]'])
    expect(last(scene).headers.get('x-api-key')).toBe(PROVIDER_KEY)
  })

  test('is answered from the cache, by its bytes and place', async () => {
    let count = 0
    scene.answer = () => Response.json({ count: ++count, usage: { prompt_tokens: 1, completion_tokens: 1 } })
    const ask = (path: string, body: string, headers: Record<string, string> = {}) =>
      scene.call('POST', path, {
        body,
        headers: { ...config({ provider: 'openai', cache: { mode: 'simple' } }), ...headers },
      })
    const statusOf = async (...call: Parameters<typeof ask>) =>
      (await ask(...call)).headers.get('x-gateway-cache-status')
    expect(await statusOf('/v1/gateway/responses', '{"model":"m","input":"x"}')).toBe('MISS')
    const again = await ask('/v1/gateway/responses', '{"model":"m","input":"x"}')
    expect([again.headers.get('x-gateway-cache-status'), JSON.parse(again.text).count]).toEqual(['HIT', 1])
    expect(await statusOf('/v1/gateway/responses', '{"model":"m", "input":"x"}')).toBe('MISS')
    expect(await statusOf('/v1/gateway/rerank', '{"model":"m","input":"x"}')).toBe('MISS')
    expect(await statusOf('/v1/gateway/responses', '{"model":"m","input":"x"}', { 'openai-beta': 'y' })).toBe('MISS')
    expect(
      await statusOf('/v1/gateway/responses', '{"model":"m","input":"x"}', { 'x-gateway-cache-force-refresh': 'true' }),
    ).toBe('REFRESH')
    for (const [path, body] of [
      ['/v1/gateway/responses', '{"model":"m","input":"x","stream":true}'],
      ['/v1/gateway/batches', '{"input_file_id":"f"}'],
      ['/v1/uploads', 'text'],
    ] as const) {
      expect([path, await statusOf(path, body)]).toEqual([path, 'DISABLED'])
    }
  })

  test('an error is never kept', async () => {
    scene.answer = () => Response.json({ error: { message: 'no' } })
    const headers = config({ provider: 'openai', cache: { mode: 'simple' } })
    for (let round = 0; round < 2; round++) {
      const answer = await scene.call('POST', '/v1/error', { body: '{"x":1}', headers })
      expect(answer.headers.get('x-gateway-cache-status')).toBe('MISS')
    }
  })

  test('may come from the official client', async () => {
    scene.answer = ({ target }) =>
      target.startsWith('/v1/files')
        ? Response.json({ id: 'file-1', object: 'file' })
        : Response.json({ id: 'resp_1', object: 'response', output: [], usage: { input_tokens: 1, output_tokens: 2 } })
    const client = new OpenAI({
      apiKey: PROVIDER_KEY,
      baseURL: `${scene.gateway.url}/v1`,
      maxRetries: 0,
      defaultHeaders: { 'x-gateway-api-key': API_KEY, 'x-gateway-provider': 'openai' },
    })
    expect((await client.responses.create({ model: 'gpt-x', input: 'Hello' })).id).toBe('resp_1')
    const file = await client.files.create({ file: new File(['{}'], 'a.jsonl'), purpose: 'batch' })
    expect(file.id).toBe('file-1')
    expect(last(scene).headers.get('content-type')).toMatch(/^multipart\/form-data/)
    await client.files.delete('file-1')
    expect([last(scene).method, last(scene).target]).toEqual(['DELETE', '/v1/files/file-1'])
  })
})
