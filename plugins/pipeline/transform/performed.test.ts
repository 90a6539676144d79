import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { bearer, defineEndpoint, definePlugin, formBody, t } from '#kit'
import { type FormFile, mapLines, openaiFailure, type Performed, performing } from '#kit/provider'
import { API_KEY, startTestGateway, type TestGateway } from '../../../test/support/gateway.ts'

const endpoint = defineEndpoint({
  id: 'parcels',
  routes: [{ method: 'POST', path: '/parcels/:kind' }],
  requestTypes: ['parcel'],
  operation: 'parcel',
  form: 'example/parcels',
  body: formBody(t.Object({ note: t.Optional(t.String()) }), { file: { required: true } }),
  answer: { kind: 'json', schema: t.Object({ id: t.String() }) },
  hasModel: false,
  singleTarget: true,
})

type Done = Performed<'example/parcels'>

/** Does with the provider whatever the path of the call says. */
const parcels = performing<'example/parcels'>(
  async ({ request, context, contentOf, translate }, exchange): Promise<Done> => {
    const kind = context.pathParams?.kind
    const file = request.file as FormFile
    if (kind === 'twice') {
      const place = await exchange.send({ method: 'POST', url: '/places', body: { note: request.note } })
      const signed = String((await place.json()).url)
      const { stream, length } = contentOf(file)
      const words = mapLines(stream, { maxLineBytes: 1000 }, ({ bytes }) =>
        new TextDecoder().decode(bytes).toUpperCase(),
      )
      expect(length).toBe(file.size)
      const put = await exchange.send({
        method: 'PUT',
        url: signed,
        body: { stream: words, length: undefined },
        withoutKey: true,
        headers: { 'content-type': 'text/plain' },
      })
      return { reply: { id: await put.text() }, usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 } }
    }
    if (kind === 'bytes') {
      const answer = await exchange.send({ method: 'GET', url: '/bytes', passes: true })
      return { body: answer.body, type: 'application/jsonl', headers: { 'x-kept': 'yes' } }
    }
    if (kind === 'seen') {
      const { status } = await exchange.send({ method: 'GET', url: '/missing', sees: [404] })
      return { reply: { id: String(status) } }
    }
    if (kind === 'line') {
      const line = translate('chat', { model: '@example/m', messages: [{ role: 'user', content: 'Hi' }] })
      const answered = line?.reply({ id: 'a', choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } })
      return { reply: { id: 'line', line, answered, nothing: translate('images', { prompt: 'x' }) ?? null } }
    }
    if (kind === 'endless') for (;;) await exchange.send({ method: 'GET', url: '/bytes' })
    await exchange.send({ method: 'GET', url: '/missing' })
    return { reply: {} }
  },
)

const provider = (baseURL: string) =>
  definePlugin({
    name: 'example',
    config: t.Object({}),
    setup: () => ({
      endpoints: [endpoint],
      providers: [
        {
          id: 'example',
          baseURL,
          apiKey: 'sk-of-the-operator',
          needsKey: true,
          endpoints: {
            'example/parcels': parcels,
            chat: { method: 'POST', path: '/chat/completions', wire: 'native', params: {} },
          },
          authorize: bearer(),
          failure: openaiFailure,
        },
      ],
    }),
  })

interface Seen {
  readonly method: string
  readonly path: string
  readonly key: string | null
  readonly type: string | null
  readonly text: string
}
const seen: Seen[] = []
let upstream: Bun.Server<undefined>
let elsewhere: Bun.Server<undefined>
let gateway: TestGateway

const note = async (request: Request): Promise<Seen> => {
  const { headers, method } = request
  const { pathname } = new URL(request.url)
  const one = {
    ...{ method, path: pathname, text: await request.text() },
    ...{ key: headers.get('authorization'), type: headers.get('content-type') },
  }
  seen.push(one)
  return one
}

beforeAll(async () => {
  elsewhere = Bun.serve({
    port: 0,
    fetch: async (request) => new Response(`kept ${(await note(request)).text.length}`),
  })
  upstream = Bun.serve({
    port: 0,
    async fetch(request) {
      switch ((await note(request)).path) {
        case '/v1/places':
          return Response.json({ url: `http://127.0.0.1:${elsewhere.port}/signed?signature=1` })
        case '/v1/bytes':
          return new Response('{"a":1}\n{"a":2}\n')
        default:
          return Response.json({ error: { message: 'No sk-of-the-operator here', code: 'gone' } }, { status: 404 })
      }
    },
  })
  const plugin = provider(`http://127.0.0.1:${upstream.port}/v1`)
  gateway = await startTestGateway({ plugins: [plugin], config: { plugins: ['defaults', plugin.name] } })
})
afterAll(async () => {
  await gateway.close()
  await Promise.all([upstream.stop(true), elsewhere.stop(true)])
})
beforeEach(() => {
  seen.length = 0
})

const send = (
  kind: string,
  headers: Record<string, string> = { 'x-gateway-provider': 'example' },
): Promise<Response> => {
  const form = new FormData()
  form.set('note', 'a note')
  form.set('file', new File(['one\ntwo\n'], 'words.txt'))
  return fetch(`${gateway.url}/v1/parcels/${kind}`, {
    method: 'POST',
    headers: { 'x-gateway-api-key': API_KEY, ...headers },
    body: form,
  })
}

test('a call may be made of several requests, and only those to the provider carry its key', async () => {
  const response = await send('twice')
  expect([response.status, await response.json()]).toEqual([200, { id: 'kept 8' }])
  const json = 'application/json'
  expect(seen).toEqual([
    { method: 'POST', path: '/v1/places', key: 'Bearer sk-of-the-operator', type: json, text: '{"note":"a note"}' },
    { method: 'PUT', path: '/signed', key: null, type: 'text/plain', text: 'ONE\nTWO\n' },
  ])
  const { id } = await gateway.record(({ endpoint }) => endpoint === 'parcels')
  expect(response.headers.get('x-gateway-request-id')).toBe(String(id))
})

test('bytes pass, with the headers that the adapter says', async () => {
  const response = await send('bytes')
  expect([response.status, await response.text()]).toEqual([200, '{"a":1}\n{"a":2}\n'])
  expect(response.headers.get('content-type')).toBe('application/jsonl')
  expect(response.headers.get('x-kept')).toBe('yes')
})

test('a status that the adapter waits for is its own, any other is the error of the provider, without its key', async () => {
  expect(await (await send('seen')).json()).toEqual({ id: '404' })
  const response = await send('refused')
  expect([response.status, await response.json()]).toMatchObject([
    404,
    { error: { message: 'example: No [redacted] here', code: 'gone' } },
  ])
})

test('a request of another kind is put into the words of the provider, and its answer back', async () => {
  expect(await (await send('line')).json()).toEqual({
    id: 'line',
    line: {
      model: 'm',
      path: '/chat/completions',
      body: { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
      dropped: [],
    },
    answered: {
      reply: { id: 'a', choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } },
      usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 },
    },
    nothing: null,
  })
})

test('nobody asks without end', async () => {
  const response = await send('endless')
  expect([response.status, seen.length]).toEqual([500, 20])
})

test('several targets are refused for what is kept at one', async () => {
  const config = { strategy: { mode: 'fallback' }, targets: [{ provider: 'example' }, { provider: 'example' }] }
  const response = await send('seen', { 'x-gateway-config': JSON.stringify(config) })
  expect([response.status, await response.json()]).toMatchObject([400, { error: { param: 'config' } }])
  const one = { strategy: { mode: 'fallback' }, targets: [{ provider: 'example' }] }
  expect((await send('seen', { 'x-gateway-config': JSON.stringify(one) })).status).toBe(200)
})
