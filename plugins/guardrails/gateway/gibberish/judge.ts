import type { Guesser } from '../language/detect.ts'
import { samplesOf } from '../text/samples.ts'
import { lettersOfSlides } from './keyboard.ts'

/** Letters that the longer words of a text must have for it to be judged. */
const MIN_LETTERS = 12

/** Letters of a word that says something by itself. */
const LONG_WORD = 4

/** How usual the groups of letters must be in the language that has most of them. A sentence has some 0.75. */
const MIN_SCORE = 0.23

/** The same where half of the words have four consonants in a row. */
const MIN_SCORE_OF_CONSONANTS = 0.38

/** The share of letters that sliding over the keys gives. */
const MAX_SLIDES = 0.6

/** Whether a text, or most of what is looked at of it, is no words of any language; undefined for too few words to tell. */
export const isGibberish = (text: string, guess: Guesser): boolean | undefined => {
  const judged = samplesOf(text).flatMap((sample) => isSampleGibberish(sample, guess) ?? [])
  if (judged.length === 0) return undefined
  return judged.filter(Boolean).length * 2 > judged.length
}

const isSampleGibberish = (sample: string, guess: Guesser): boolean | undefined => {
  const words = wordsOf(sample)
  const long = words.filter(({ length }) => length >= LONG_WORD)
  const letters = lettersOf(long)
  if (letters < MIN_LETTERS) return undefined
  const slides = long.reduce((sum, word) => sum + lettersOfSlides(word), 0)
  if (slides >= letters * MAX_SLIDES) return true
  // A name that code repeats is one word.
  const distinct = new Set(words)
  if (lettersOf([...distinct].filter(({ length }) => length >= LONG_WORD)) < MIN_LETTERS) return undefined
  const prose = [...distinct].join(' ')
  // Statistics of other scripts know too few letters in a row.
  if (!LATIN.test(prose)) return false
  const { score } = guess(prose)
  if (score < MIN_SCORE) return true
  return score < MIN_SCORE_OF_CONSONANTS && long.filter((word) => CONSONANTS.test(word)).length * 2 >= long.length
}

const lettersOf = (words: readonly string[]): number => words.reduce((sum, { length }) => sum + length, 0)

const LATIN = /^[\p{Script=Latin}\p{M}'’ʻʼ ]+$/u
const CONSONANTS = /[bcdfghjklmnpqrstvwxz]{4}/

/** What is no word: numbers, identifiers, addresses, paths, base64. */
const NO_WORD = /[\d@/\\_+=]/

/** Where a name of code joins two words: `firstName`. */
const JOINT = /(?<=\p{Ll})(?=\p{Lu})/gu

/** Words of three letters and more, in small letters. */
const wordsOf = (sample: string): string[] => {
  const tokens = sample.split(/\s+/).filter((token) => !NO_WORD.test(token))
  const words = unstretched(tokens.join(' ').replace(JOINT, ' ')).match(/\p{L}[\p{L}\p{M}'’ʻʼ]{2,}/gu) ?? []
  return words.filter((word) => !isCode(word)).map((word) => word.toLowerCase())
}

/** With letters as often as they belong there: `nooooo` is said long. */
const unstretched = (text: string): string => {
  let written = ''
  let copied = 0
  for (let start = 0; start < text.length; ) {
    let end = start + 1
    while (end < text.length && text[end] === text[start]) end++
    if (end - start > 2) {
      written += text.slice(copied, start + 1)
      copied = end
    }
    start = end
  }
  return written + text.slice(copied)
}

/** Short names in capitals, and sequences of few letters, as of genes. */
const isCode = (word: string): boolean => word === word.toUpperCase() && (word.length <= 6 || new Set(word).size <= 4)
