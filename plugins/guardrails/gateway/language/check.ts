import { type CheckVerdict, defineCheck, t } from '#kit'
import { timeout } from '../parameters.ts'
import { type Guesser, guesser, languageOf } from './detect.ts'
import { detectedAs, LANGUAGES, nameOf } from './languages.ts'

const language = t.Union(LANGUAGES.map((code) => t.Literal(code)))

/** The check for the language of what is said. */
export const languageCheck = defineCheck({
  id: 'gateway.language',
  summary: 'Passes when every text is in one of the languages, or is too short to tell; with `not`, when none is.',
  parameters: t.Object({
    language: t.Union([language, t.Array(language, { minItems: 1, maxItems: LANGUAGES.length })], {
      description: 'Languages that are meant: one, or a list.',
    }),
    not: t.Boolean({ default: false, description: 'The languages are those that may not be.' }),
    timeout,
  }),
  stages: ['input', 'output'],
  prepare({ language: wanted, not, timeout: deadlineMs }) {
    const codes = typeof wanted === 'string' ? [wanted] : wanted
    const meant = new Set(codes.map(detectedAs))
    const notCovered = codes.filter((code) => detectedAs(code) === undefined)

    const judge = (guess: Guesser, texts: readonly string[]): CheckVerdict => {
      const detected = texts.map((text) => languageOf(text, guess))
      return {
        verdict: detected.every((each) => each === undefined || meant.has(each) !== not),
        data: {
          // One for each text; null for one that is too short to tell.
          detected: detected.map((each) => (each === undefined ? null : nameOf(each))),
          ...(notCovered.length > 0 && { notCovered }),
        },
      }
    }

    return {
      deadlineMs,
      run({ texts }) {
        const guess = guesser()
        return guess instanceof Promise ? guess.then((ready) => judge(ready, texts)) : judge(guess, texts)
      },
    }
  },
})
