import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { createWeir, type Weir } from '../../../src/compose/weir.ts'
import { temporaryFolder } from '../../../src/store/testing.ts'
import { copyEmbeddedDatabase } from '../../support/embedded-database.ts'

setDefaultTimeout(60_000)

const folder = temporaryFolder()
const env = {
  WEIR_API_KEY: 'weir-test-workspace-key-0123456789abcdef',
  WEIR_ADMIN_KEY: 'weir-test-admin-key-0123456789abcdef',
  WEIR_DATA_DIR: join(folder.path, 'data'),
}

let weir: Weir
const open = (): Promise<Weir> =>
  createWeir({ config: { plugins: ['defaults', { prices: { file: './prices.json' } }] }, folder: folder.path, env })

beforeAll(async () => {
  await copyEmbeddedDatabase(env.WEIR_DATA_DIR)
  const price = { pay_as_you_go: { request_token: { price: 0.5 } }, finetune_config: { pay_per_hour: { price: 200 } } }
  await Bun.write(join(folder.path, 'prices.json'), JSON.stringify({ acme: { 'acme/one': price } }))
  weir = await open()
})
afterAll(async () => {
  await weir.close()
  folder.remove()
})

const get = async (path: string, key?: string): Promise<{ status: number; body: unknown; headers: Headers }> => {
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const response = await weir.handle(new Request(`http://weir.test${path}`, { headers }))
  return { status: response.status, body: await response.json(), headers: response.headers }
}

const product = (count: string, rate: string) => ({
  operation: 'multiply',
  operands: [{ value: count }, { value: `rates.${rate}` }],
})

test('anybody is told the price of a model, in exactly the form of the interface', async () => {
  const expected = {
    pay_as_you_go: {
      request_token: { price: 0.00025 },
      response_token: { price: 0.001 },
      cache_read_input_token: { price: 0.000125 },
    },
    calculate: {
      request: {
        operation: 'sum',
        operands: [product('input_tokens', 'request_token'), product('cache_read_tokens', 'cache_read_input_token')],
      },
      response: { operation: 'sum', operands: [product('output_tokens', 'response_token')] },
    },
    currency: 'USD',
  }
  for (const root of ['/v2', '/v1', '/admin/v2', '']) {
    const { status, body, headers } = await get(`${root}/model-configs/pricing/openai/gpt-4o`)
    expect([root, status, body]).toEqual([root, 200, expected])
    expect(headers.get('content-type')).toStartWith('application/json')
    expect(headers.get('cache-control')).toBe('public, max-age=3600')
  }
})

test('names with slashes, colons and at signs are found, encoded or not', async () => {
  const arn = 'arn:aws:bedrock:us-east-1::foundation-model/amazon.nova-lite-v1:0'
  for (const [provider, model, cents] of [
    ['groq', 'openai/gpt-oss-120b', 0.000_015],
    ['fireworks-ai', 'accounts/fireworks/models/deepseek-v3', 0.000_09],
    ['workers-ai', '@cf/meta/llama-3.1-8b-instruct', undefined],
    ['bedrock', 'amazon.nova-lite-v1:0', 0.000_006],
    ['bedrock', arn, 0.000_006],
    ['acme', 'acme/one', 0.5],
  ] as const) {
    const found = await Promise.all(
      [model, encodeURIComponent(model)].map((name) => get(`/v2/model-configs/pricing/${provider}/${name}`)),
    )
    expect(found[0]?.body).toEqual(found[1]?.body)
    if (cents === undefined) continue
    expect(found.map(({ status, body }) => [model, status, body])).toMatchObject(
      found.map(() => [model, 200, { pay_as_you_go: { request_token: { price: cents } } }]),
    )
  }
})

test('details tell of tiers and of the model', async () => {
  expect((await get('/v2/model-configs/pricing/anthropic/claude-haiku-5-5?details=true')).body).toMatchObject({
    currency: 'USD',
    context_tiers: [{ above_input_tokens: 100_000, pay_as_you_go: { request_token: { price: 0.000_05 } } }],
    service_tiers: { batch: { pay_as_you_go: { request_token: { price: 0.000_005 } } } },
    price_id: 'table:2026-11-22',
    model: { mode: 'chat', context: 1_000_000, max_output: 128_000, abilities: expect.arrayContaining(['tools']) },
  })
  expect((await get('/v2/model-configs/pricing/acme/acme%2Fone?details=true')).body).toEqual({
    pay_as_you_go: { request_token: { price: 0.5 } },
    calculate: {
      request: { operation: 'sum', operands: [product('input_tokens', 'request_token')] },
      response: { operation: 'sum', operands: [] },
    },
    currency: 'USD',
    finetune_config: { pay_per_hour: { price: 200 } },
    price_id: 'file',
    model: {},
  })
})

test('prices are listed for whoever has a key, by provider and by a part of the name', async () => {
  const list = async (query: string) => {
    const { status, body } = await get(`/v2/model-configs/pricing?${query}`, env.WEIR_API_KEY)
    const { data = [], total } = body as {
      readonly data?: readonly { readonly provider: string; readonly model_slug: string }[]
      readonly total?: number
    }
    return { status, total, names: data.map(({ provider, model_slug: model }) => `${provider}/${model}`), data }
  }
  expect((await get('/v2/model-configs/pricing')).status).toBe(401)
  const all = await list('page_size=3')
  expect([all.status, all.names.length]).toEqual([200, 3])
  expect(all.total).toBeGreaterThan(2_000)
  expect((await list('page_size=2&current_page=1')).names[0]).toBe(all.names[2] ?? '')

  const found = await list('search=OpenAI/GPT-4o&page_size=500')
  expect(found.names).toContain('openai/gpt-4o')
  expect(found.names.every((name) => name.toLowerCase().includes('openai/gpt-4o'))).toBe(true)
  // The operator's file has models that the list does not have.
  const own = await list('provider=acme')
  expect(own.data).toMatchObject([{ provider: 'acme', model_slug: 'acme/one', price_id: 'file', currency: 'USD' }])
  expect((await list('provider=nobody')).total).toBe(0)
})

test('what is not known is a 404 with its words', async () => {
  for (const path of [
    'openai/nothing',
    'nobody/gpt-4o',
    'cortex/llama3-8b',
    `openai/${'x'.repeat(3_000)}`,
    'openai/%00',
  ]) {
    const { status, body } = await get(`/model-configs/pricing/${path}`)
    if (path.endsWith('%00')) {
      expect(status).toBe(400)
      continue
    }
    expect([path, status]).toEqual([path, 404])
    expect(body).toEqual({ error: expect.stringMatching(/^No price is known of the model '.{1,200}$/s) })
  }
  expect((await get('/v2/model-configs/pricing/openai/gpt-4o?detail=true')).status).toBe(400)
  expect((await get('/v2/model-configs/pricing/openai')).status).toBe(404)
})

test('a file with faults stops a start, and tells all of them', async () => {
  const broken = temporaryFolder()
  await Bun.write(
    join(broken.path, 'prices.json'),
    '{"acme":{"a":{"pay_as_you_go":{"request_token":{"price":-1}}},"b":{"pay_as_you_go":{"tokens":{"price":1}}}}}',
  )
  try {
    const options = { folder: broken.path, env: { ...env, WEIR_DATA_DIR: join(broken.path, 'data') } }
    await copyEmbeddedDatabase(options.env.WEIR_DATA_DIR)
    const start = (file: string) => createWeir({ config: { plugins: ['defaults', { prices: { file } }] }, ...options })
    await expect(start('./prices.json')).rejects.toThrow(
      /plugin 'prices' cannot start: \.\/prices\.json: acme\.a\.pay_as_you_go\.request_token\.price: .*\n\.\/prices\.json: acme\.b\.pay_as_you_go\.tokens: /,
    )
    await expect(start('./none.json')).rejects.toThrow("plugin 'prices' cannot start: ./none.json cannot be read")
  } finally {
    broken.remove()
  }
})
