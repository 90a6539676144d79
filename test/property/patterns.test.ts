import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { readPattern } from '../../src/calls/pattern/pattern.ts'
import { PatternRefused } from '../../src/calls/pattern/translate.ts'

const atom = fc.constantFrom(
  'a',
  'b',
  '-',
  '.',
  '\\d',
  '\\w',
  '\\W',
  '\\s',
  '[ab]',
  '[^a]',
  '[a-c0-9]',
  '\\b',
  '\\B',
  '^',
  '$',
  '\\.',
  '\\x61',
)
const repeatable = fc.constantFrom('a', 'b', '.', '\\w', '[ab]', '[^a]')
const quantifier = fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{2,}', '{0}', '*?', '+?', '??')

const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  part: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atom,
    fc.tuple(repeatable, quantifier).map((pieces) => pieces.join('')),
    fc
      .tuple(
        fc.constantFrom('(', '(?:', '(?<n>'),
        tie('pattern'),
        fc.constant(')'),
        fc.oneof(quantifier, fc.constant('')),
      )
      .map((pieces) => pieces.join('')),
  ),
  pattern: fc
    .array(
      fc.array(tie('part'), { maxLength: 3 }).map((parts) => parts.join('')),
      { minLength: 1, maxLength: 2 },
    )
    .map((ways) => ways.join('|')),
}))

const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', '-', ' ', '\n', 'é'), maxLength: 7 })

test('a pattern finds what JavaScript’s own engine finds', () => {
  let found = 0
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 5 }), (source, texts) => {
      let native: RegExp
      try {
        native = new RegExp(source)
      } catch {
        // Two groups of one name.
        return
      }
      const read = readPattern(source)
      for (const each of texts) {
        const expected = native.test(each)
        if (expected) found++
        expect([source, each, read.test(each)]).toEqual([source, each, expected])
      }
    }),
    { numRuns: 5_000 },
  )
  expect(found).toBeGreaterThan(1_000)
})

test('any text is a pattern, is none, or is refused, and is searched in bounded time', () => {
  const characters = fc.constantFrom(...'ab01^$.*+?()[]{}|\\-,:=!<>kdwsbxuc')
  fc.assert(
    fc.property(fc.string({ unit: characters, maxLength: 12 }), (source) => {
      try {
        expect(readPattern(source).test('abab01')).toBeBoolean()
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(PatternRefused)
      }
    }),
    { numRuns: 5_000 },
  )
})
