import { describe, expect, test } from 'bun:test'
import { canonicalTemplate, fromTemplateFile, toTemplateFile } from './template-file.ts'

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
