import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fakeHost } from '#kit/testing'
import prices from './index.ts'
import { readPriceFile } from './price-file.ts'

const told = (content: string): string => {
  try {
    readPriceFile('prices.json', content)
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown)
  }
  return 'nothing'
}

test('a file may say all that the interface can', () => {
  const file = {
    acme: {
      'acme-1': {
        pay_as_you_go: {
          request_token: { price: 0.0001 },
          response_token: { price: 0.0002 },
          additional_units: { web_search: { price: 1 } },
          image: { default: { default: { price: 4 }, '1024x1024': { price: 8 } } },
        },
        context_tiers: [{ above_input_tokens: 200_000, pay_as_you_go: { request_token: { price: 0.0002 } } }],
        service_tiers: { batch: { pay_as_you_go: { request_token: { price: 0.00005 } } } },
        currency: 'USD' as const,
        finetune_config: { pay_per_token: { price: 0.001 }, pay_per_hour: { price: 100 } },
      },
      '*': { pay_as_you_go: { request_token: { price: 0 } } },
    },
  }
  expect(readPriceFile('prices.json', JSON.stringify(file))).toEqual(file)
})

test('all faults are told at once, each with its place', () => {
  const file = {
    acme: {
      one: { pay_as_you_go: { request_token: { price: -1 }, respons_token: { price: 1 } } },
      two: { pay_as_you_go: { request_token: 5 }, currency: 'EUR' },
      three: {},
      four: { pay_as_you_go: {} },
      five: { pay_as_you_go: { image: { high: { big: { price: 'much' } } } } },
    },
  }
  const lines = told(JSON.stringify(file)).split('\n')
  for (const place of [
    'acme.one.pay_as_you_go.request_token.price',
    'acme.one.pay_as_you_go.respons_token',
    'acme.two.pay_as_you_go.request_token',
    'acme.two.currency',
    'acme.three.pay_as_you_go',
    'acme.four.pay_as_you_go',
    'acme.five.pay_as_you_go.image.high.big.price',
  ]) {
    expect([place, lines.some((line) => line.startsWith(`prices.json: ${place}: `))]).toEqual([place, true])
  }
  expect(lines.find((line) => line.includes('respons_token'))).toContain("did you mean 'response_token'?")
})

test('what is no JSON, or no object, is said in a line', () => {
  expect(told('{')).toStartWith('prices.json is not JSON: ')
  expect(told('[]')).toBe('prices.json must be an object: models by the id of their provider')
  expect(told('{"acme": {"__proto__": {}}}')).toContain('__proto__')
})

test('the plugin reads the file that its settings name, and does not start without it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'weir-prices-'))
  try {
    const path = join(folder, 'prices.json')
    await Bun.write(path, '{"acme":{"m":{"pay_as_you_go":{"request_token":{"price":100}}}}}')
    const host = fakeHost({ readFile: (name) => Bun.file(name).text() })
    const parts = await prices.setup({ file: path }, host)
    const usage = { inputTokens: 2, outputTokens: 0, totalTokens: 2 }
    const bought = { provider: 'acme', models: ['m'], workspaceId: 'w', usage }
    expect(parts.prices?.costOf(bought)).toMatchObject({ cost: { total: 2e12 }, priceId: 'file' })
    expect((await prices.setup({}, fakeHost())).prices?.costOf(bought)).toBeUndefined()
    await expect(Promise.resolve(prices.setup({ file: join(folder, 'none') }, host))).rejects.toThrow()
  } finally {
    await rm(folder, { recursive: true })
  }
})
