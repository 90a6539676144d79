import { describe, expect, test } from 'bun:test'
import { compilePattern } from './search.ts'
import { PatternRefused } from './syntax.ts'

const TEXTS = [
  '',
  'a',
  'b',
  'ab',
  'aab',
  'abc',
  'gpt-4o',
  'GPT',
  'x\ny',
  ' ',
  'a b',
  '-',
  '1',
  '12',
  'é',
  '_',
  'a{2}',
  ']',
  '\b',
  '\u2028',
]

describe('finds what JavaScript finds', () => {
  const patterns = [
    '',
    'a',
    '^a',
    'b$',
    '^$',
    '^ab$',
    'a|b',
    '^(?:a|bc)$',
    'a*b',
    '^a+b$',
    'a?b',
    'a{2}',
    'a{2}b',
    'a{1,}b',
    'a{0,1}b',
    'a{2',
    'a{,2}',
    '^a*?$',
    '(a)(b)',
    '(?<name>a)b',
    '[ab]c',
    '[^ab]',
    '[]',
    '[^]',
    '[a-c]$',
    '[-a]',
    '[a-]',
    '[\\d-z]',
    '\\d',
    '\\D',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '.',
    '^.$',
    '\\bb',
    '\\Bb',
    '\\b',
    '\\.',
    '\\-',
    '\\x61',
    '\\u0061',
    '\\xg',
    '[\\b]',
    '[\\]]',
    ']',
    '\\t',
    '\\n',
    '\\0',
    'gpt-[34]o?',
    '(a*)*b',
    '(a|ab)(c|bcd)?',
    '(?:a{0}b)',
    '\\/',
    '\\q',
    '\\p',
  ]
  test.each(patterns)('%j', (source) => {
    const native = new RegExp(source)
    const matches = compilePattern(source)
    for (const text of TEXTS) expect([text, matches(text)]).toEqual([text, native.test(text)])
  })
})

test('a pattern that JavaScript does not accept matches nothing', () => {
  for (const source of ['(', '[', 'a**', '{1}', '(?<n>', '[b-a]', '\\'])
    expect(compilePattern(source)('a([')).toBe(false)
})

describe('is refused', () => {
  const refusals: readonly (readonly [string, RegExp])[] = [
    ['a(?=b)', /look-around/],
    ['(?!b)', /look-around/],
    ['(?<=a)b', /look-around/],
    ['(?<!a)b', /look-around/],
    ['(a)\\1', /references/],
    ['(?<n>a)\\k<n>', /references/],
    ['\\01', /references/],
    ['\\cA', /control/],
    ['a'.repeat(513), /longer than 512/],
    ['(?:(?:a{50}){50}){50}', /too large/],
    ['a{99999}', /too large/],
  ]
  test.each(refusals)('%p', (source, why) => {
    expect(() => compilePattern(source)).toThrow(PatternRefused)
    expect(() => compilePattern(source)).toThrow(why)
  })
})

test('a text beyond the limit never matches, and the limit is lower for a large pattern', () => {
  expect(compilePattern('a$')('a'.repeat(10_000))).toBe(true)
  expect(compilePattern('a$')('a'.repeat(10_001))).toBe(false)
  expect(compilePattern('(?:a?){200}$')('a'.repeat(1_000))).toBe(true)
  expect(compilePattern('(?:a?){200}$')('a'.repeat(9_000))).toBe(false)
})

test('patterns on which backtracking takes minutes are searched at once', () => {
  const before = performance.now()
  for (const source of ['(a+)+b', 'a*a*a*a*a*b', '(a|a)*b', '(?:a*)*b', '^(?:.*a){20}$']) {
    expect(compilePattern(source)('a'.repeat(5_000).replace(/a$/, '!'))).toBe(false)
  }
  // Natively the second one alone needs hours.
  expect(performance.now() - before).toBeLessThan(5_000)
})
