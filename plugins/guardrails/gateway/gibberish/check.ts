import { type CheckVerdict, defineCheck, t } from '#kit'
import { type Guesser, guesser } from '../language/detect.ts'
import { timeout } from '../parameters.ts'
import { isGibberish } from './judge.ts'

const judge = (guess: Guesser, texts: readonly string[]): CheckVerdict => {
  const found = texts.map((text) => isGibberish(text, guess))
  // One for each text; null for one of too few words to tell.
  return { verdict: !found.includes(true), data: { gibberish: found.map((each) => each ?? null) } }
}

/** The check for keys pressed at random. */
export const gibberishCheck = defineCheck({
  id: 'gateway.gibberish',
  summary: 'Passes unless a text is keys pressed at random. Code, numbers, short texts and other scripts pass.',
  parameters: t.Object({ timeout }),
  stages: ['input', 'output'],
  prepare: ({ timeout: deadlineMs }) => ({
    deadlineMs,
    run({ texts }) {
      const guess = guesser()
      return guess instanceof Promise ? guess.then((ready) => judge(ready, texts)) : judge(guess, texts)
    },
  }),
})
