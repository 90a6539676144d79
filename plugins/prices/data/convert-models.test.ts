import { expect, test } from 'bun:test'
import { convertModels, type FactsOfModel } from './convert-models.ts'
import { shifted } from './convert-price.ts'

const convert = (provider: string, models: Readonly<Record<string, FactsOfModel>>) =>
  convertModels({ read: '2026-11-22', providers: { [provider]: models } })

const pricesOf = (provider: string, name: string, model: FactsOfModel) =>
  convert(provider, { [name]: model }).models[0]?.pay_as_you_go

const chat = (price: Readonly<Record<string, unknown>>): FactsOfModel => ({ mode: 'chat', price })

test('dollars for a million become cents for one, to the digit', () => {
  expect([0.15, 2.5, 1e-7, 8.39233e-8, 12].map((value) => shifted(value, -4))).toEqual([
    0.000_015, 0.000_25, 1e-11, 8.39233e-12, 0.0012,
  ])
  expect(pricesOf('acme', 'm', chat({ input: 0.15, output: 0.6, cache_read: 0.075, cache_write_1h: 0.3 }))).toEqual({
    request_token: { price: 0.000_015 },
    response_token: { price: 0.000_06 },
    cache_read_input_token: { price: 0.000_007_5 },
    additional_units: { cache_write_1h_input_token: { price: 0.000_03 } },
  })
})

test('tiers and what is known of the model travel too', () => {
  const { models } = convert('oci', {
    m: {
      ...chat({
        input: 2,
        output: 4,
        above: [{ input_tokens: 200_000, input: 4, output: 6 }],
        flex: { input: 1, output: 2 },
      }),
      context: 1_000,
      abilities: ['tools'],
      retires: '2027-01-01',
      source: 'https://acme.example/prices',
    },
  })
  expect(models).toEqual([
    {
      provider: 'oracle',
      model: 'm',
      pay_as_you_go: { request_token: { price: 0.0002 }, response_token: { price: 0.0004 } },
      context_tiers: [
        {
          above_input_tokens: 200_000,
          pay_as_you_go: { request_token: { price: 0.0004 }, response_token: { price: 0.0006 } },
        },
      ],
      service_tiers: {
        flex: { pay_as_you_go: { request_token: { price: 0.0001 }, response_token: { price: 0.0002 } } },
      },
      mode: 'chat',
      context: 1_000,
      abilities: ['tools'],
      retires: '2027-01-01',
      source: 'https://acme.example/prices',
    },
  ])
})

test('nought is a price only where a page says so', () => {
  const free = chat({ input: 0, output: 0 })
  expect(pricesOf('acme', 'm', free)).toBeUndefined()
  expect(pricesOf('zai', 'glm-4.5-flash', free)).toEqual({ request_token: { price: 0 }, response_token: { price: 0 } })
  // A fee for each request is missing.
  expect(pricesOf('acme', 'm', chat({ input: 0, output: 2.8 }))).toBeUndefined()
  // Writing to the cache costs no more than reading the prompt.
  expect(pricesOf('acme', 'm', chat({ input: 1, output: 1, cache_write: 0 }))).not.toHaveProperty(
    'cache_write_input_token',
  )
  // Tokens do not matter where queries are sold.
  expect(pricesOf('acme', 'm', { mode: 'rerank', price: { input: 0, output: 0, per_query: 0.002 } })).toEqual({
    additional_units: { query: { price: 0.2 } },
  })
})

test('a measure that is told for both sides is charged once', () => {
  const price = { per_second_input: 0.0001, per_second_output: 0.0001 }
  expect(pricesOf('acme', 'm', { mode: 'transcription', price })).toEqual({
    additional_units: { second: { price: 0.01 } },
  })
})

test('prices of images stand with their model, by quality and size', () => {
  const image = (price: Readonly<Record<string, unknown>>): FactsOfModel => ({ mode: 'image', price })
  const { models, leftOut } = convert('openai', {
    '1024-x-1024/painter': image({ per_image_input: 0.01 }),
    'high/1024-x-1536/painter': image({ per_image_input: 0.25, per_pixel_input: 1e-7 }),
    'low/1024-x-1024/painter': image({ per_pixel_input: 1.0490417e-8 }),
    'hd/1024-x-1024/drawer': image({ per_pixel_input: 8.39233e-8 }),
    painter: image({ input: 5, image_output: 40 }),
    plain: image({ per_image_input: 0.02 }),
    edits: { mode: 'image_edit', price: { per_image_output: 0.4, per_image_input: 0.01 } },
  })
  expect(Object.fromEntries(models.map(({ model, pay_as_you_go }) => [model, pay_as_you_go]))).toEqual({
    painter: {
      request_token: { price: 0.0005 },
      additional_units: { image_token: { price: 0.004 } },
      image: { high: { '1024x1536': { price: 25 } }, low: { '1024x1024': { price: 1.1 } } },
    },
    drawer: { image: { hd: { '1024x1024': { price: 8.8 } } } },
    plain: { image: { default: { default: { price: 2 } } } },
    edits: { image: { default: { default: { price: 40 } } }, additional_units: { input_image: { price: 1 } } },
  })
  expect(leftOut).toEqual(['openai/1024-x-1024/painter'])
})

test('what no call can be matched with is left out, and named', () => {
  const hired = chat({ per_second_input: 0.01 })
  const { models, leftOut } = convert('bedrock', { 'us-east-1/6-month-commitment/m': hired, neural: hired, m: hired })
  expect(models.map(({ model }) => model)).toEqual(['m'])
  expect(leftOut).toEqual(['bedrock/neural', 'bedrock/us-east-1/6-month-commitment/m'])
})

test('an hour in the cache costs twice the input in batches of Anthropic too', () => {
  const { models } = convert('anthropic', {
    m: chat({ input: 0.1, output: 0.5, cache_write_1h: 0.2, batch: { input: 0.05, output: 0.25 } }),
  })
  expect(models[0]?.service_tiers?.batch?.pay_as_you_go.additional_units).toEqual({
    cache_write_1h_input_token: { price: 0.000_01 },
  })
})

test('a page that Claude fetches costs nothing but its tokens', () => {
  const price = { input: 1, output: 5, web_search_query: 0.01 }
  const units = (model: string) => pricesOf('anthropic', model, chat(price))?.additional_units
  expect(units('claude-x')).toEqual({ web_search: { price: 1 }, web_fetch: { price: 0 } })
  expect(units('other')).toEqual({ web_search: { price: 1 } })
})
