import { type Check, defineCheck, t } from '#kit'
import { excerpt, someText } from '../shared/excerpt.ts'
import { NOT, turned } from '../shared/parameters.ts'

/** @param isOnly whether a text has no letter of the other case */
const ofCase = (id: string, word: string, isOnly: (text: string) => boolean): Check =>
  defineCheck({
    id,
    summary: `Passes when all letters of the texts are ${word}.`,
    parameters: t.Object({ not: NOT }),
    stages: ['input', 'output'],
    run(input, { not }) {
      const text = someText(input)
      const isAll = isOnly(text)
      const verdict = turned(isAll, not)
      return {
        verdict,
        data: {
          verdict,
          not,
          explanation: isAll ? `All letters are ${word}.` : `Not all letters are ${word}.`,
          textExcerpt: excerpt(text),
        },
      }
    },
  })

const isUpperCase = (text: string): boolean => !/\p{Ll}/u.test(text)
const isLowerCase = (text: string): boolean => !/\p{Lu}/u.test(text)

export const allUpperCase = ofCase('default.alluppercase', 'upper case', isUpperCase)

export const isAllLowerCase = ofCase('default.isAllLowerCase', 'lower case', isLowerCase)

/** Its name in the counterpart's own configs. */
export const allLowerCase = ofCase('default.alllowercase', 'lower case', isLowerCase)
