import { expect, test } from 'bun:test'
import { ModelPrice } from '#core/price-form'
import { check, t } from '#kit'
import text from './data/models.jsonl' with { type: 'text' }
import { openPriceList } from './price-list.ts'

const Line = t.Object({
  provider: t.String({ pattern: '^[a-z0-9-]+$' }),
  model: t.String({ minLength: 1, maxLength: 200 }),
  ...ModelPrice.properties,
  mode: t.String({ minLength: 1 }),
  context: t.Optional(t.Integer({ minimum: 1 })),
  max_output: t.Optional(t.Integer({ minimum: 0 })),
  dimensions: t.Optional(t.Integer({ minimum: 1 })),
  abilities: t.Optional(t.Array(t.String())),
  retires: t.Optional(t.String({ pattern: '^20\\d\\d-\\d\\d-\\d\\d$' })),
  source: t.Optional(t.String({ pattern: '^https?://' })),
})

const [, ...lines] = text.trimEnd().split('\n')

test('every line of the list is a model in the form of the interface, and is found', () => {
  const list = openPriceList()
  expect(list.date).toMatch(/^20\d\d-\d\d-\d\d$/)
  expect(lines).toHaveLength(list.size)
  const seen = new Set<string>()
  for (const line of lines) {
    const model: unknown = JSON.parse(line)
    const checked = check(Line, model)
    expect(checked.ok ? [] : checked.violations.map(({ path, message }) => `${line}: ${path} ${message}`)).toEqual([])
    if (!checked.ok) continue
    const { provider, model: name } = checked.value
    seen.add(`${provider}/${name.toLowerCase()}`)
    expect(list.find(provider, name)).toEqual(checked.value)
  }
  // No two models of a provider are told apart by capitals alone.
  expect(seen.size).toBe(list.size)
})

test('capitals make no other name, and what is not there is not found', () => {
  const list = openPriceList()
  expect(list.find('openai', 'GPT-4o')?.model).toBe('gpt-4o')
  for (const [provider, model] of [
    ['openai', 'gpt-4'.repeat(100)],
    ['', ''],
    ['openai', ''],
    ['openai/gpt-4o', ''],
  ] as const) {
    expect([list.has(provider, model), list.find(provider, model)]).toEqual([false, undefined])
  }
})

test('a list of one line', () => {
  const list = openPriceList(
    '{"read":"2026-01-02","models":1}\n{"provider":"p","model":"m","pay_as_you_go":{"request_token":{"price":1}}}\n',
  )
  expect(list).toMatchObject({ date: '2026-01-02', size: 1 })
  expect(list.find('p', 'm')?.pay_as_you_go).toEqual({ request_token: { price: 1 } })
})
