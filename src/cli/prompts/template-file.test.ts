import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { canonicalTemplate, compactJson, fromTemplateFile, prettyJson, toTemplateFile } from './template-file.ts'

const CHAT = '[{"role":"user","content":"Hi {{name}}"}]'
const SPREAD = '[\n  {\n    "role": "user",\n    "content": "Hi {{name}}"\n  }\n]\n'
const BUILT = '[{{#s}}{"role":"user","content":"x"}{{/s}}]'

describe('messages', () => {
  test('are spread over lines, and saved without blanks', () => {
    expect(toTemplateFile(CHAT, false)).toEqual({ kind: 'json', text: SPREAD })
    expect(fromTemplateFile({ kind: 'json', text: SPREAD }, false)).toBe(CHAT)
    expect(toTemplateFile(` ${SPREAD}`, true)).toEqual({ kind: 'json', text: SPREAD })
  })

  test('differ in what they say, not in their blanks', () => {
    expect(canonicalTemplate(SPREAD, false)).toBe(canonicalTemplate(CHAT, false))
    expect(canonicalTemplate(CHAT.replace('Hi ', 'Hi  '), false)).not.toBe(canonicalTemplate(CHAT, false))
    expect(canonicalTemplate(CHAT.replace('Hi', '\\u0048i'), false)).not.toBe(canonicalTemplate(CHAT, false))
  })

  test('may be spread in another way by a person', () => {
    expect(fromTemplateFile({ kind: 'json', text: `\n\t${CHAT.replaceAll(',', ' ,\r\n')}` }, false)).toBe(CHAT)
  })
})

describe('any other text stays as it is', () => {
  test.each([
    ['plain text', 'Say {{x}}', false],
    ['JSON without messages', '{ "a": 1 }', false],
    ['JSON that looks like a list', '[ 1, 2 ]', false],
    ['messages that sections build', BUILT, true],
    ['a template that is broken', '[{"role":"user","content":"{{#a}}"}]', false],
    ['line breaks at its end', 'a\n\n', false],
    ['no text at all', '', false],
    ['a byte order mark and carriage returns', '\ufeffa\r\n', false],
  ])('%s', (_, template, isRaw) => {
    const file = toTemplateFile(template, isRaw)
    expect(file).toEqual({ kind: 'txt', text: `${template}\n` })
    expect(fromTemplateFile(file, isRaw)).toBe(template)
    expect(canonicalTemplate(template, isRaw)).toBe(template)
  })

  test('a last line break that an editor left out is not missed', () => {
    expect(fromTemplateFile({ kind: 'txt', text: 'a' }, false)).toBe('a')
  })
})

test('a JSON file must hold messages', () => {
  for (const text of ['{"a":1}', 'Say {{x}}', '[', ''])
    expect(fromTemplateFile({ kind: 'json', text }, false)).toBeUndefined()
  expect(fromTemplateFile({ kind: 'json', text: BUILT }, true)).toBeUndefined()
})

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
