import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isPlainJson } from './plain-json.ts'

const encoder = new TextEncoder()

const look = (text: string) => {
  const strings: string[] = []
  // In a frame the data is followed by two line feeds, and is not the first.
  const bytes = encoder.encode(`data:${text}\n\n`)
  const isPlain = isPlainJson(bytes, 5, bytes.length - 2, {
    string: (of, start, end) => strings.push(Buffer.from(of).toString('utf8', start, end)),
  })
  return { isPlain, strings }
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('plain JSON', () => {
  test.each([
    '{"a":[1,-0,2.50,true,false,null,"x",{}],"b":[],"c":{"d":"é\\u00e9\\"\\\\"}}',
    ' { "a" : [ 1 , 2 ] } ',
    '"text"',
    '0',
  ])('%s', (text) => {
    expect(isJson(text)).toBe(true)
    expect(look(text).isPlain).toBe(true)
  })

  test.each([
    ...[
      '',
      '{',
      '}',
      '{"a"}',
      '{"a":}',
      '{"a":1,}',
      '{,}',
      '[1,]',
      '[,1]',
      '[1 2]',
      '{"a":1]',
      '[1}',
      '{a:1}',
      '{} {}',
    ],
    ...[
      '01',
      '1.',
      '.5',
      '-',
      '+1',
      '1 2',
      'nul',
      'nulll',
      'truefalse',
      '"a',
      '"\\x"',
      '"\\u00g0"',
      '"\t"',
      '{"a":1}}',
    ],
    ...[
      '[DONE]',
      '{"a":1}\n,',
      "{'a':1}",
      '{"a" "b"}',
      '["a":1]',
      '{"a":1:2}',
      '\u00a0{}',
      '{}\u00a0',
      '"\\"',
      '"\\u12"',
    ],
  ])('not %p', (text) => {
    expect(isJson(text)).toBe(false)
    expect(look(text).isPlain).toBe(false)
  })

  test('all that a parser writes, but what is rare', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value)
        const { isPlain } = look(text)
        if (!isPlain) expect(text).toMatch(/\de[+-]?\d/)
      }),
    )
  })

  test('nothing that a parser refuses, whatever is broken about it', () => {
    const broken = fc
      .tuple(fc.json({ maxDepth: 4 }), fc.nat(), fc.nat(3), fc.constantFrom(...'{}[]",:\\ \t\n\r01.-eEtrufalsn\u0000é'))
      .map(([text, place, removed, added]) => {
        const at = place % (text.length + 1)
        return text.slice(0, at) + (removed === 3 ? '' : added) + text.slice(at + removed)
      })
    fc.assert(
      fc.property(broken, (text) => {
        if (look(text).isPlain) expect(isJson(text)).toBe(true)
      }),
      { numRuns: 20_000 },
    )
  })

  test('deep is for others', () => {
    expect(look('['.repeat(30) + ']'.repeat(30)).isPlain).toBe(true)
    expect(look('['.repeat(31) + ']'.repeat(31)).isPlain).toBe(false)
  })
})

test('every string is told, keys and values', () => {
  expect(look('{"a":"b\\"c","d":["e",{"":"é"}]}').strings).toEqual(['a', 'b\\"c', 'd', 'e', '', 'é'])
})
