import { defineCheck, t } from '#kit'
import { excerpt, someText } from '../shared/excerpt.ts'
import { NOT, turned } from '../shared/parameters.ts'

export const endsWith = defineCheck({
  id: 'default.endsWith',
  summary: 'Passes when the texts end with a suffix, or with the suffix and a full stop.',
  parameters: t.Object({ suffix: t.String({ minLength: 1 }), not: NOT }),
  stages: ['input', 'output'],
  run(input, { suffix, not }) {
    const text = someText(input)
    const isEnding = text.endsWith(suffix) || text.endsWith(`${suffix}.`)
    const verdict = turned(isEnding, not)
    return {
      verdict,
      data: {
        verdict,
        not,
        suffix: excerpt(suffix),
        explanation: `The text ${isEnding ? 'ends' : 'does not end'} with the suffix.`,
        textExcerpt: excerpt(text),
      },
    }
  },
})
