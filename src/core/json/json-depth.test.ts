import { expect, test } from 'bun:test'
import { isDeeperThan, parseJson } from './json-depth.ts'

const nested = (levels: number, open: string, close: string): string => open.repeat(levels) + close.repeat(levels)

test('JSON is read as it is', () => {
  for (const text of ['1', '"a"', 'null', '[]', '{"a":[{"b":null}]}', nested(1_000, '[', ']')]) {
    expect(JSON.stringify(parseJson(text))).toBe(text)
  }
})

test.each([
  ['arrays', nested(1_001, '[', ']')],
  ['arrays, far deeper than any stack', nested(500_000, '[', ']')],
  ['objects', `${'{"a":'.repeat(1_001)}1${'}'.repeat(1_001)}`],
  ['behind a long text', `{"text":"${'x'.repeat(10_000)}","a":${nested(1_001, '[', ']')}}`],
])('%s nested deeper than any answer are refused, before anybody writes them', (_what, text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError)
})

test('levels are those of arrays and objects', () => {
  expect(isDeeperThan([{ a: [1] }], 3)).toBe(false)
  expect(isDeeperThan([{ a: [1] }], 2)).toBe(true)
  expect(isDeeperThan('text', 0)).toBe(false)
})
