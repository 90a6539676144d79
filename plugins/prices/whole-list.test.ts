import { expect, test } from 'bun:test'
import type { Unit, Usage } from '#core/usage'
import { fakeHost } from '#kit/testing'
import text from './data/models.jsonl' with { type: 'text' }
import { type Listed, openPriceList } from './price-list.ts'
import { createPrices } from './prices.ts'

const [, ...lines] = text.trimEnd().split('\n')
const models = lines.map((line) => JSON.parse(line) as Listed)
const { log, storedPrices } = fakeHost()
const prices = createPrices({ list: openPriceList(), file: {}, storedPrices, log })

/** What a plain call to a model of a kind buys, as providers count it. */
const MEASURED_BY: Readonly<Record<string, Unit>> = {
  image: 'image',
  image_edit: 'image',
  speech: 'character',
  transcription: 'second',
  realtime: 'second',
  video: 'second',
  ocr: 'page',
  rerank: 'query',
  search: 'query',
  vector_store: 'query',
}

const TOKENS: Usage = { inputTokens: 1_000, outputTokens: 0, totalTokens: 1_000 }

/** Some images are sold by the pixel, or by their quality. */
const PICTURE = { quality: 'standard', size: '1024x1024' }

/** Videos are sold by the second in and the token out, and texts by the character: calls tell only of tokens. */
const NOT_TOLD = /^(?:bedrock\/(?:[a-z]+\.)?twelvelabs\.|vertex-ai\/medlm-)/

/** Sold by tokens, else by the measure of its kind. */
const plainUse = ({ mode = '', pay_as_you_go: listed = {} }: Listed): Usage => {
  const unit = MEASURED_BY[mode]
  const answers = listed.response_token === undefined ? 0 : 10
  const tokens = { ...TOKENS, outputTokens: answers }
  if (listed.request_token !== undefined || listed.request_audio_token !== undefined) return tokens
  return unit === undefined
    ? tokens
    : { inputTokens: 0, outputTokens: 0, totalTokens: 0, units: { [unit]: 3 }, picture: PICTURE }
}

test('a plain call to each model with a price costs something, and one to each without is unpriced', () => {
  const unpriced: string[] = []
  let priced = 0
  for (const listed of models) {
    const { provider, model } = listed
    const usage = plainUse(listed)
    const found = prices.costOf({ provider, models: [model], workspaceId: 'w', usage })
    if (listed.pay_as_you_go === undefined) {
      expect([provider, model, found]).toEqual([provider, model, undefined])
      continue
    }
    if (found === undefined) {
      unpriced.push(`${provider}/${model}`)
      continue
    }
    priced++
    const { total, input, output, cache, other } = found.cost
    expect(input + output + cache + other).toBe(total)
    expect(Number.isSafeInteger(total) && total >= 0).toBe(true)
    // A thousand tokens, or three of something, never cost more than hundreds of dollars.
    expect([provider, model, total < 300e12]).toEqual([provider, model, true])
  }
  expect(unpriced.filter((name) => !NOT_TOLD.test(name))).toEqual([])
  expect(unpriced.length).toBeLessThan(20)
  expect(priced).toBeGreaterThan(3_000)
})
