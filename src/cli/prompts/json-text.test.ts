import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { compactJson, prettyJson } from './json-text.ts'

test('any JSON is written as JSON.stringify writes it, and back', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const compact = JSON.stringify(JSON.parse(text))
      expect(prettyJson(compact)).toBe(JSON.stringify(JSON.parse(text), null, 2))
      expect(compactJson(prettyJson(compact))).toBe(compact)
    }),
  )
})

describe('what JSON.parse would not keep is kept', () => {
  test.each([
    ['keys that are there twice', '{"a":1,"a":2}', '{\n  "a": 1,\n  "a": 2\n}'],
    ['numbers as they are spelled', '[1.0,1e3,12345678901234567890]', '[\n  1.0,\n  1e3,\n  12345678901234567890\n]'],
    ['escapes', '["\\u00e9\\/\\"","\\\\"]', '[\n  "\\u00e9\\/\\"",\n  "\\\\"\n]'],
    ['marks and blanks inside strings', '[" ,:[]{} \\" "]', '[\n  " ,:[]{} \\" "\n]'],
  ])('%s', (_, compact, pretty) => {
    expect(prettyJson(compact)).toBe(pretty)
    expect(compactJson(pretty)).toBe(compact)
  })
})

test('blanks of every kind go, and nothing else', () => {
  expect(compactJson(' \t\r\n{ "a" :\n[ true , null ] }\n')).toBe('{"a":[true,null]}')
  expect(prettyJson('[]')).toBe('[]')
  expect(prettyJson('[{},[ ]]')).toBe('[\n  {},\n  []\n]')
  expect(prettyJson('"a"')).toBe('"a"')
})

test('a long string with many escapes is no burden', () => {
  const text = JSON.stringify(['\\"\n'.repeat(100_000)])
  expect(compactJson(prettyJson(text))).toBe(text)
})
