import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { API_KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts'
import { PROVIDER_KEY, type Scene, startScene } from './support/upstream.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

const BODY = '{ "assistant_id":"asst_1",  "model" : "gpt", "x_new": [1.0, 1e2] }'
const BETA = { 'openai-beta': 'assistants=v2', 'x-their-own': 'yes' }
const last = () => scene.arrived.at(-1)

describe('calls about what a provider keeps', () => {
  test.each([
    ['/v1/threads/thread_1/runs?include[]=a%2Cb', '/v1/threads/thread_1/runs?include[]=a%2Cb'],
    ['/openai/v1/threads/thread_1/runs/', '/v1/threads/thread_1/runs'],
    ['/threads/thread_1/runs', '/v1/threads/thread_1/runs'],
    ['/v2/vector_stores', '/v1/vector_stores'],
    ['/v1/assistants/asst%3A1', '/v1/assistants/asst%3A1'],
  ])('go to their provider as they came: %s', async (path, target) => {
    scene.answer = () => new Response('{ "id" : "x", "n": 1.0 }', { headers: { 'content-type': 'application/json' } })
    const answer = await scene.call('POST', path, { body: BODY, headers: BETA })
    expect([answer.status, answer.text]).toEqual([200, '{ "id" : "x", "n": 1.0 }'])
    expect(last()?.target).toBe(target)
    expect(new TextDecoder().decode(last()?.body)).toBe(BODY)
    expect(last()?.headers.get('openai-beta')).toBe('assistants=v2')
    expect(last()?.headers.get('x-their-own')).toBe('yes')
    expect(last()?.headers.get('authorization')).toBe(`Bearer ${PROVIDER_KEY}`)
  })

  test('get the words of the provider where it refuses', async () => {
    const theirs = '{"error":{"message":"gone","type":"invalid_request_error","param":null,"code":"gone"}}'
    scene.answer = () => new Response(theirs, { status: 410, headers: { 'content-type': 'application/json' } })
    const answer = await scene.call('GET', '/v1/assistants')
    expect([answer.status, answer.text, answer.headers.get('deprecation')]).toEqual([410, theirs, '@1756166400'])
  })

  test.each([
    ['/v1/threads/..%2fmodels', 400],
    ['/v1/threads/a%2f..%2fb/messages', 400],
  ])('lead nowhere else: %s', async (path, status) => {
    const before = scene.arrived.length
    const answer = await scene.call('GET', path)
    expect([path, answer.status, scene.arrived.length]).toEqual([path, status, before])
  })

  test('say nothing of tokens where a run is only read', async () => {
    scene.answer = () =>
      Response.json({ id: 'run_1', usage: { prompt_tokens: 5, completion_tokens: 6, total_tokens: 11 } })
    const { headers } = await scene.call('GET', '/v1/threads/thread_1/runs/run_1')
    const record = await scene.gateway.record(({ id }) => id === headers.get('x-gateway-request-id'))
    expect([record.endpoint, record.usage]).toEqual(['run-retrieve', undefined])
  })

  const EVENTS = [
    'event: thread.run.created\ndata: {"id":"run_1","usage":null}\n\n',
    'event: thread.message.delta\r\ndata: {"delta":{"content":[{"text":{"value":"ü"}}]}}\r\n\r\n',
    ': a comment\n\n',
    'event: thread.run.completed\ndata: {"id":"run_1","usage":{"prompt_tokens":5,"completion_tokens":6,"total_tokens":11}}\n\n',
    'event: done\ndata: [DONE]\n\n',
  ]
  const streamed = (events: readonly string[]) => () =>
    new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } })
  const run = () => scene.call('POST', '/v1/threads/thread_1/runs', { body: '{"assistant_id":"a","stream":true}' })

  test('stream event by event, and their usage is read along', async () => {
    scene.answer = streamed(EVENTS)
    const answer = await run()
    expect(answer.text).toBe(EVENTS.join(''))
    const record = await scene.gateway.record(({ id }) => id === answer.headers.get('x-gateway-request-id'))
    expect(record).toMatchObject({ outcome: 'completed', usage: { input_tokens: 5, output_tokens: 6 } })
  })

  test('may end with what a run ends with, or waits for', async () => {
    for (const last of ['thread.run.requires_action', 'thread.run.failed', 'error']) {
      scene.answer = streamed([...EVENTS.slice(0, 2), `event: ${last}\ndata: {}\n\n`])
      expect((await run()).text).toEndWith(`event: ${last}\ndata: {}\n\n`)
    }
    scene.answer = streamed([...EVENTS.slice(0, 2), 'event: done\ndata: [DONE]'])
    expect((await run()).text).toEndWith('[DONE]')
  })

  test('break for the client where they end before their run does', async () => {
    scene.answer = streamed(EVENTS.slice(0, 2))
    expect(await run().catch(() => 'broken')).toBe('broken')
    const record = await scene.gateway.record(({ outcome }) => outcome === 'truncated')
    expect([record.endpoint, (record.error as { code: string }).code]).toEqual(['run-create', 'stream_truncated'])
  })
})

const DATED: Record<string, string> = { 'x-gateway-azure-api-version': '2024-05-01-preview' }

describe('at Azure', () => {
  const targets: string[] = []
  let gateway: TestGateway
  let upstream: ReturnType<typeof Bun.serve>
  beforeAll(async () => {
    upstream = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch(request) {
        const { pathname, search } = new URL(request.url)
        targets.push(`${pathname}${search}`)
        return Response.json({ object: 'list', data: [] })
      },
    })
    const azure = { baseURL: `http://127.0.0.1:${upstream.port}`, apiKey: 'key-of-azure' }
    gateway = await startTestGateway({ config: { plugins: ['defaults', { 'azure-openai': azure }] } })
  })
  afterAll(async () => {
    await gateway.close()
    await upstream.stop(true)
  })

  test.each([
    ['assistants', {}, '/openai/v1/assistants?limit=2'],
    ['assistants', DATED, '/openai/assistants?api-version=2024-05-01-preview&limit=2'],
    ['files', {}, '/openai/v1/files?limit=2'],
    ['batches', DATED, '/openai/batches?api-version=2024-05-01-preview&limit=2'],
  ])('%s go where it has them: %j', async (name, headers, target) => {
    const response = await fetch(`${gateway.url}/v1/${name}?limit=2`, {
      headers: { 'x-gateway-api-key': API_KEY, 'x-gateway-provider': 'azure-openai', ...headers },
    })
    expect([response.status, targets.at(-1)]).toEqual([200, target])
  })
})
