import { describe, expect, spyOn, test } from 'bun:test'
import { RE2JS } from 're2js'
import { PatternFault, readSearch } from './search.ts'

describe('finds', () => {
  const table: readonly (readonly [
    pattern: string,
    flags: string,
    text: string,
    match: readonly [number, number] | undefined,
  ])[] = [
    ['\\d{3}-\\d{2}', '', 'it is 123-45.', [6, 12]],
    ['ab|abc', '', 'abc', [0, 2]],
    ['a+?', '', 'baaa', [1, 2]],
    ['secret', '', 'SECRET', undefined],
    ['secret', 'gi', 'a SECRET', [2, 8]],
    ['^b$', '', 'a\nb\nc', undefined],
    ['^b$', 'm', 'a\nb\nc', [2, 3]],
    ['a.c', '', 'a\nc', undefined],
    ['a.c', 's', 'a\nc', [0, 3]],
    ['a(?s:.)c', '', 'a\nc', [0, 3]],
    ['\\bfoo\\b', '', 'foobar foo', [7, 10]],
    ['😀', '', 'x😀', [1, 3]],
  ]
  test.each(table)('%p with %p in %p', (pattern, flags, text, match) => {
    const search = readSearch(pattern, flags)
    expect(search.test(text)).toBe(match !== undefined)
    expect(search.find(text)).toEqual(match === undefined ? undefined : { start: match[0], end: match[1] })
  })

  test.each([
    ['\\bfoo', 'foo xfoo foo', 1, [[9, 12]]],
    [
      'a*',
      'baab',
      0,
      [
        [0, 0],
        [1, 3],
        [3, 3],
        [4, 4],
      ],
    ],
    [
      'aa',
      'aaaaa',
      0,
      [
        [0, 2],
        [2, 4],
      ],
    ],
    ['x', '', 0, []],
    ['', '', 1, []],
  ])('all of %p in %p from %d on', (pattern, text, from, matches) => {
    expect([...readSearch(pattern).matches(text, from)].map(({ start, end }) => [start, end])).toEqual(matches)
  })

  test('the next one from a place on, with what stands before it', () => {
    const search = readSearch('\\bfoo')
    expect(search.find('foo foo', 1)).toEqual({ start: 4, end: 7 })
    expect(search.find('xfoo', 1)).toBeUndefined()
  })
})

test.each([
  ['abc', 3],
  ['\\d{3}-\\d{2}', 6],
  ['\\b(?:\\d[ -]?){13,16}\\b', 48],
  ['(ab|c|def)x?', 4],
  ['a{2,}', undefined],
  ['a+', undefined],
  ['(a*)b', undefined],
  ['(?:){5}', 0],
  ['^a', undefined],
  ['a$', undefined],
  ['[$^]', 2],
  ['.', 2],
])('the longest match of %p has at most %p characters', (pattern, longest) => {
  expect(readSearch(pattern).longest).toBe(longest)
})

test.each([
  ['ab(c', '', /^is no pattern: missing closing \) \(at position 4\)$/],
  ['ab)c', '', /unexpected \).*\(at position 2\)$/],
  ['a(b)**', '', /repetition.*\(at position 5\)$/],
  ['abc[z-a]d', '', /range.*\(at position 3\)$/],
  ['abc[z', '', /missing closing \].*\(at position 3\)$/],
  ['x(?:a{3,1})', '', /repeat count.*\(at position 5\)$/],
  ['x\\', '', /backslash.*\(at position 1\)$/],
  ['ab(?=c)', '', /look-around.*\(at position 2\)$/],
  ['(a)\\1', '', /references.*\(at position 3\)$/],
  ['(?i)a', '', /flags hold for a group/],
  ['(?:(?:a{50}){50}){50}', '', /too large|repeat count/],
  ['a'.repeat(10_001), '', /longer than 10000/],
  ['a', 'gy', /flag 'y'/],
])('%.20s is refused, and where', (pattern, flags, fault) => {
  expect(() => readSearch(pattern, flags)).toThrow(PatternFault)
  expect(() => readSearch(pattern, flags)).toThrow(fault)
})

test('the fault of a long pattern is found with few steps, and where it was before', () => {
  const pieces = ['a', '(?:b|c)', '[d-f]', 'g*', '\\d', '.']
  const long = pieces.join('').repeat(80)
  const compile = spyOn(RE2JS, 'compile')
  for (const [fault, at] of [
    ['(', 1],
    [')', 0],
    ['h**', 2],
    ['[z-a]', 0],
  ] as const) {
    compile.mockClear()
    const position = long.length + at
    expect(() => readSearch(`${long}${fault}`)).toThrow(`(at position ${position})`)
    expect(compile.mock.calls.length).toBeLessThan(20)
  }
  compile.mockRestore()
})

test('a text that is too long for so large a pattern is refused', () => {
  const search = readSearch('(?:ab){300}')
  expect(search.test('ab'.repeat(20_000))).toBe(true)
  expect(() => search.test('ab'.repeat(500_000))).toThrow(RangeError)
  expect(readSearch('[a-z]{20}!').test('a'.repeat(1024 * 1024))).toBe(false)
})
