import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { definePlugin, openaiCompatible, t } from '#kit'
import { type CallConfig, callConfig, type Target } from '#kit/slots'
import { API_KEY, startTestGateway, type TestGateway } from '../../../test/support/gateway.ts'

/** What the stage under test made of each call; the call ends there. */
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
    providers: [
      openaiCompatible({
        id: 'acme',
        baseURL: 'https://api.acme.example/v1',
        keyHeader: 'x-acme-key',
        settings: { acme_region: 'acme-region', acme_zone: 'acme-zone' },
        defaultSettings: { acme_region: 'operator', acme_zone: 'operator' },
      }),
    ],
  }),
})

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ plugins: [capture] })
})
afterAll(() => gateway.close())

/** @param model null: the body names none */
const send = (headers: Record<string, string>, model: string | null = 'm-1'): Promise<Response> => {
  resolved = undefined
  return fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'x-gateway-api-key': API_KEY, ...headers },
    body: JSON.stringify({ ...(model === null ? {} : { model }), messages: [{ role: 'user', content: 'Hello' }] }),
  })
}

const target = async (headers: Record<string, string>, model?: string | null): Promise<Target> => {
  const response = await send(headers, model)
  const first = resolved?.only
  if (first === undefined) throw new Error(`no target: ${response.status} ${await response.text()}`)
  return first
}

const refused = async (headers: Record<string, string>, model?: string): Promise<unknown> => {
  const response = await send(headers, model)
  const body = (await response.json()) as { error: { code: string; param: string | null } }
  expect(resolved).toBeUndefined()
  return [response.status, body.error.code, body.error.param]
}

const config = (value: unknown): Record<string, string> => ({ 'x-gateway-config': JSON.stringify(value) })

describe('a provider in front of the model', () => {
  const prefixed = '@acme/org/m-1'
  const DEFAULT_MODEL = config({ default_params: { model: prefixed } })
  test.each([
    ['the provider header', { 'x-gateway-provider': 'acme' }, prefixed],
    ['the header of another provider', { 'x-gateway-provider': 'mock' }, prefixed],
    ['the mode header', { 'x-gateway-mode': 'proxy acme' }, prefixed],
    ['a config', config({ provider: 'acme' }), prefixed],
    ['a config with one target', config({ targets: [{ provider: 'acme' }] }), prefixed],
    ['override_params beside a provider', config({ provider: 'acme', override_params: { model: prefixed } }), 'm-0'],
    ['override_params of a target', config({ targets: [{ override_params: { model: prefixed } }] }), 'm-0'],
    ['default_params, with the header', { 'x-gateway-provider': 'acme', ...DEFAULT_MODEL }, null],
    ['default_params alone', DEFAULT_MODEL, null],
  ] as const)('is taken off where %s names who is asked', async (_, headers, model) => {
    const made = await target({ ...headers }, model)
    expect([made.model, made.overrideParams?.model]).toEqual(['org/m-1', 'org/m-1'])
  })

  test.each(['@cf/meta/llama', '@hf/some/model', '@', '@acme', '@acme/', 'acme/m-1'])(
    'is none in %s, which stays',
    async (model) => {
      const made = await target({ 'x-gateway-provider': 'acme' }, model)
      expect([made.model, made.overrideParams]).toEqual([model, undefined])
    },
  )
})

describe('the target of a call', () => {
  test('comes from the provider header, with everything else left at its default', async () => {
    const { provider, ...rest } = await target({ 'x-gateway-provider': 'acme' })
    expect(provider.id).toBe('acme')
    expect(rest).toEqual({
      path: 'config',
      model: 'm-1',
      settings: { acme_region: 'operator', acme_zone: 'operator' },
      strict: true,
      forwardHeaders: [],
    })
  })

  test('comes from headers: key, host, time-out, strictness, settings, metadata', async () => {
    const made = await target({
      'x-gateway-provider': 'acme',
      'x-acme-key': 'own-key',
      authorization: 'Bearer other',
      'x-gateway-custom-host': 'http://127.0.0.1:9/v1/',
      'x-gateway-request-timeout': '1500',
      'x-gateway-strict-open-ai-compliance': 'false',
      'x-gateway-finish-reason': 'Provider',
      'x-gateway-forward-headers': 'X-Tenant',
      'x-gateway-acme-region': 'caller',
      'x-gateway-metadata': '{"team":"a"}',
      baggage: 'env=prod',
    })
    expect(made).toMatchObject({
      apiKey: 'own-key',
      customHost: 'http://127.0.0.1:9/v1',
      requestTimeoutMs: 1500,
      strict: false,
      ownFinishReason: true,
      forwardHeaders: ['x-tenant'],
      settings: { acme_region: 'caller', acme_zone: 'operator' },
    })
    expect(resolved?.metadata).toEqual({ team: 'a', env: 'prod' })
  })

  test('comes from the config, which wins over the headers, but for the time-out and strictness of this very call', async () => {
    const made = await target({
      'x-gateway-provider': 'mock',
      authorization: 'Bearer from-header',
      'x-gateway-request-timeout': '7',
      'x-gateway-strict-open-ai-compliance': 'true',
      'x-gateway-acme-region': 'header',
      ...config({
        request_timeout: 9,
        strict_open_ai_compliance: false,
        targets: [
          {
            provider: 'acme',
            api_key: 'from-config',
            acme_region: 'config',
            override_params: { temperature: 0 },
            default_params: { top_p: 1 },
            drop_params: ['user'],
          },
        ],
      }),
    })
    expect(made.provider.id).toBe('acme')
    expect(made).toMatchObject({
      path: 'config.targets[0]',
      apiKey: 'from-config',
      requestTimeoutMs: 7,
      strict: true,
      settings: { acme_region: 'config', acme_zone: 'operator' },
      overrideParams: { temperature: 0 },
      defaultParams: { top_p: 1 },
      dropParams: ['user'],
    })
  })

  test('comes from the model, cut at the first slash', async () => {
    const made = await target({}, '@acme/org/model-1')
    expect([made.provider.id, made.overrideParams]).toEqual(['acme', { model: 'org/model-1' }])
    const named = await target({ 'x-gateway-provider': 'acme' }, '@cf/model')
    expect(named.overrideParams).toBeUndefined()
    const overridden = await target(config({ override_params: { model: 'm-2' } }), '@acme/m-1')
    expect(overridden.overrideParams).toEqual({ model: 'm-2' })
  })
})

describe('is refused', () => {
  test('a call that names no provider', async () => {
    expect(await refused({})).toEqual([400, 'provider_required', 'x-gateway-provider'])
    expect(await refused({ 'x-gateway-provider': ' ' })).toEqual([400, 'provider_required', 'x-gateway-provider'])
    expect(await refused(config({ request_timeout: 5 }))).toEqual([400, 'provider_required', 'x-gateway-provider'])
  })

  test.each([
    ['acme/m-1', {}, "Did you mean the model '@acme/m-1'?"],
    ['acne/org/m-1', {}, "Did you mean the model '@acme/org/m-1'?"],
    ['@acne/m-1', {}, "There is no stored provider '@acne' in this workspace. Did you mean '@acme'?"],
    ['m-1', { 'x-gateway-provider': 'acne' }, "There is no provider 'acne' here. Did you mean 'acme'?"],
    ['m-1', {}, 'in the model as `@provider/model`. Running are: '],
  ] as const)('%s with %o: the error says what was probably meant, and what runs', async (model, headers, hint) => {
    const { error } = (await (await send(headers, model)).json()) as { error: { message: string } }
    expect(error.message).toContain(hint)
    expect(error.message).toMatch(/ Running are: openai, .*acme.*\.$/)
  })

  test('a provider that does not run, and what cannot be one', async () => {
    expect(await refused({ 'x-gateway-provider': 'nobody' })).toEqual([400, 'unknown_provider', 'x-gateway-provider'])
    expect(await refused({ 'x-gateway-provider': 'OpenAI!' })).toEqual([400, 'invalid_header', 'x-gateway-provider'])
    expect(await refused({}, '@nobody/m')).toEqual([400, 'unknown_provider', '@nobody'])
  })

  test('a stored provider that the workspace does not have, however it is written', async () => {
    expect(await refused({ 'x-gateway-provider': '@nobody' })).toEqual([400, 'unknown_provider', '@nobody'])
    expect(await refused({ 'x-gateway-virtual-key': 'vk-1' })).toEqual([400, 'unknown_provider', '@vk-1'])
    expect(await refused(config({ provider: '@team' }))).toEqual([400, 'unknown_provider', '@team'])
    expect(await refused(config({ virtual_key: 'vk-2' }))).toEqual([400, 'unknown_provider', '@vk-2'])
  })

  test('a header that must not be forwarded, in the config too', async () => {
    const forward = { 'x-gateway-provider': 'acme', 'x-gateway-forward-headers': 'cookie' }
    expect(await refused(forward)).toEqual([400, 'invalid_header', 'x-gateway-forward-headers'])
    expect(await refused(config({ provider: 'acme', forward_headers: ['Authorization'] }))).toEqual([
      400,
      'invalid_config',
      'forward_headers[0]',
    ])
  })
})

describe('the list of models', () => {
  const list = async (headers: Record<string, string>): Promise<{ data?: { id: string }[]; total?: number }> => {
    resolved = undefined
    const response = await fetch(`${gateway.url}/v1/models`, { headers: { 'x-gateway-api-key': API_KEY, ...headers } })
    return response.headers.get('content-type') === 'application/json'
      ? ((await response.json()) as { data?: { id: string }[]; total?: number })
      : {}
  }

  test('is Weir’s own when no provider is named, or when it is asked for', async () => {
    const own = await list({})
    expect(own.data?.map(({ id }) => id)).toContain('@mock/mock')
    expect(own.data?.map(({ id }) => id)).toEqual(own.data?.map(({ id }) => id).toSorted())
    expect(own.total).toBe(own.data?.length ?? -1)
    expect(await list({ 'x-gateway-provider': 'mock', 'x-gateway-fetch-integrated-models': 'TRUE' })).toEqual(own)
    expect(resolved).toBeUndefined()
  })

  test('is the provider’s when one is named', async () => {
    await list({ 'x-gateway-provider': 'mock' })
    expect(resolved).toMatchObject({ only: { provider: { id: 'mock' } } })
  })
})
