import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Usage } from '#core/usage'
import { type Charged, charge } from './charge.ts'
import { compilePrice } from './compile.ts'
import { toPicodollars, toRate } from './rate.ts'

/** A number as a fraction, read from how it is written and by nothing of what is tested. */
const fraction = (value: number): { readonly over: bigint; readonly under: bigint } => {
  const [, digits = '0', , decimals = '', exponent = '0'] = /^(\d+)(\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? []
  const shift = Number(exponent) - decimals.length
  const over = BigInt(digits + decimals)
  return shift >= 0 ? { over: over * 10n ** BigInt(shift), under: 1n } : { over, under: 10n ** BigInt(-shift) }
}

const PICODOLLARS_IN_A_CENT = 10_000_000_000n

/** Counts times cents, exactly, as the nearest even number of picodollars. */
const exactly = (terms: readonly (readonly [count: number, cents: number])[]): number => {
  const under = 10n ** 40n
  let over = 0n
  for (const [count, cents] of terms) {
    const [many, each] = [fraction(count), fraction(cents)]
    over += (many.over * each.over * PICODOLLARS_IN_A_CENT * under) / (many.under * each.under)
  }
  const [whole, left] = [over / under, over % under]
  return Number(left * 2n > under || (left * 2n === under && whole % 2n === 1n) ? whole + 1n : whole)
}

/** Up to 1,000 dollars for a million, with as many digits as published prices have. */
const cents = fc.integer({ min: 0, max: 100_000_000 }).map((millionths) => Number(`${millionths}e-9`))
const count = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 2_000_000 }))
const seconds = fc.integer({ min: 1, max: 100_000_000 }).map((millis) => Number(`${millis}e-3`))

test('a cost is that of exact arithmetic, each part rounded once', () => {
  const counts = fc.record({
    text: count,
    sound: count,
    pictures: count,
    read: count,
    soundRead: count,
    written: count,
    hour: count,
    answer: count,
    thoughts: count,
    spoken: count,
    drawn: count,
  })
  const prices = fc.record({
    input: cents,
    output: cents,
    read: cents,
    written: cents,
    hour: cents,
    sound: cents,
    soundRead: cents,
    pictures: cents,
    thoughts: cents,
    spoken: cents,
    drawn: cents,
    search: cents,
    second: cents,
  })
  fc.assert(
    fc.property(counts, prices, count, seconds, (n, p, searches, heard) => {
      const { standard } = compilePrice(
        {
          pay_as_you_go: {
            request_token: { price: p.input },
            response_token: { price: p.output },
            cache_read_input_token: { price: p.read },
            cache_write_input_token: { price: p.written },
            request_audio_token: { price: p.sound },
            cache_read_audio_input_token: { price: p.soundRead },
            response_audio_token: { price: p.spoken },
            additional_units: {
              cache_write_1h_input_token: { price: p.hour },
              request_image_token: { price: p.pictures },
              image_token: { price: p.drawn },
              thinking_token: { price: p.thoughts },
              web_search: { price: p.search },
              source: { price: p.second },
            },
          },
        },
        { asText: 'nothing' },
      )
      const usage: Usage = {
        inputTokens: n.text + n.sound + n.pictures + n.read + n.soundRead + n.written + n.hour,
        outputTokens: n.answer + n.thoughts + n.spoken + n.drawn,
        totalTokens: 0,
        cachedInputTokens: n.read + n.soundRead,
        cachedAudioInputTokens: n.soundRead,
        cacheWriteTokens: n.written + n.hour,
        hourCacheWriteTokens: n.hour,
        audioInputTokens: n.sound + n.soundRead,
        imageInputTokens: n.pictures,
        reasoningTokens: n.thoughts,
        audioOutputTokens: n.spoken,
        imageOutputTokens: n.drawn,
        units: { web_search: searches, source: heard },
      }
      const input = exactly([
        [n.text, p.input],
        [n.sound, p.sound],
        [n.pictures, p.pictures],
      ])
      const output = exactly([
        [n.answer, p.output],
        [n.thoughts, p.thoughts],
        [n.spoken, p.spoken],
        [n.drawn, p.drawn],
      ])
      const cache = exactly([
        [n.read, p.read],
        [n.soundRead, p.soundRead],
        [n.written, p.written],
        [n.hour, p.hour],
      ])
      const other = exactly([
        [searches, p.search],
        [heard, p.second],
      ])
      const total = input + output + cache + other
      const expected: Charged = Number.isSafeInteger(total)
        ? { total, input, output, cache, other }
        : { missing: 'so much' }
      expect(standard && charge(standard, usage)).toEqual(expected)
    }),
    { numRuns: 2_000 },
  )
})

test('half of a picodollar goes to the even neighbour', () => {
  // 0.5, 1.5 and 2.5 picodollars.
  expect([5e-13, 1.5e-12, 2.5e-12].map(toPicodollars)).toEqual([0, 2, 2])
  expect(toPicodollars(0.1 + 0.2)).toBe(300_000_000_000)
})

test('a rate keeps what lies below a picodollar, and a factor is exact', () => {
  expect(toRate(0.00025)).toEqual({ whole: 2_500_000, rest: 0 })
  // 0.0000000001 dollars a million.
  expect(toRate(1e-14)).toEqual({ whole: 0, rest: 100 })
  expect(toRate(0.00011, 0.7)).toEqual({ whole: 770_000, rest: 0 })
  // A third of a cent, cut where its list cuts it.
  expect(toRate(0.0283333333333333)).toEqual({ whole: 283_333_333, rest: 333_333 })
})

const tokens = (inputTokens: number, outputTokens: number, more: Partial<Usage> = {}): Usage => ({
  inputTokens,
  outputTokens,
  totalTokens: inputTokens + outputTokens,
  ...more,
})

const standardOf = (
  price: Parameters<typeof compilePrice>[0],
  asText: 'nothing' | 'sound' | 'everything' = 'nothing',
) => {
  const { standard } = compilePrice(price, { asText })
  if (standard === undefined) throw new Error('there is no standard price')
  return standard
}

const PLAIN = { pay_as_you_go: { request_token: { price: 0.0001 }, response_token: { price: 0.0004 } } }

test('cached, thinking and seeing cost what other tokens do where nothing else is said; sound and hours do not', () => {
  const rates = standardOf(PLAIN)
  const usage = tokens(100, 50, {
    cachedInputTokens: 40,
    cacheWriteTokens: 10,
    imageInputTokens: 20,
    reasoningTokens: 30,
  })
  expect(charge(rates, usage)).toEqual({
    total: 300_000_000,
    input: 50_000_000,
    output: 200_000_000,
    cache: 50_000_000,
    other: 0,
  })
  for (const [more, missing] of [
    [{ audioInputTokens: 1 }, 'request_audio_token'],
    [{ audioOutputTokens: 1 }, 'response_audio_token'],
    [{ imageOutputTokens: 1 }, 'image_token'],
    [{ cacheWriteTokens: 1, hourCacheWriteTokens: 1 }, 'cache_write_1h_input_token'],
    [{ units: { web_search: 1 } }, 'web_search'],
    [{ units: { code_interpreter: 1 } }, 'code_interpreter'],
  ] as const) {
    expect(charge(rates, tokens(100, 50, more))).toEqual({ missing })
  }
  expect(charge(standardOf(PLAIN, 'sound'), tokens(100, 0, { audioInputTokens: 50 }))).toMatchObject({
    total: 100_000_000,
  })
  expect(charge(standardOf(PLAIN, 'everything'), tokens(0, 50, { audioOutputTokens: 50 }))).toMatchObject({
    total: 200_000_000,
  })
})

test('cached sound is taken for as little as it can be, where nobody says how much it is', () => {
  const rates = standardOf({
    pay_as_you_go: {
      ...PLAIN.pay_as_you_go,
      cache_read_input_token: { price: 0.00001 },
      request_audio_token: { price: 0.001 },
      cache_read_audio_input_token: { price: 0.0005 },
    },
  })
  // 100 tokens, 80 of them sound; 50 were cached: at least 30 of those are sound.
  expect(charge(rates, tokens(100, 0, { audioInputTokens: 80, cachedInputTokens: 50 }))).toMatchObject({
    input: 50 * 10_000_000,
    cache: 20 * 100_000 + 30 * 5_000_000,
  })
})

test('reports that contradict themselves are no reason to charge anything twice, or less than nothing', () => {
  const rates = standardOf(PLAIN)
  const usage = tokens(100, 10, {
    cachedInputTokens: 500,
    cacheWriteTokens: 500,
    reasoningTokens: 400,
    imageInputTokens: 9,
  })
  expect(charge(rates, usage)).toEqual({
    total: 140_000_000,
    input: 0,
    output: 40_000_000,
    cache: 100_000_000,
    other: 0,
  })
})

test('images are charged by their tokens where these are counted, else by quality and size', () => {
  const rates = standardOf({
    pay_as_you_go: {
      request_token: { price: 0.0005 },
      additional_units: { image_token: { price: 0.004 } },
      image: { high: { '1024x1024': { price: 16.7 } }, default: { default: { price: 5 } } },
    },
  })
  const units = { image: 2 }
  expect(charge(rates, tokens(10, 1000, { units }))).toMatchObject({ output: 1000 * 40_000_000, other: 0 })
  const picture = { quality: 'high', size: '1024x1024' }
  expect(charge(rates, tokens(0, 0, { units, picture }))).toMatchObject({ total: 334_000_000_000 })
  expect(charge(rates, tokens(0, 0, { units, picture: { quality: 'high', size: '512x512' } }))).toMatchObject({
    total: 100_000_000_000,
  })
  expect(charge(rates, tokens(0, 0, { units }))).toMatchObject({ total: 100_000_000_000 })
  expect(charge(standardOf(PLAIN), tokens(0, 0, { units }))).toEqual({ missing: 'image' })
})

test('a pixel costs so many times as an image has of them', () => {
  const rates = standardOf({ pay_as_you_go: { additional_units: { pixel: { price: 1.3e-7 } } } })
  const usage = tokens(0, 0, { units: { image: 1 }, picture: { size: '1024x1024' } })
  expect(charge(rates, usage)).toMatchObject({ other: 1_363_148_800 })
  expect(charge(rates, tokens(0, 0, { units: { image: 1 } }))).toEqual({ missing: 'image' })
})

test('what is sold by the second costs nothing by the token, and is not free where the seconds are not known', () => {
  const rates = standardOf({ pay_as_you_go: { additional_units: { second: { price: 0.01 } } } })
  expect(charge(rates, tokens(900, 100, { units: { second: 12.34 } }))).toMatchObject({ total: 1_234_000_000 })
  expect(charge(rates, tokens(900, 100))).toEqual({ missing: 'a count of second' })
})

test('a measure is free beside tokens that were counted, but not beside those that Weir counted in a text', () => {
  const rates = standardOf(PLAIN)
  expect(charge(rates, tokens(10, 0, { units: { second: 3 } }))).toMatchObject({ total: 10_000_000 })
  expect(charge(rates, tokens(10, 0, { units: { character: 3 }, estimated: true }))).toEqual({ missing: 'character' })
})

test('no call costs more than a number can hold', () => {
  expect(charge(standardOf({ pay_as_you_go: { request_token: { price: 1_000 } } }), tokens(1_000_000_000, 0))).toEqual({
    missing: 'so much',
  })
})
