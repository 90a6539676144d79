import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { StoredPrompt, StoredPrompts } from '#core/ports'
import { API_KEY, startTestGateway, type TestGateway } from '../../../test/support/gateway.ts'
import { type MockServer, startMockServer } from '../../providers/mock/server.ts'

const stored = (slug: string, template: unknown, more: Partial<StoredPrompt> = {}): StoredPrompt => ({
  id: crypto.randomUUID(),
  slug,
  name: slug,
  versionId: crypto.randomUUID(),
  version: 3,
  template: typeof template === 'string' ? template : JSON.stringify(template),
  isRaw: false,
  parameters: { temperature: 0.5, max_tokens: 40, n: null },
  model: 'mock',
  strict: false,
  ...more,
})

const GREETING = [
  { role: 'system', content: 'Be {{mood}}.' },
  { role: 'user', content: '{{>signature}} {{question}}' },
]
const PROMPTS: ReadonlyMap<string, StoredPrompt> = new Map(
  [
    stored('pp-chat', GREETING),
    stored('pp-other', [{ role: 'user', content: 'Other {{question}}' }], {
      model: 'mock-json',
      parameters: { top_p: 1 },
    }),
    stored('pp-text', 'Say {{question}}'),
    stored('pp-strict', 'Say {{question}}', { strict: true }),
    stored('pp-lost', 'Say {{>lost}}'),
    stored('pp-model', 'Say it', { model: '@other/mock' }),
    stored('pp-tools', GREETING, {
      tools: [{ type: 'function', function: { name: 'look_up', parameters: { type: 'object' } } }],
      toolChoice: 'auto',
      parameters: { response_format: { type: 'json_object' }, stream: true },
    }),
    stored('pp-image', [
      {
        role: 'user',
        content: [
          { type: 'text', text: '{{question}}' },
          { type: 'image_url', image_url: { url: '{{image}}' } },
        ],
      },
    ]),
    stored('pp-checked', 'Say {{question}}', {
      variablesSchema: {
        type: 'object',
        required: ['question'],
        properties: {
          question: { type: 'string', maxLength: 20 },
          user: { type: 'object', properties: { age: { type: 'integer' } } },
          rule: { pattern: '.*.*.*.*.*.*=.*' },
        },
      },
    }),
    stored('pp-unusable', 'Say {{question}}', { variablesSchema: { $ref: '#' } }),
  ].map((prompt) => [prompt.slug, prompt]),
)
const prompts: StoredPrompts = {
  find: (workspaceId, reference) =>
    workspaceId === 'workspace-1' ? PROMPTS.get(reference.replace(/@.*/, '')) : undefined,
  partial: (_, reference) =>
    reference === 'signature'
      ? { id: 'partial', slug: 'signature', version: 1, versionId: 'version', template: 'Signed.' }
      : undefined,
}

let gateway: TestGateway
let upstream: MockServer
beforeAll(async () => {
  upstream = await startMockServer({})
  gateway = await startTestGateway({
    config: { plugins: ['defaults', 'mock', { openai: { baseURL: `${upstream.url}/v1`, apiKey: 'sk-operator' } }] },
    deps: { prompts },
  })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})
let before = 0
beforeEach(() => {
  before = upstream.counters.received
})

const OPENAI = { 'x-gateway-provider': 'openai' }
const send = async (path: string, body: unknown, headers: Readonly<Record<string, string>> = OPENAI) => {
  const response = await fetch(`${gateway.url}/v1/prompts/${path}`, {
    method: 'POST',
    headers: { 'x-gateway-api-key': API_KEY, ...headers },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text.startsWith('{') ? JSON.parse(text) : {},
  }
}
/** The request that the provider got. */
const sent = (): Record<string, unknown> => {
  const request = upstream.requests.at(-1)
  return JSON.parse(new TextDecoder().decode(request?.body))
}
const VARIABLES = { mood: 'kind', question: 'Why "so"?' }

describe('a run', () => {
  test('sends the saved parameters and the filled-in messages', async () => {
    const { status, body } = await send('pp-chat/completions', { variables: VARIABLES })
    expect([status, body.object]).toEqual([200, 'chat.completion'])
    expect(sent()).toEqual({
      temperature: 0.5,
      max_tokens: 40,
      model: 'mock',
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Signed. Why "so"?' },
      ],
    })
  })

  test('takes parameters beside the variables over grouped ones over saved ones', async () => {
    await send('pp-chat/completions', {
      variables: VARIABLES,
      hyperparameters: { temperature: 1, top_p: 0.2, stream: true, messages: [] },
      temperature: 0,
      user: 'someone',
      messages: [{ role: 'user', content: 'instead' }],
    })
    expect(sent()).toMatchObject({ temperature: 0, top_p: 0.2, max_tokens: 40, user: 'someone' })
    expect(sent()).not.toHaveProperty('stream')
    expect(JSON.stringify(sent())).not.toContain('instead')
  })

  test('streams when the call says so, and only then', async () => {
    const saved = await send('pp-tools/completions', { variables: VARIABLES })
    expect(saved.headers.get('content-type')).toStartWith('application/json')
    const streamed = await send('pp-tools/completions', { variables: VARIABLES, stream: true })
    expect(streamed.headers.get('content-type')).toStartWith('text/event-stream')
    expect(streamed.text).toEndWith('data: [DONE]\n\n')
    expect(sent()).toMatchObject({ tool_choice: 'auto', response_format: { type: 'json_object' }, stream: true })
    expect(sent().tools).toHaveLength(1)
  })

  test('of a text prompt is a text completion', async () => {
    const { body } = await send('pp-text/completions', { variables: VARIABLES })
    expect(body.object).toBe('text_completion')
    expect(sent()).toMatchObject({ prompt: 'Say Why "so"?', model: 'mock' })
  })

  test('fills in images', async () => {
    const image = 'data:image/png;base64,iVBORw0KGgo='
    await send('pp-image/completions', { variables: { question: 'What?', image } })
    expect(sent().messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What?' },
          { type: 'image_url', image_url: { url: image } },
        ],
      },
    ])
  })

  test('is logged with its prompt', async () => {
    const { headers } = await send('pp-chat@12/completions', { variables: VARIABLES })
    const record = await gateway.record(({ id }) => id === headers.get('x-gateway-request-id'))
    expect(record).toMatchObject({
      route: '/v1/prompts/:promptId/completions',
      endpoint: 'chat',
      prompt_slug: 'pp-chat',
      prompt_id: PROMPTS.get('pp-chat')?.id,
      prompt_version: 3,
    })
  })

  test('goes where a config says, which may name another prompt for a target', async () => {
    const config = {
      strategy: { mode: 'fallback' },
      targets: [
        { provider: 'openai', override_params: { model: 'mock-error-503' } },
        { provider: 'openai', prompt_id: 'pp-other', override_params: { seed: 7 } },
      ],
    }
    const { status, headers } = await send(
      'pp-chat/completions',
      { variables: VARIABLES, max_tokens: 9 },
      { 'x-gateway-config': JSON.stringify(config) },
    )
    expect([status, headers.get('x-gateway-last-used-option-index')]).toEqual([200, 'config.targets[1]'])
    expect(sent()).toEqual({
      top_p: 1,
      model: 'mock-json',
      max_tokens: 9,
      seed: 7,
      messages: [{ role: 'user', content: 'Other Why "so"?' }],
    })
    const record = await gateway.record(({ id }) => id === headers.get('x-gateway-request-id'))
    expect(record).toMatchObject({ prompt_slug: 'pp-other', model: 'mock-json' })
  })

  test('is answered from the cache by what it renders to', async () => {
    const config = { 'x-gateway-config': '{"provider":"openai","cache":{"mode":"simple"}}' }
    const statusOf = async (variables: unknown) =>
      (await send('pp-chat/completions', { variables }, config)).headers.get('x-gateway-cache-status')
    expect(await statusOf({ mood: 'a', question: 'b' })).toBe('MISS')
    expect(await statusOf({ mood: 'a', question: 'b', unused: 1 })).toBe('HIT')
    expect(await statusOf({ mood: 'a', question: 'c' })).toBe('MISS')
  })
})

describe('a rendering', () => {
  test('gives the request that a run would send, and sends none', async () => {
    const { status, body } = await send('pp-chat/render', { variables: VARIABLES, hyperparameters: { temperature: 1 } })
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      data: {
        temperature: 1,
        max_tokens: 40,
        model: 'mock',
        messages: [
          { role: 'system', content: 'Be kind.' },
          { role: 'user', content: 'Signed. Why "so"?' },
        ],
      },
    })
    expect((await send('pp-text/render', { variables: {} })).body.data.prompt).toBe('Say ')
    expect(upstream.counters.received).toBe(before)
  })
})

describe('the old route', () => {
  test('wraps the answer, and says what took its place', async () => {
    const { status, body, headers } = await send('pp-chat/generate', { variables: VARIABLES })
    expect([status, body.success, body.data.object]).toEqual([200, true, 'chat.completion'])
    expect(headers.get('link')).toBe('</v1/prompts/pp-chat/completions>; rel="successor-version"')
    expect(headers.get('deprecation')).toBe('@1701993600')
  })

  test('takes variables only, and does without', async () => {
    await send('pp-chat/generate', { variables: VARIABLES, temperature: 0, stream: true })
    expect(sent()).toMatchObject({ temperature: 0.5 })
    expect((await send('pp-text/generate', { variables: {} })).status).toBe(200)
    for (const body of [{}, { variables: null }, { variables: 'x' }]) {
      const refused = await send('pp-text/generate', body)
      expect([refused.status, refused.body]).toMatchObject([400, { error: { param: 'variables' } }])
    }
  })
})

describe('a call is refused', () => {
  test.each([
    ['for a prompt that is not there', 'pp-none/completions', { variables: {} }, 404, 'unknown_prompt', 'prompt_id'],
    [
      'for a prompt that is not there, on the old route',
      'pp-none/generate',
      { variables: {} },
      404,
      'unknown_prompt',
      'prompt_id',
    ],
    ['without variables', 'pp-chat/completions', {}, 400, 'invalid_request', 'variables'],
    ['with variables that are no object', 'pp-chat/render', { variables: ['x'] }, 400, 'invalid_request', 'variables'],
    [
      'with odd hyperparameters',
      'pp-chat/render',
      { variables: {}, hyperparameters: 1 },
      400,
      'invalid_request',
      'hyperparameters',
    ],
    ['with an odd stream', 'pp-chat/completions', { variables: {}, stream: 'yes' }, 400, 'invalid_request', 'stream'],
    ['without a partial', 'pp-lost/render', { variables: {} }, 400, 'prompt_not_rendered', 'prompt_id'],
    [
      'by a strict prompt, without a variable',
      'pp-strict/render',
      { variables: {} },
      400,
      'prompt_not_rendered',
      'variables.question',
    ],
    [
      'by a schema, without a variable',
      'pp-checked/render',
      { variables: {} },
      400,
      'invalid_request',
      'variables.question',
    ],
    [
      'by a schema, with a long one',
      'pp-checked/render',
      { variables: { question: 'x'.repeat(21) } },
      400,
      'invalid_request',
      'variables.question',
    ],
    [
      'by a schema, deep inside',
      'pp-checked/completions',
      { variables: { question: 'x', user: { age: 'old' } } },
      400,
      'invalid_request',
      'variables.user.age',
    ],
    [
      'by a schema, with a text on which going back takes minutes',
      'pp-checked/render',
      { variables: { question: 'x', rule: 'x'.repeat(3_000) } },
      400,
      'invalid_request',
      'variables.rule',
    ],
    [
      'by a schema, with a text that takes too long',
      'pp-checked/completions',
      { variables: { question: 'x', rule: 'x'.repeat(50_000) } },
      400,
      'invalid_request',
      'variables',
    ],
    [
      'with a schema that could not be saved today',
      'pp-unusable/completions',
      { variables: { question: 'x' } },
      400,
      'prompt_not_rendered',
      'prompt_id',
    ],
    ['for an unknown stored provider', 'pp-model/completions', { variables: {} }, 400, 'unknown_provider', '@other'],
  ] as const)('%s', async (what, path, body, status, code, param) => {
    const answer = await send(path, body, what.includes('stored provider') ? {} : OPENAI)
    expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([status, code, param])
    expect(upstream.counters.received).toBe(before)
  })

  test('with a prompt of a config that is of another kind, or on a route without prompts', async () => {
    const config = { 'x-gateway-config': '{"provider":"openai","prompt_id":"pp-text"}' }
    expect((await send('pp-chat/completions', { variables: VARIABLES }, config)).body.error.code).toBe('invalid_config')
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'x-gateway-api-key': API_KEY, ...config },
      body: '{"model":"m","messages":[{"role":"user","content":"x"}]}',
    })
    expect([response.status, await response.json()]).toMatchObject([400, { error: { code: 'unsupported_config' } }])
  })
})
