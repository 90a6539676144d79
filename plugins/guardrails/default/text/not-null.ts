import { defineCheck, t } from '#kit'
import { NOT, turned } from '../shared/parameters.ts'

export const notNull = defineCheck({
  id: 'default.notNull',
  summary: 'Passes when there is any text besides blanks.',
  parameters: t.Object({ not: NOT }),
  stages: ['input', 'output'],
  run({ texts }, { not }) {
    const isNull = !texts.some((text) => /\S/.test(text))
    const verdict = turned(!isNull, not)
    return {
      verdict,
      data: { verdict, not, isNull, explanation: isNull ? 'There is no text.' : 'There is text.' },
    }
  },
})
