import { describe, expect, test } from 'bun:test'
import type { Bought, OwnModel, OwnPrices, Prices } from '#core/prices'
import type { Usage } from '#core/usage'
import { fakeHost } from '#kit/testing'
import type { PriceFile } from './price-file.ts'
import { openPriceList } from './price-list.ts'
import { createPrices } from './prices.ts'

const list = openPriceList()

const pricesOf = (file: PriceFile = {}, own?: OwnPrices): Prices & { readonly warned: () => readonly unknown[] } => {
  const host = fakeHost()
  const storedPrices = { find: (_: string, slug: string) => (slug === 'team' ? own : undefined) }
  const prices = createPrices({ list, file, storedPrices, log: host.log })
  return { ...prices, warned: () => host.logLines.map(({ fields }) => fields) }
}

const usage = (inputTokens: number, outputTokens: number, more: Partial<Usage> = {}): Usage => ({
  inputTokens,
  outputTokens,
  totalTokens: inputTokens + outputTokens,
  ...more,
})

const bought = (name: string, used: Usage, more: Partial<Bought> = {}): Bought => {
  const slash = name.indexOf('/')
  return {
    provider: name.slice(0, slash),
    models: [name.slice(slash + 1)],
    workspaceId: 'w',
    usage: used,
    ...more,
  }
}

/** Dollars, as one would write them. */
const dollars = (prices: Prices, what: Bought): number | undefined => {
  const total = prices.costOf(what)?.cost.total
  return total === undefined ? undefined : total / 1e12
}

describe('the list', () => {
  const prices = pricesOf()

  // Worked out by hand from the prices of the pages, as they were on 2026-11-22.
  test.each([
    // 2.50 and 10 a million.
    ['openai/gpt-4o', usage(1_000_000, 100_000), 3.5],
    // 5 and 15: the one snapshot that costs more than its model.
    ['openai/gpt-4o-2024-05-13', usage(1_000_000, 100_000), 6.5],
    // 500 of 1,500 cached at 1.25.
    ['openai/gpt-4o', usage(1_500, 0, { cachedInputTokens: 500 }), 0.003_125],
    // 4,160 tokens of an image at 40: the guide of the maker says 0.167 (numbers from memory).
    ['openai/gpt-image-1', usage(0, 4_160, { units: { image: 1 } }), 0.1664],
    // 15 for a million characters.
    ['openai/tts-1', usage(0, 0, { units: { character: 4_096 } }), 0.061_44],
    // 0.006 a minute.
    ['openai/whisper-1', usage(0, 0, { units: { second: 90 } }), 0.009],
    ['openai/omni-moderation-latest', usage(120, 0), 0],
    // 5 and 25; cached at a tenth, written at 1.25 and, for an hour, at 2 times; a search is a cent.
    [
      'anthropic/claude-opus-4-5-20251101',
      usage(10_000, 1_000, {
        cachedInputTokens: 6_000,
        cacheWriteTokens: 3_000,
        hourCacheWriteTokens: 1_000,
        units: { web_search: 2 },
      }),
      0.005 + 0.003 + 0.0125 + 0.01 + 0.025 + 0.02,
    ],
    // 1,290 tokens of an image at 30, which the page calls 0.039 an image (numbers from memory).
    ['google/gemini-2.5-flash-image', usage(0, 1_290, { imageOutputTokens: 1_290, units: { image: 1 } }), 0.0387],
    // 2 and 12 up to 200,000 tokens, 4 and 18 above.
    ['google/gemini-3.1-pro-preview', usage(200_000, 1_000), 0.412],
    ['google/gemini-3.1-pro-preview', usage(200_001, 1_000), 0.818_004],
    // Sound at 1, its text at 0.30.
    ['google/gemini-2.5-flash', usage(2_000, 0, { audioInputTokens: 1_000 }), 0.0013],
    ['cohere/rerank-english-v3.0', usage(0, 0, { units: { query: 3 } }), 0.006],
    ['mistral-ai/mistral-ocr-2512', usage(0, 0, { units: { page: 7 } }), 0.014],
  ] as const)('%s', (model, used, expected) => {
    expect(dollars(prices, bought(model, used))).toBeCloseTo(expected, 12)
    expect(prices.costOf(bought(model, used))?.priceId).toBe('table:2026-11-22')
  })

  test('has tiers', () => {
    const at = (tier: string, tokens = 1_000_000) =>
      dollars(prices, bought('openai/gpt-5.4', usage(tokens, 0), { tier }))
    expect([at('default'), at('batch'), at('flex'), at('priority')].map((sum) => sum !== undefined)).toEqual([
      true,
      false,
      false,
      false,
    ])
    // 2.50, and the tiers below the length from which all of it costs more.
    expect([at('default', 1_000), at('batch', 1_000), at('flex', 1_000), at('priority', 1_000)]).toEqual([
      0.0025, 0.001_25, 0.001_25, 0.005,
    ])
    expect(at('AUTO', 1_000)).toBe(0.0025)
    expect(at('scale', 1_000)).toBeUndefined()
    expect(dollars(prices, bought('google/gemini-2.5-pro', usage(1_000, 0), { tier: 'ON_DEMAND_PRIORITY' }))).toBe(
      0.002_25,
    )
  })

  test('does not take a price that is missing for nothing', () => {
    for (const [model, used, missing] of [
      ['openai/no-such-model', usage(1, 1), 'the model'],
      ['nobody/gpt-4o', usage(1, 1), 'the model'],
      ['openai/gpt-4o', usage(10, 1, { audioInputTokens: 5 }), 'request_audio_token'],
      ['openai/whisper-1', usage(10, 1), 'a count of second'],
      // Nought in the collection, of which the page says nothing.
      ['cohere/command-a-plus-05-2026', usage(1, 1), 'the standard tier'],
    ] as const) {
      const prices = pricesOf()
      const one = bought(model, used)
      expect(prices.costOf(one)).toBeUndefined()
      // Said once.
      expect(prices.costOf(one)).toBeUndefined()
      expect(prices.warned()).toEqual([{ provider: one.provider, model: one.models[0], missing }])
    }
  })

  test('prefers the name that the answer has, and takes that of the request where it is the only one', () => {
    const one = bought('openai/x', usage(1_000_000, 0))
    expect(dollars(prices, { ...one, models: ['gpt-4o-2024-05-13', 'gpt-4o'] })).toBe(5)
    expect(dollars(prices, { ...one, models: [undefined, 'gpt-4o'] })).toBe(2.5)
    expect(dollars(prices, { ...one, models: ['something-inner', 'gpt-4o'] })).toBe(2.5)
  })

  test('has prices of regions, where the target names one', () => {
    const one = bought('bedrock/meta.llama3-8b-instruct-v1:0', usage(1_000_000, 0))
    const sums = [undefined, 'eu-west-2', 'eu-west-3'].map((region) => dollars(prices, { ...one, region }))
    expect(sums).toEqual([0.3, 0.39, 0.3])
  })

  test('does not take the name of a deployment for that of a model', () => {
    const one = { ...bought('azure-openai/x', usage(1_000_000, 0)), models: [undefined, 'gpt-4o'] }
    expect(prices.costOf(one)).toBeUndefined()
    expect(dollars(prices, { ...one, models: ['gpt-4o-2024-08-06', 'gpt-4o'] })).toBe(2.5)
    const aliases = {
      namesOf: (model: string) => (model === 'smart' ? ['smart', 'gpt-4o'] : [model]),
      find: () => undefined,
    }
    const stored = pricesOf({}, aliases)
    expect(dollars(stored, { ...one, models: [undefined, 'smart'], storedProvider: 'team' })).toBe(2.5)
  })

  test('is not led astray by names that callers make up', () => {
    const long = `ft:gpt-4o-2024-08-06:${'x'.repeat(10_000)}`
    for (const model of ['', '*', '__proto__', 'constructor', long, '\n', 'a\nb']) {
      expect(prices.costOf(bought(`openai/${model}`, usage(1, 1)))).toBeUndefined()
      if (model !== long) expect(prices.describe('openai', model)).toBeUndefined()
    }
    expect(prices.describe('__proto__', 'toString')).toBeUndefined()
  })
})

test('what the provider reports wins, and is not divided', () => {
  const prices = pricesOf()
  const one = bought('openai/gpt-4o', usage(1_000, 0))
  expect(prices.costOf({ ...one, reportedDollars: 0.000_123_4 })).toEqual({
    cost: { total: 123_400_000, input: 0, output: 0, cache: 0, other: 123_400_000 },
    priceId: 'provider',
  })
  expect(prices.costOf({ ...bought('openrouter/x', usage(1, 1)), reportedDollars: 0 })?.cost.total).toBe(0)
  for (const reportedDollars of [-1, Number.NaN, Number.POSITIVE_INFINITY, 1e9]) {
    expect(prices.costOf({ ...one, reportedDollars })?.priceId).toBe('table:2026-11-22')
  }
})

const flat = (cents: number) => ({
  pay_as_you_go: { request_token: { price: cents }, response_token: { price: cents } },
})

describe('the operator’s file', () => {
  test('wins over the list, also for snapshots of a model that it names', () => {
    const prices = pricesOf({ openai: { 'gpt-4o': flat(0.0001) } })
    expect(dollars(prices, bought('openai/gpt-4o-2024-08-06', usage(1_000_000, 0)))).toBe(1)
    expect(prices.costOf(bought('openai/gpt-4o', usage(1, 0)))?.priceId).toBe('file')
    expect(prices.costOf(bought('openai/gpt-5', usage(1, 0)))?.priceId).toBe('table:2026-11-22')
    expect(prices.describe('openai', 'gpt-4o')).toMatchObject({ ...flat(0.0001), priceId: 'file' })
  })

  test('prices all other models of a provider with a star, and may say that they are free', () => {
    const prices = pricesOf({ ollama: { '*': flat(0), big: flat(0.0002) }, openai: { '*': flat(1) } })
    expect(prices.costOf(bought('ollama/llama3', usage(5, 5, { audioOutputTokens: 2 })))).toEqual({
      cost: { total: 0, input: 0, output: 0, cache: 0, other: 0 },
      priceId: 'file',
    })
    expect(dollars(prices, bought('ollama/big', usage(1_000_000, 0)))).toBe(2)
    expect(prices.costOf(bought('openai/gpt-5', usage(1, 0)))?.priceId).toBe('table:2026-11-22')
    expect(prices.costOf(bought('openai/unheard-of', usage(1, 0)))?.priceId).toBe('file')
  })
})

describe('an integration', () => {
  const own = (models: Readonly<Record<string, OwnModel>>, multiplier?: object): Prices =>
    pricesOf(
      { openai: { 'gpt-file': flat(0.0001) } },
      {
        ...(multiplier === undefined ? {} : { adjustments: { multiplier } }),
        namesOf: (model) => [model],
        find: (model) => new Map(Object.entries(models)).get(model),
      },
    )
  const through = (name: string, used: Usage): Bought => bought(name, used, { storedProvider: 'team' })
  const million = usage(1_000_000, 1_000_000)

  test('has prices of its own, which hold for it alone', () => {
    const prices = own({ 'gpt-4o': { price: flat(0.0003) } }, { default: 0.5 })
    expect(prices.costOf(through('openai/gpt-4o', million))).toMatchObject({
      cost: { total: 6e12 },
      priceId: 'integration',
    })
    expect(dollars(prices, bought('openai/gpt-4o', million))).toBe(12.5)
    expect(dollars(prices, bought('openai/gpt-4o', million, { storedProvider: 'other' }))).toBe(12.5)
  })

  test('has factors on the prices of the list and of the file', () => {
    const prices = own({}, { default: 0.9, request_token: 0.5, additional_units: { web_search: 2 } })
    // 2.50 × 0.5 and 10 × 0.9.
    expect(dollars(prices, through('openai/gpt-4o', million))).toBe(10.25)
    expect(dollars(prices, through('openai/gpt-file', million))).toBe(0.5 + 0.9)
    expect(prices.costOf(through('openai/gpt-file', million))?.priceId).toBe('integration')
    const searching = usage(0, 0, { units: { web_search: 1 } })
    expect(dollars(prices, through('anthropic/claude-opus-4-5', searching))).toBe(0.02)
  })

  test('has a factor for a part that has no price of its own', () => {
    const prices = own({}, { response_token: 0.5, reasoning_token: 2 })
    const used = usage(0, 2_000_000, { reasoningTokens: 1_000_000 })
    expect(dollars(prices, through('openai/gpt-file', used))).toBe(0.5 + 2)
    const followed = own({}, { response_token: 0.5 })
    expect(dollars(followed, through('openai/gpt-file', used))).toBe(1)
  })

  test('has models that are other names, or further training, of listed ones', () => {
    const prices = own({
      ours: { base: 'gpt-4o' },
      trained: { base: 'gpt-4o-2024-08-06', isFinetune: true },
      odd: { base: 'gpt-5', isFinetune: true },
    })
    expect(dollars(prices, through('openai/ours', million))).toBe(12.5)
    // 3.75 and 15.
    expect(dollars(prices, through('openai/trained', million))).toBe(18.75)
    expect(prices.costOf(through('openai/odd', million))).toBeUndefined()
  })
})
