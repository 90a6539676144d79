import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import OpenAI from 'openai'
import { API_KEY } from '../../support/gateway.ts'
import { last, PROVIDER_KEY, type Scene, startScene } from './support/upstream.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())
beforeEach(() => {
  scene.answer = () => Response.json({ id: 'theirs', object: 'model' })
})

const client = (headers: Readonly<Record<string, string>> = {}): OpenAI =>
  new OpenAI({
    apiKey: PROVIDER_KEY,
    baseURL: `${scene.gateway.url}/v1`,
    maxRetries: 0,
    defaultHeaders: { 'x-gateway-api-key': API_KEY, ...headers },
  })

describe('one model, below /v1/models', () => {
  test.each([
    ['gpt-x', '/v1/models/gpt-x'],
    ['ft:gpt-x:org::1', '/v1/models/ft:gpt-x:org::1'],
    ['meta/llama', '/v1/models/meta%2Fllama'],
    ['@openai/gpt-x', '/v1/models/gpt-x'],
    ['@openai/meta/llama', '/v1/models/meta%2Fllama'],
    ['@cf/meta/llama', '/v1/models/@cf%2Fmeta%2Fllama'],
  ])('%s is asked of the provider of the call, by the official client', async (model, place) => {
    const openai = client({ 'x-gateway-provider': 'openai' })
    expect((await openai.models.retrieve(model)).id).toBe('theirs')
    expect([last(scene).method, last(scene).target]).toEqual(['GET', place])
    await openai.models.delete(model)
    expect([last(scene).method, last(scene).target]).toEqual(['DELETE', place])
  })

  test('is asked of the provider in front of it', async () => {
    expect((await client().models.retrieve('@openai/gpt-x')).id).toBe('theirs')
    expect(last(scene).target).toBe('/v1/models/gpt-x')
    const config = { 'x-gateway-config': '{"provider":"openai"}' }
    await client(config).models.retrieve('gpt-y')
    expect(last(scene).target).toBe('/v1/models/gpt-y')
  })

  test.each(['/v1/models', '/v1/gateway/models', '/v1/gateway/v1/models', '/v1/proxy/models'])(
    'and what hangs on it passes through from %s with any method',
    async (place) => {
      await scene.call('POST', `${place}/@openai/some-model:predict?x=1`, { body: '{}' })
      expect([last(scene).method, last(scene).target]).toEqual(['POST', '/v1/models/some-model:predict?x=1'])
    },
  )

  test('comes from the own list when nobody is named', async () => {
    const before = scene.arrived.length
    expect(await client().models.retrieve('mock')).toMatchObject({
      id: '@mock/mock',
      object: 'model',
      owned_by: 'mock',
    })
    const headers = { 'x-gateway-provider': 'openai', 'x-gateway-fetch-integrated-models': 'true' }
    expect((await client(headers).models.retrieve('mock')).id).toBe('@mock/mock')
    const failure = await client()
      .models.retrieve('no-such-model')
      .catch((thrown: unknown) => thrown)
    expect(failure).toMatchObject({ status: 404, code: 'model_not_found', param: 'model' })
    const unnamed = await client()
      .models.delete('mock')
      .catch((thrown: unknown) => thrown)
    expect(unnamed).toMatchObject({ status: 400, code: 'provider_required' })
    expect(scene.arrived).toHaveLength(before)
  })

  test('in a form names who is asked, and is bare when it arrives, all else as it was', async () => {
    const post = (sent: string | Uint8Array<ArrayBuffer>, contentType: string): Promise<Response> =>
      fetch(`${scene.gateway.url}/v1/gateway/audio/transcriptions`, {
        method: 'POST',
        headers: { 'x-gateway-api-key': API_KEY, authorization: `Bearer ${PROVIDER_KEY}`, 'content-type': contentType },
        body: sent,
      })
    const form = (model: string): FormData => {
      const made = new FormData()
      made.set('prompt', 'model=@openai/x')
      made.set('model', model)
      made.set('file', new Blob([new Uint8Array([0, 255, 13, 10])]), 'a.mp3')
      return made
    }
    const whole = new Response(form('@openai/whisper-1'))
    const type = whole.headers.get('content-type') ?? ''
    const body = new Uint8Array(await whole.arrayBuffer())
    await post(body, type)
    const bare = Buffer.from(body).toString('latin1').replace('\r\n\r\n@openai/whisper-1', '\r\n\r\nwhisper-1')
    expect(Buffer.from(last(scene).body).toString('latin1')).toBe(bare)
    expect(bare).not.toBe(Buffer.from(body).toString('latin1'))
    expect(last(scene).headers.get('content-type')).toBe(type)
    const text = 'a=%40&model=%40openai/whisper-1&b=+'
    await post(text, 'application/x-www-form-urlencoded')
    expect(Buffer.from(last(scene).body).toString()).toBe('a=%40&model=whisper-1&b=+')
  })

  test.each(['/v1/models/..%2Ffiles', '/v1/models/%2e%2e%2f%2e%2e', '/v1/models/a%2F%2Fb', '/v1/models/a%252Fb'])(
    '%s leads nowhere else',
    async (path) => {
      const before = scene.arrived.length
      expect((await scene.call('GET', path)).text).toContain('egress_refused')
      expect(scene.arrived).toHaveLength(before)
    },
  )
})
