import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import OpenAI, { toFile } from 'openai'
import { API_KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts'

/** What the provider was sent last. */
let sent: { path: string; headers: Headers; body: string } | undefined
/** What it answers. */
let answer: () => Response = () => Response.json({})

let gateway: TestGateway
let upstream: ReturnType<typeof Bun.serve>
beforeAll(async () => {
  upstream = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      sent = { path: pathname + search, headers: request.headers, body: await request.text() }
      return answer()
    },
  })
  const host = { baseURL: `http://127.0.0.1:${upstream.port}`, apiKey: 'sk-upstream' }
  gateway = await startTestGateway({ config: { plugins: ['defaults', { 'stability-ai': host }] } })
})
afterAll(async () => {
  await gateway.close()
  await upstream.stop(true)
})

const client = (provider: string, headers: Readonly<Record<string, string>> = {}): OpenAI =>
  new OpenAI({
    baseURL: `${gateway.url}/v1`,
    apiKey: API_KEY,
    maxRetries: 0,
    defaultHeaders: { 'x-gateway-provider': provider, ...headers },
  })
const picture = (name: string) => toFile(Buffer.from('PNG'), name, { type: 'image/png' })
const formSent = () =>
  new Response(sent?.body, { headers: { 'content-type': sent?.headers.get('content-type') ?? '' } }).formData()
const faultOf = (run: Promise<unknown>): Promise<unknown[]> =>
  run.then(
    () => [],
    ({ status, param, code }) => [status, param, code],
  )

describe('the openai client over Stability AI', () => {
  const images = () => client('stability-ai', { 'x-gateway-stability-client-id': 'my-awesome-app' }).images
  const made = () => Response.json({ image: 'UE5H', seed: 7, finish_reason: 'SUCCESS' })

  test('makes an image', async () => {
    answer = made
    const reply = await images().generate({ model: 'core', prompt: 'A lighthouse', size: '1536x1024' })
    expect(reply.data).toEqual([{ b64_json: 'UE5H' }])
    expect(sent?.path).toBe('/stable-image/generate/core')
    const names = ['authorization', 'accept', 'stability-client-id']
    expect(names.map((name) => sent?.headers.get(name))).toEqual([
      'Bearer sk-upstream',
      'application/json',
      'my-awesome-app',
    ])
    expect([...(await formSent())]).toEqual([
      ['prompt', 'A lighthouse'],
      ['aspect_ratio', '3:2'],
    ])
  })

  test('gets it as a stream', async () => {
    answer = made
    const stream = await images().generate({ model: 'core', prompt: 'x', stream: true })
    const events: unknown[] = []
    for await (const event of stream) events.push(event)
    expect(events).toMatchObject([{ type: 'image_generation.completed', b64_json: 'UE5H' }])
    expect(sent?.headers.get('accept')).toBe('application/json')
  })

  test('changes one', async () => {
    answer = made
    const request = {
      model: 'inpaint',
      image: await picture('cat.png'),
      mask: await picture('mask.png'),
      prompt: 'Hat',
    }
    const { data, response } = await images().edit(request).withResponse()
    expect(data.data).toEqual([{ b64_json: 'UE5H' }])
    expect(response.headers.get('x-gateway-dropped-params')).toBeNull()
    const form = await formSent()
    expect([form.get('prompt'), form.get('image'), form.get('mask')]).toMatchObject([
      'Hat',
      { name: 'cat.png', size: 3 },
      { name: 'mask.png', size: 3 },
    ])
  })

  test('is told what is wrong', async () => {
    answer = made
    const several = [await picture('a.png'), await picture('b.png')]
    expect(await faultOf(images().edit({ model: 'inpaint', image: several, prompt: 'x' }))).toEqual([
      400,
      'image',
      'invalid_request',
    ])
    const unknown = images().generate({ model: 'dall-e-3', prompt: 'x' })
    expect((await faultOf(unknown)).slice(0, 2)).toEqual([400, 'model'])
    const size = images().generate({ model: 'core', prompt: 'x', size: 'large' as 'auto' })
    expect((await faultOf(size)).slice(0, 2)).toEqual([400, 'size'])
    answer = () => Response.json({ image: 'UE5H', finish_reason: 'CONTENT_FILTERED' })
    const filtered = images().generate({ model: 'core', prompt: 'x' })
    expect(await faultOf(filtered)).toEqual([400, null, 'moderation_blocked'])
    answer = () => Response.json({ id: 'x', name: 'bad_request', errors: ['prompt: is required'] }, { status: 400 })
    expect(await faultOf(images().generate({ model: 'core', prompt: '' }))).toEqual([400, 'prompt', 'bad_request'])
  })
})
