import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { definePlugin, t } from '#kit'
import type { StoredProvider } from '#kit/plugin'
import { type CallConfig, callConfig } from '#kit/slots'
import { API_KEY, startTestGateway, type TestGateway } from '../../../test/support/gateway.ts'

/** What the stage under test made of the call, which ends there: a call that is refused leaves nothing. */
let resolved: CallConfig | undefined
const capture = definePlugin({
  name: 'capture',
  config: t.Object({}),
  placement: { after: 'config' },
  setup: () => ({
    stages: [
      {
        name: 'capture',
        run(call) {
          resolved = call.get(callConfig)
          return Promise.resolve({ status: 200, headers: new Headers(), body: new Uint8Array(0) })
        },
      },
    ],
  }),
})

const storedAt = (slug: string, providerId: string): StoredProvider => ({
  slug,
  providerId,
  apiKey: 'key',
  isRestricted: true,
  allows: (model) => model === 'good',
  forModel: () => ({ settings: { resource_name: 'acme' }, headers: {} }),
})
const STORED = new Map(
  [storedAt('team', 'openai'), storedAt('blue', 'azure-openai'), storedAt('gem', 'google')].map((one) => [
    one.slug,
    one,
  ]),
)

/** A larger form streams. */
const MAX_BODY_BYTES = 100_000

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({
    plugins: [capture],
    config: { server: { maxBodyBytes: MAX_BODY_BYTES }, plugins: ['defaults', 'capture'] },
    deps: { stored: { find: (_, slug) => STORED.get(slug), models: () => [] } },
  })
})
afterAll(() => gateway.close())
beforeEach(() => {
  resolved = undefined
})

interface Asked {
  readonly method?: string
  readonly path?: string
  readonly on?: string
  readonly body?: NonNullable<RequestInit['body']>
  readonly type?: string
  readonly upgrade?: string
}

const ask = async ({ method = 'POST', path = '/v1/gateway/x', on = '@team', body, type, upgrade }: Asked) => {
  resolved = undefined
  const response = await fetch(`${gateway.url}${path}`, {
    method,
    headers: {
      'x-gateway-api-key': API_KEY,
      ...(on === '' ? {} : { 'x-gateway-provider': on }),
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(upgrade === undefined ? {} : { upgrade, connection: 'upgrade' }),
    },
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  return { status: response.status, type: /"type":"(\w+)"/.exec(text)?.[1] }
}

const expectPassed = async (asked: Asked, model?: string): Promise<void> => {
  expect(await ask(asked)).toMatchObject({ status: 200 })
  expect(resolved?.only?.storedProvider).toBeDefined()
  expect(resolved?.only?.model).toBe(model)
}
const expectRefused = async (asked: Asked): Promise<void> => {
  expect(await ask(asked)).toEqual({ status: 412, type: 'model_not_allowed_error' })
  expect(resolved).toBeUndefined()
}

const json = (value: unknown): Asked => ({ body: JSON.stringify(value), type: 'application/json' })
const form = (...models: readonly (string | Blob)[]): FormData => formWith(new Blob(['sound']), models)
const formWith = (file: Blob, models: readonly (string | Blob)[]): FormData => {
  const data = new FormData()
  for (const model of models) data.append('model', model)
  data.append('file', file, 'a.mp3')
  return data
}

describe('the allow list of a stored provider, on calls that pass through', () => {
  const places = ['/v1/gateway', '/v1/gateway/chat/completions', '/v1/images', '/v1/proxy/chat/completions']

  test.each(places)('%s: is asked about the model of a JSON body, however it is said to be one', async (path) => {
    await expectPassed({ path, ...json({ model: 'good' }) }, 'good')
    await expectPassed({ path, ...json({ model: '@team/good' }), on: '' }, 'good')
    await expectRefused({ path, ...json({ model: 'bad' }) })
    await expectRefused({ path, ...json({ model: '@team/bad' }), on: '' })
    for (const type of [
      'APPLICATION/JSON',
      'application/json; charset=utf-8',
      'application/vnd.x+json',
      'text/plain',
      'application/x-www-form-urlencoded',
    ]) {
      await expectRefused({ path, body: '{"model":"bad"}', type })
    }
    await expectRefused({ path, body: '\ufeff {"model":"bad"}', type: 'application/json' })
  })

  test.each(places)('%s: is asked about the model of a form', async (path) => {
    await expectPassed({ path, body: form('good') }, 'good')
    await expectPassed({ path, body: new URLSearchParams({ model: 'good' }) }, 'good')
    await expectRefused({ path, body: form('bad') })
    await expectRefused({ path, body: new URLSearchParams({ model: 'bad' }) })
    for (const body of [form('good', 'bad'), form(new Blob(['bad'])), new URLSearchParams('model=good&Model=bad')]) {
      expect(await ask({ path, body })).toMatchObject({ status: 400 })
    }
    expect(await ask({ path: `${path}?model=bad`, ...json({ model: 'good' }) })).toMatchObject({ status: 400 })
  })

  test.each(places)('%s: is asked about the model of a form that streams', async (path) => {
    const file = new Blob([new Uint8Array(2 * MAX_BODY_BYTES)])
    await expectPassed({ path, body: formWith(file, ['good']) }, 'good')
    await expectRefused({ path, body: formWith(file, ['bad']) })
    await expectRefused({ path, body: formWith(file, []) })
    await expectRefused({ path, body: file, type: 'audio/wav' })
  })

  test('is asked about the model of a WebSocket, though nothing is sent', async () => {
    const socket = { method: 'GET', upgrade: 'websocket' }
    await expectPassed({ ...socket, path: '/v1/realtime?model=good' }, 'good')
    await expectPassed({ ...socket, path: '/v1/realtime?model=@team/good', on: '' }, 'good')
    await expectRefused({ ...socket, path: '/v1/realtime?model=bad' })
    await expectRefused({ ...socket, path: '/v1/realtime?call_id=rtc_1' })
  })

  test.each(places)('%s: without a model that can be read, only calls that send nothing pass', async (path) => {
    const bodies: readonly Asked[] = [
      json({}),
      json({ model: 5 }),
      json([{ model: 'good' }]),
      { body: '{"model":"good"}', type: 'application/octet-stream' },
      { body: new Uint8Array([1, 2, 3]), type: 'audio/wav' },
      {},
    ]
    for (const method of ['POST', 'PUT', 'PATCH']) {
      for (const asked of bodies) await expectRefused({ method, path, ...asked })
      await expectRefused({ method, path: `${path}?model=good`, ...json({}) })
    }
    for (const method of ['GET', 'DELETE']) await expectPassed({ method, path })
  })

  test('is asked about the deployment in the path, whatever the body says', async () => {
    const at = (rest: string): Asked => ({ path: `/v1/gateway${rest}`, on: '@blue', ...json({ model: 'good' }) })
    await expectPassed(at('/openai/deployments/good/chat/completions?api-version=1'), 'good')
    await expectPassed(at('/openai/v1/chat/completions'), 'good')
    for (const rest of [
      '/openai/deployments/bad/chat/completions',
      '/openai/deployments/bad',
      '/OpenAI/Deployments/bad/embeddings',
      '/openai/deployments/b%61d/embeddings',
      '/open%61i/%64eployments/bad/embeddings',
      '/deployments/bad/embeddings',
    ]) {
      await expectRefused(at(rest))
    }
    const proxy = '/v1/proxy/acme.openai.azure.com/openai/deployments'
    await expectPassed({ ...at(''), path: `${proxy}/good/chat/completions` }, 'good')
    await expectRefused({ ...at(''), path: `${proxy}/bad/chat/completions` })
  })

  test('is asked about the model in the path of Google, whatever the body says', async () => {
    const at = (rest: string): Asked => ({ path: `/v1/gateway${rest}`, on: '@gem', ...json({ model: 'good' }) })
    for (const rest of ['/models/good:generateContent', '/v1beta/models/good:generateContent', '/models/good']) {
      await expectPassed(at(rest), 'good')
    }
    await expectPassed({ ...at('/models/good'), method: 'GET', body: '' }, 'good')
    for (const rest of [
      '/models/bad:generateContent',
      '/v1beta/models/bad:streamGenerateContent?alt=sse',
      '/models/b%61d%3AgenerateContent',
      '/models/bad',
      '/tunedModels/good:generateContent',
    ]) {
      await expectRefused(at(rest))
    }
  })
})

describe('the allow list of a stored provider, on the old routes', () => {
  test('is asked about the model of a body in the provider’s own format', async () => {
    for (const path of ['/v1/complete', '/v1/chatComplete', '/v1/embed']) {
      await expectPassed({ path, ...json({ model: 'good', prompt: 'x' }) }, 'good')
      await expectRefused({ path, ...json({ model: 'bad', prompt: 'x' }) })
      await expectRefused({ path, ...json({ prompt: 'x' }) })
    }
  })

  test('is asked about the model that its config leads to', async () => {
    const option = { virtual_key: 'team' }
    const path = '/v1/chatComplete'
    const params = { messages: [] }
    const legacy = (config: unknown, model?: string): Asked => ({
      path,
      on: '',
      ...json({ config, params: { ...params, ...(model === undefined ? {} : { model }) } }),
    })
    await expectPassed(legacy({ mode: 'single', options: [option] }, 'good'), 'good')
    await expectRefused(legacy({ mode: 'single', options: [option] }, 'bad'))
    for (const changed of [{ model: 'bad' }, { override_params: { model: 'bad' } }]) {
      await expectRefused(legacy({ mode: 'single', options: [{ ...option, ...changed }] }, 'good'))
      await expectRefused(legacy({ ...option, ...changed }, 'good'))
    }
  })
})

test('a call whose model may be left out is refused without one', async () => {
  await expectRefused({ path: '/v1/moderations', ...json({ input: 'Hello' }) })
  await expectPassed({ path: '/v1/moderations', ...json({ model: 'good', input: 'Hello' }) }, 'good')
})
