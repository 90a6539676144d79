import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createWordFinder } from './word-finder.ts'

const findAll = (words: readonly string[], text: string): readonly string[] => {
  const found = new Uint8Array(words.length)
  createWordFinder(words).mark(text, found)
  return words.filter((_, index) => found[index] === 1)
}

test('finds the words that stand in a text, as one search for each would', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '漢', '\ud83d', '\ude00'), minLength: 1, maxLength: 6 })
  const words = fc.uniqueArray(word, { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(words, fc.array(word, { maxLength: 20 }), (words, parts) => {
      const text = parts.join('')
      expect(findAll(words, text)).toEqual(words.filter((each) => text.includes(each)))
    }),
    { numRuns: 500 },
  )
})

test('words within words, and those that end like others', () => {
  const words = ['he', 'she', 'hers', 'his', 'e', ...Array.from({ length: 20 }, (_, index) => `filler${index}`)]
  expect(findAll(words, 'ushers')).toEqual(['he', 'she', 'hers', 'e'])
})

test('a megabyte of words is looked for in a megabyte of text, also where all of them begin alike', () => {
  const many = Array.from({ length: 100_000 }, (_, index) => `word-${index}`)
  expect(findAll(many, 'no '.repeat(300_000)).length).toBe(0)
  expect(findAll(many, 'a word-77777.').length).toBe(5)
  const alike = Array.from({ length: 1_400 }, (_, index) => 'a'.repeat(index + 1))
  expect(findAll(alike, 'a'.repeat(1_000_000)).length).toBe(1_400)
})
