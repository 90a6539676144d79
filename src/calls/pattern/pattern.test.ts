import { describe, expect, test } from 'bun:test'
import { readPattern } from './pattern.ts'
import { PatternRefused } from './translate.ts'

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
    const pattern = readPattern(source)
    for (const text of TEXTS) expect([text, pattern.test(text)]).toEqual([text, native.test(text)])
  })
})

test('a pattern that JavaScript does not accept matches nothing', () => {
  for (const source of ['(', '[', 'a**', '{1}', '(?<n>', '[b-a]', '\\'])
    expect(readPattern(source).test('a([')).toBe(false)
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
    expect(() => readPattern(source)).toThrow(PatternRefused)
    expect(() => readPattern(source)).toThrow(why)
  })
})

test('a character is a code point, and a property of Unicode a class', () => {
  const table: readonly (readonly [string, string, boolean])[] = [
    ['^.$', '😀', true],
    ['^[😀-😃]$', '😁', true],
    ['^\\ud83d\\ude00$', '😀', true],
    ['^\\u{1F600}$', '😀', true],
    ['^\\p{Lu}+$', 'ÄÖÜ', true],
    ['^[\\P{L}]+$', '12', true],
    ['^\\p{L}$', '1', false],
  ]
  for (const [source, text, expected] of table)
    expect([source, readPattern(source).test(text)]).toEqual([source, expected])
})

test('flags may be set for a group', () => {
  expect(readPattern('^(?i:GPT)-4').test('gpt-4o')).toBe(true)
  expect(readPattern('^(?i:GPT)-O').test('gpt-o')).toBe(false)
})

test('says what is wrong with the spelling', () => {
  expect(readPattern('a+').fault()).toBeUndefined()
  expect(readPattern('(a').fault()).toContain('missing closing')
})

describe('how many steps it takes', () => {
  const sizes: readonly (readonly [string, number])[] = [
    ['abc', 4],
    ['[a-z]{20}', 40],
    ['(?:(?:ab){10}c){10}', 300],
    ['\\p{L}{100}', 200],
    // What is inside a class repeats nothing.
    ['[({9}]', 2],
  ]
  test.each(sizes)('%p is of a size near %d', (source, size) => {
    expect(readPattern(source).size).toBeGreaterThanOrEqual(size / 2)
    expect(readPattern(source).size).toBeLessThanOrEqual(size * 1.5)
  })

  test('in proportion to the text, the first time some more', () => {
    const pattern = readPattern('a{99}')
    const first = pattern.stepsFor('a')
    pattern.test('a')
    expect(pattern.stepsFor('a')).toBeLessThan(first / 2)
    expect(pattern.stepsFor('a'.repeat(1_999))).toBe(1_000 * pattern.stepsFor('a'))
    expect(pattern.stepsFor('a'.repeat(10_001))).toBe(Number.POSITIVE_INFINITY)
  })
})

test('a text beyond the limit never matches, and the limit is lower for a large pattern', () => {
  expect(readPattern('a$').test('a'.repeat(10_000))).toBe(true)
  expect(readPattern('a$').test('a'.repeat(10_001))).toBe(false)
  expect(readPattern('(?:a?){200}$').test('a'.repeat(1_000))).toBe(true)
  expect(readPattern('(?:a?){200}$').test('a'.repeat(9_000))).toBe(false)
})

test('patterns on which backtracking takes minutes are searched at once', () => {
  const before = performance.now()
  for (const source of ['(a+)+b', 'a*a*a*a*a*b', '(a|a)*b', '(?:a*)*b', '^(?:.*a){20}$', '.*.*.*.*.*.*=.*']) {
    expect(readPattern(source).test('a'.repeat(5_000).replace(/a$/, '!'))).toBe(false)
  }
  // Neither do those on which a machine of sets of states grows with the text.
  const text = Array.from({ length: 3_000 }, (_, index) => ((index * index) % 7 > 3 ? 'a' : 'b')).join('')
  for (const source of ['(a|b)*a(a|b){100}c', '(.*a.*b.*a){50}c', '(?:\\p{L}{10}){30}!']) {
    expect(readPattern(source).test(text)).toBe(false)
  }
  // Natively the second one alone needs hours.
  expect(performance.now() - before).toBeLessThan(5_000)
})
