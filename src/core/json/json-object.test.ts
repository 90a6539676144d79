import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { InvalidRequest } from '../../errors/gateway-error.ts'
import { readJsonObject } from './json-object.ts'
import { foldedName } from './known-fields.ts'

const read = (text: string): Record<string, unknown> => readJsonObject(new TextEncoder().encode(text))

const refusal = (text: string): { readonly message: string; readonly param: string | undefined } => {
  try {
    read(text)
  } catch (thrown) {
    if (thrown instanceof InvalidRequest) return { message: thrown.message, param: thrown.options.param }
    throw thrown
  }
  throw new Error(`accepted: ${text}`)
}

describe('a key that comes twice, where readers differ about which one counts', () => {
  test.each([
    ['at the top', '{"model":"first","model":"second"}', 'model'],
    ['once escaped', '{"a":1,"\\u0061":2}', 'a'],
    ['in a message', '{"messages":[{"role":"user"},{"role":"user","content":"a","content":"b"}]}', 'content'],
    ['in an option', '{"stream_options":{"include_usage":false,"include_usage":true}}', 'include_usage'],
    ['deep in data', '{"tools":[{"function":{"parameters":{"x":[[{"y" : 1 , "z":2,\n"y" :3}]]}}}]}', 'y'],
    ['behind a text full of syntax', '{"a":"{\\"b\\":1,\\"b\\":2}","b":"\\\\","b":1}', 'b'],
  ])('%s', (_where, text, key) => {
    expect(refusal(text)).toEqual({ message: `The request body has the key '${key}' twice in one object.`, param: key })
  })

  test('the same key in several objects is none of it', () => {
    const text = '{"a":{"b":1},"b":[{"a":":"},{"a":2,"c":{}}],"c":"a:b"}'
    expect(read(text)).toEqual(JSON.parse(text))
  })
})

describe('a key that differs from a known one only in its case', () => {
  test.each([
    ['{"model":"cheap","Model":"dear"}', 'Model', 'model'],
    ['{"MODEL":"dear"}', 'MODEL', 'model'],
    ['{"Stream":true}', 'Stream', 'stream'],
    ['{"Messages":[]}', 'Messages', 'messages'],
    ['{"Max_Tokens":1}', 'Max_Tokens', 'max_tokens'],
    ['{"max_to\\u212aens":1}', 'max_to\u212aens', 'max_tokens'],
    ['{"u\u017fer":"x"}', 'u\u017fer', 'user'],
    ['{"messages":[{"role":"user","content":"a","Content":"b"}]}', 'Content', 'content'],
    ['{"messages":[{"role":"user","content":[{"type":"text","Text":"b"}]}]}', 'Text', 'text'],
    ['{"messages":[{"tool_calls":[{"function":{"Arguments":"{}"}}]}]}', 'Arguments', 'arguments'],
    ['{"stream_options":{"Include_usage":true}}', 'Include_usage', 'include_usage'],
    ['{"input":[{"Role":"user"}]}', 'Role', 'role'],
  ])('%s', (text, key, known) => {
    expect(refusal(text)).toEqual({
      message: `The key '${key}' must be written '${known}': some readers take one for the other.`,
      param: key,
    })
  })

  test('keys of the caller are its own, and so are those of formats in camel case', () => {
    for (const text of [
      '{"tools":[{"function":{"name":"f","parameters":{"properties":{"Name":{"Type":1},"name":{}}}}}]}',
      '{"metadata":{"Model":"x","model":"y"}}',
      '{"response_format":{"type":"json_schema","json_schema":{"schema":{"properties":{"Content":{}}}}}}',
      '{"messages":[{"role":"assistant","content":[{"type":"tool_use","input":{"Text":1}}]}]}',
      '{"generationConfig":{"maxOutputTokens":1},"systemInstruction":{},"safetySettings":[{"Category":1}],"maxTokens":1}',
    ]) {
      expect(read(text)).toEqual(JSON.parse(text))
    }
  })
})

test('names are folded as the lenient reader folds them, and not otherwise', () => {
  expect(['MODEL', 'mode\u004c', 'to\u212aens', 'me\u017f\u017fages'].map(foldedName)).toEqual([
    'model',
    'model',
    'tokens',
    'messages',
  ])
  // Capitals of other letters stay other letters: the dotless i, sharp s.
  expect(foldedName('\u0131nput')).not.toBe('input')
  expect(foldedName('me\u00dfages')).not.toBe('messages')
})

test('no more keys than a body can have for any other purpose than to hold up its reader', () => {
  const keys = (count: number): string =>
    `{"a":[${Array.from({ length: count - 1 }, (_, index) => `{"k${index}":":"}`).join(',')}]}`
  expect(Object.keys(read(keys(100_000)))).toEqual(['a'])
  expect(refusal(keys(100_001)).message).toBe('The request body has more than 100000 keys.')
})

test('any other object is read as the parser reads it', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), fc.jsonValue()), (value) => {
      const text = JSON.stringify(value)
      expect(read(text)).toEqual(JSON.parse(text))
    }),
    { numRuns: 500 },
  )
})
