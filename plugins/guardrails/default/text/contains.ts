import { defineCheck, InvalidParameters, type PreparedCheck, t } from '#kit'
import { explain, fits, operator, shown } from '../shared/parameters.ts'
import { createWordFinder } from '../shared/word-finder.ts'

/** Characters of all words together, at most. */
const MAX_CHARACTERS = 2 * 1024 * 1024

/** Looks for words, as they are written, anywhere in the texts. */
export const contains = defineCheck({
  id: 'default.contains',
  summary: 'Passes when any, all or none of some words stand in the texts.',
  parameters: t.Object({
    words: t.Array(t.String({ minLength: 1 }), { minItems: 1, description: 'Upper and lower case count.' }),
    operator: operator('any'),
  }),
  stages: ['input', 'output'],
  prepare({ words: given, operator }): PreparedCheck {
    const words = [...new Set(given)]
    const [characters, longest] = words.reduce(([sum, most], { length }) => [sum + length, Math.max(most, length)], [
      0, 0,
    ] as readonly [number, number])
    if (characters > MAX_CHARACTERS) {
      throw new InvalidParameters([{ path: 'words', message: `has more than ${MAX_CHARACTERS} characters` }])
    }
    const finder = createWordFinder(words)
    return {
      // Words that must not be there are told by a part; those that must be may come yet.
      ...(operator === 'none' ? { reach: longest } : {}),
      run({ texts }) {
        const marks = new Uint8Array(words.length)
        for (const text of texts) finder.mark(text, marks)
        const found = words.filter((_, index) => marks[index] === 1)
        const missing = words.filter((_, index) => marks[index] === 0)
        const verdict = fits(operator, found, missing)
        return {
          verdict,
          data: {
            verdict,
            operator,
            foundWords: shown(found),
            missingWords: shown(missing),
            explanation: explain('words', operator, verdict),
          },
        }
      },
    }
  },
})
