import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { MostUsed, OwnModel, OwnPrices, Prices } from '#core/prices'
import type { Usage } from '#core/usage'
import { fakeHost } from '#kit/testing'
import text from './data/models.jsonl' with { type: 'text' }
import type { PriceFile } from './price-file.ts'
import { type Listed, openPriceList } from './price-list.ts'
import { createPrices } from './prices.ts'

const list = openPriceList()
const pricesOf = (file: PriceFile = {}, own?: OwnPrices): Prices =>
  createPrices({ list, file, storedPrices: { find: () => own }, log: fakeHost().log })

const [, ...lines] = text.trimEnd().split('\n')
const models = lines.map((line) => JSON.parse(line) as Listed)

const most = (inputTokens: number, outputTokens: number, more: Partial<MostUsed> = {}): MostUsed => ({
  inputTokens,
  outputTokens,
  ...more,
})

const UNITS = ['image', 'second', 'character', 'page', 'query', 'source', 'web_search'] as const
const QUALITIES = ['low', 'high', 'standard', 'hd']
const SIZES = ['1024x1024', '1536x1024', '1792x1024']
const TIERS = ['batch', 'flex', 'priority', undefined, 'default'] as const

/** Part of a number. */
const upTo = (whole: number, part: number): number => Math.min(whole, Math.floor((whole + 1) * part))

const bound = fc.record({
  inputTokens: fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 2_000_000 })),
  outputTokens: fc.oneof(fc.integer({ min: 0, max: 1_000 }), fc.integer({ min: 0, max: 200_000 })),
  units: fc.dictionary(fc.constantFrom(...UNITS), fc.integer({ min: 0, max: 5_000 }), { maxKeys: 2 }),
  picture: fc.record({ quality: fc.constantFrom(...QUALITIES), size: fc.constantFrom(...SIZES) }, { requiredKeys: [] }),
  isText: fc.boolean(),
})

/** What a call with that bound may have used, by random parts of it. */
const usageWithin = ({ inputTokens, outputTokens, units = {}, isText }: MostUsed, parts: readonly number[]): Usage => {
  let next = 0
  const part = (whole: number): number => upTo(whole, parts[next++ % parts.length] ?? 0)
  const [input, output] = [part(inputTokens), part(outputTokens)]
  const cached = part(input)
  const written = part(input - cached)
  const media = isText === true ? 0 : part(input)
  return {
    inputTokens: input,
    outputTokens: output,
    totalTokens: input + output,
    cachedInputTokens: cached,
    cacheWriteTokens: written,
    hourCacheWriteTokens: part(written),
    audioInputTokens: part(media),
    imageInputTokens: media - part(media),
    reasoningTokens: part(output),
    audioOutputTokens: part(output),
    imageOutputTokens: part(output),
    units: Object.fromEntries(Object.entries(units).map(([unit, count]) => [unit, part(count)])),
  }
}

const word = fc.constantFrom(...TIERS)
const parts = fc.array(fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true })), {
  minLength: 12,
  maxLength: 12,
})

describe('no usage within a bound costs more than the worst of it', () => {
  const adjusted: OwnPrices = {
    adjustments: { multiplier: { standard: 1.37, response_audio_token: 3.3 } },
    namesOf: () => [],
    find: () => undefined,
  }
  test.each([
    ['at the prices of the list', pricesOf()],
    ['at prices times a factor', pricesOf({}, adjusted)],
  ])('%s', (_name, prices) => {
    let compared = 0
    fc.assert(
      fc.property(
        fc.constantFrom(...models),
        bound,
        parts,
        word,
        word,
        fc.boolean(),
        ({ provider, model }, limit, shares, askedTier, servedTier, isFull) => {
          const asked = { provider, models: [model], workspaceId: 'w', storedProvider: 'own' }
          const worst = prices.worstOf({ ...asked, most: limit, tier: askedTier })
          // A tier that is named is not exceeded: the provider may serve the call in the standard one.
          const tier = askedTier === undefined || askedTier === 'priority' ? servedTier : isFull ? undefined : askedTier
          const usage = { ...usageWithin(limit, shares), picture: limit.picture ?? {} }
          const real = prices.costOf({ ...asked, usage, tier })
          // Measures that nobody counted before the call are not in the bound.
          if (real === undefined || worst === undefined) return true
          compared++
          return real.cost.total <= worst
        },
      ),
      { numRuns: 8_000 },
    )
    expect(compared).toBeGreaterThan(2_000)
  })

  test('wherever the price of tokens is known, so is their worst', () => {
    const prices = pricesOf()
    for (const { provider, model, pay_as_you_go: listed } of models) {
      if (listed?.request_token === undefined) continue
      const worst = prices.worstOf({ provider, models: [model], workspaceId: 'w', most: most(1_000, 100) })
      expect([provider, model, worst !== undefined]).toEqual([provider, model, true])
    }
  })
})

describe('the worst is what the dearest usage costs, to the last picodollar', () => {
  const prices = pricesOf()
  const dollars = (name: string, limit: MostUsed, tier?: string): number | undefined => {
    const slash = name.indexOf('/')
    const asked = { provider: name.slice(0, slash), models: [name.slice(slash + 1)], workspaceId: 'w' }
    const worst = prices.worstOf({ ...asked, most: limit, tier })
    return worst === undefined ? undefined : worst / 1e12
  }

  test.each<[string, MostUsed, string | undefined, number | undefined]>([
    // 2.50 and 10 a million, priority 4.25 and 17.
    ['openai/gpt-4o', most(1_000, 100), 'default', 0.003_5],
    ['openai/gpt-4o', most(1_000, 100), 'flex', 0.003_5],
    ['openai/gpt-4o', most(1_000, 100), undefined, 0.005_95],
    ['openai/gpt-4o', most(1_000, 100), 'auto', 0.005_95],
    ['openai/gpt-4o', most(1_000, 100), 'priority', 0.005_95],
    // Written to the cache for an hour: 10, twice the input.
    ['anthropic/claude-opus-4-5-20251101', most(1_000, 100), 'standard_only', 0.012_5],
    // 2 and 12 up to 200,000 tokens, 4 and 18 above.
    ['google/gemini-3.1-pro-preview', most(200_000, 0), 'default', 0.4],
    ['google/gemini-3.1-pro-preview', most(200_001, 0), 'default', 0.800_004],
    // Sound at 1, its text at 0.30.
    ['google/gemini-2.5-flash', most(1_000, 0), 'default', 0.001],
    ['google/gemini-2.5-flash', most(1_000, 0, { isText: true }), 'default', 0.000_3],
    ['openai/tts-1', most(0, 0, { units: { character: 4_096 } }), undefined, 0.061_44],
    // Its seconds are known when they were heard.
    ['openai/whisper-1', most(0, 0), undefined, undefined],
    ['openai/no-such-model', most(1, 1), undefined, undefined],
  ])('%s %j %s', (name, limit, tier, expected) => {
    const worst = dollars(name, limit, tier)
    if (expected === undefined) expect(worst).toBeUndefined()
    else expect(worst).toBeCloseTo(expected, 12)
  })

  test('of an image whose quality the request leaves open it is the dearest', () => {
    const image = { low: { '1024x1024': { price: 1 } }, high: { '1024x1024': { price: 4 }, wide: { price: 6 } } }
    const own = pricesOf({ openai: { painter: { pay_as_you_go: { image } } } })
    const worst = (picture: MostUsed['picture']): number | undefined =>
      own.worstOf({
        provider: 'openai',
        models: ['painter'],
        workspaceId: 'w',
        most: most(0, 0, { units: { image: 2 }, ...(picture === undefined ? {} : { picture }) }),
      })
    expect([worst({ quality: 'low', size: '1024x1024' }), worst({ quality: 'high' }), worst(undefined)]).toEqual([
      2e10, 12e10, 12e10,
    ])
  })

  test('it is never more than a record can hold', () => {
    const own = pricesOf({ openai: { dear: { pay_as_you_go: { request_token: { price: 1_000_000 } } } } })
    const worst = own.worstOf({ provider: 'openai', models: ['dear'], workspaceId: 'w', most: most(1_000_000, 0) })
    expect(worst).toBe(Number.MAX_SAFE_INTEGER)
  })
})

describe('a model that answers under another name', () => {
  const bought = (models: readonly (string | undefined)[], provider = 'openai') => ({
    provider,
    models,
    workspaceId: 'w',
    usage: { inputTokens: 1_000, outputTokens: 0, totalTokens: 1_000 },
  })
  const worstOf = (prices: Prices, model: string, provider = 'openai'): number | undefined =>
    prices.worstOf({ provider, models: [model], workspaceId: 'w', most: most(1_000, 0), tier: 'default' })

  test('may cost what that one does, from its first answer on', () => {
    const prices = pricesOf()
    expect(worstOf(prices, 'gpt-4o')).toBe(2.5e9)
    prices.costOf(bought(['gpt-4o-2024-05-13', 'gpt-4o', 'gpt-4o']))
    expect(worstOf(prices, 'gpt-4o')).toBe(5e9)
    // Another model is none of its business.
    expect(worstOf(prices, 'gpt-4o-mini')).toBe(0.15e9)
  })

  test('is known by it alone where customers choose the names', () => {
    const prices = pricesOf()
    expect(worstOf(prices, 'our-model', 'azure-openai')).toBeUndefined()
    prices.costOf(bought(['gpt-4o-2024-08-06', 'our-model', 'our-model'], 'azure-openai'))
    expect(worstOf(prices, 'our-model', 'azure-openai')).toBe(2.5e9)
  })
})

describe('the sizes of a model', () => {
  const sizesOf = (prices: Prices, model: string) =>
    prices.sizesOf({ provider: 'openai', models: [model], workspaceId: 'w', storedProvider: 'own' })

  test('are those of the list, the same object each time', () => {
    const prices = pricesOf()
    expect(sizesOf(prices, 'gpt-4o')).toEqual({ context: 128_000, maxOutput: 16_384 })
    expect(sizesOf(prices, 'gpt-4o')).toBe(sizesOf(prices, 'gpt-4o') ?? {})
    expect(sizesOf(prices, 'no-such-model')).toBeUndefined()
  })

  test('are known of models with a price of their own, too', () => {
    const model: OwnModel = { price: { pay_as_you_go: { request_token: { price: 1 } } }, base: 'gpt-4o' }
    const own: OwnPrices = { namesOf: () => [], find: (name) => (name === 'ours' ? model : undefined) }
    expect(sizesOf(pricesOf({}, own), 'ours')).toEqual({ context: 128_000, maxOutput: 16_384 })
  })
})
