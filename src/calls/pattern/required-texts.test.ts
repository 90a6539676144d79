import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { requiredTexts } from './required-texts.ts'
import { readSearch } from './search.ts'

test.each<readonly [pattern: string, texts: readonly string[] | undefined]>([
  ['secret', ['secret']],
  ['\\b\\d{3}-\\d{2}\\b', ['-']],
  ['[\\w.]+@[\\w]+\\.com', ['.com']],
  ['key|pass(word)?|token-\\d+', ['key', 'pass', 'token-']],
  ['colou?r', ['colo']],
  ['ab*', ['a']],
  ['ab{0,2}c', ['a']],
  ['a+b', ['a']],
  ['a{x|y}b', ['x', 'y']],
  ['sk-[A-Za-z|]{20}', ['sk-']],
  ['\\u0061\\x62c', ['c']],
  ['a\\|b', ['a|b']],
  ['(a|b)', undefined],
  ['a|\\d', undefined],
  ['(?i:a)b', undefined],
  ['\\p{Lu}', undefined],
])('%p needs one of %j', (pattern, texts) => {
  expect(requiredTexts(pattern)).toEqual(texts)
})

test('one of them stands in whatever matches', () => {
  const piece = fc.constantFrom(
    'a',
    'b',
    '-',
    '.',
    '\\.',
    '\\d',
    '[ab]',
    '(a|b)',
    '(?:-)',
    'a?',
    'b*',
    'a+',
    'b{0,2}',
    'a{',
    '|',
    '\\b',
    '😀',
  )
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '-', '.', '1', '{'), maxLength: 12 })
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), fc.array(text, { minLength: 20 }), (pieces, texts) => {
      const pattern = pieces.join('')
      const native = new RegExp(pattern, '')
      const search = readSearch(pattern)
      for (const each of texts) {
        expect([pattern, each, search.test(each)]).toEqual([pattern, each, native.test(each)])
      }
    }),
    { numRuns: 500 },
  )
})
