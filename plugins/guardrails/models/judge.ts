import { defineCheck, type Host, t } from '#kit'
import { askJudge } from './ask-judge.ts'
import { failOnError, model, provider, threshold, timeout } from './parameters.ts'

/** Passes unless a model finds that a text breaks the instructions. */
export const judge = ({ randomId }: Pick<Host, 'randomId'>) =>
  defineCheck({
    id: 'gateway.judge',
    summary: 'Passes unless a model finds that a text is what the instructions describe.',
    parameters: t.Object({
      instructions: t.String({
        minLength: 1,
        maxLength: 8_000,
        description: 'What a text must not be, in plain words: `it gives medical advice`.',
      }),
      provider,
      model,
      threshold,
      timeout: timeout(15_000),
      failOnError,
    }),
    stages: ['input', 'output'],
    needs: ['ask'],
    prepare({ instructions, threshold: least, timeout: deadlineMs, failOnError: failsClosed, ...asked }) {
      return {
        deadlineMs,
        failsClosed,
        async run({ texts }, powers) {
          const said = await askJudge(powers, { ...asked, criterion: instructions, texts, marker: randomId() })
          return { verdict: said.score < least, data: said }
        },
      }
    },
  })
