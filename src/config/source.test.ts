import { describe, expect, test } from 'bun:test'
import { ConfigError } from './config-error.ts'
import { type ConfigSource, parseSource, plainSource, withPlace } from './source.ts'

const read = (text: string, format: 'yaml' | 'json' = 'yaml'): ConfigSource => parseSource('file', text, format)

const failure = (text: string, format: 'yaml' | 'json' = 'yaml'): string => {
  try {
    read(text, format)
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.message
    throw thrown
  }
  throw new Error('the text was accepted')
}

const places = (text: string, ...paths: readonly string[]): readonly string[] =>
  paths.map((path) => withPlace('', read(text).placeOf(path)))

describe('what is read', () => {
  test('YAML with anchors, aliases and merge keys', () => {
    const text = 'a: &a { b: 1, c: 2 }\nd:\n  <<: *a\n  c: 3\ne: *a\nyes: no\n1: one\n'
    expect(read(text).value).toEqual({
      a: { b: 1, c: 2 },
      d: { b: 1, c: 3 },
      e: { b: 1, c: 2 },
      yes: 'no',
      1: 'one',
    })
  })

  test('JSON with tabs, escapes and surrogates', () => {
    const value = { a: [1, 2.5e3, null, true], 'b\t"c': '\u{1f600}/é' }
    expect(read(JSON.stringify(value, null, '\t'), 'json').value).toEqual(value)
    expect(read('{"a":"\\ud83d\\ude00\\/"}', 'json').value).toEqual({ a: '\u{1f600}/' })
  })

  test('nothing, as an empty object; the name `__proto__` as a key like any other', () => {
    expect([read('').value, read('# nothing yet\n').value]).toEqual([{}, {}])
    expect(Object.keys(read('__proto__: { a: 1 }\n').value as object)).toEqual(['__proto__'])
  })
})

describe('places', () => {
  const text = `server:
  port: 1
plugins:
  - defaults
  - ./own.ts: { text: "1", 5: a }
  -
    openai: &openai
      apiKey: x
  - ollama: *openai
  - groq:
      <<: [{ models: [a] }, *openai]
`
  test('are those of keys and of items', () => {
    expect(places(text, 'server', 'server.port', 'plugins[0]', 'plugins[1].defaults')).toEqual([
      ':1:1',
      ':2:3',
      ':4:5',
      ':5:5',
    ])
    expect(places(text, 'plugins[1]../own.ts.text', 'plugins[1]../own.ts[5]', 'plugins[2].openai.apiKey')).toEqual([
      ':5:17',
      ':5:28',
      ':8:7',
    ])
  })

  test('follow aliases and merge keys to where the key stands', () => {
    expect(places(text, 'plugins[3].ollama.apiKey', 'plugins[4].groq.apiKey', 'plugins[4].groq.models[0]')).toEqual([
      ':8:7',
      ':8:7',
      ':11:23',
    ])
  })

  test('of what is not there are those around it, or none', () => {
    expect(places(text, 'server.host', 'plugins[9]', 'plugins[2].openai.models[1]', 'PORT', '')).toEqual([
      ':1:1',
      ':3:1',
      ':7:5',
      '',
      '',
    ])
    expect(plainSource('file', { a: 1 }).placeOf('a')).toBeUndefined()
  })
})

describe('is refused with its place', () => {
  const faults: readonly (readonly [what: string, text: string, message: string])[] = [
    ['a key that is there twice', 'a: 1\nb:\n  c: 1\n  c: 2\n', 'file:4:3: this key is there already; keep one'],
    ['a second document', 'a: 1\n---\nb: 1\n', 'file:2:1: a second document begins here; keep one'],
    ['a key that is a list', '? [a]\n: 1\n', 'file:1:3: a key must be text'],
    ['a tab before a key', 'a:\n\tb: 1\n', 'file:2:1: Tabs are not allowed as indentation'],
    ['an alias of nothing', 'a: 1\nb: *c\n', "file:2:4: no anchor '&c' stands before this alias"],
    ['an alias within its anchor', 'a: &a\n  b: [*a]\n', 'file:2:7: this alias stands within its own anchor'],
  ]
  for (const [what, text, message] of faults) {
    test(what, () => expect(failure(text)).toBe(message))
  }

  test('each of several faults', () => {
    expect(failure('a: 1\na: 2\nb: *c\n').split('\n')).toHaveLength(2)
  })

  test('JSON with a key twice, or with what only YAML has; its words are not repeated', () => {
    expect(failure('{"a":1,\n "a":2}', 'json')).toBe('file:2:2: this key is there already; keep one')
    for (const text of ["{'a': secret}", '{"a": 1, }', 'a: secret\n', '']) {
      expect(failure(text, 'json')).toStartWith('file: it is not JSON: ')
    }
  })

  test('a merge of what is no map, and aliases that grow without bound', () => {
    expect(failure('a: { <<: 1 }\n')).toStartWith('file: ')
    const levels = Array.from(
      { length: 12 },
      (_, level) => `a${level + 1}: &a${level + 1} [${`*a${level}, `.repeat(9)}]`,
    )
    expect(failure(['a0: &a0 [1]', ...levels].join('\n'))).toStartWith('file: ')
  })
})
