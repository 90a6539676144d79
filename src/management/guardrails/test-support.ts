import { Type as t } from '@sinclair/typebox'
import { type Check, type CheckDirectory, defineCheck, InvalidParameters } from '../../kit/check.ts'

/** Passes where none of its words stands in a text. */
const noWords = defineCheck({
  id: 'acme.noWords',
  summary: 'Passes where none of the words is said.',
  parameters: t.Object({
    words: t.Array(t.String({ minLength: 1 }), { minItems: 1 }),
    operator: t.Union([t.Literal('any'), t.Literal('all')], { default: 'any' }),
    redact: t.Boolean({ default: false }),
  }),
  stages: ['input', 'output'],
  run({ texts }, { words, operator, redact }) {
    const isSaid = (word: string) => texts.some((text) => text.includes(word))
    const found = words.filter(isSaid)
    const isRefused = operator === 'any' ? found.length > 0 : found.length === words.length
    if (!isRefused) return { verdict: true }
    const clean = (text: string) => found.reduce((left, word) => left.replaceAll(word, '***'), text)
    return { verdict: redact, data: { found }, ...(redact ? { texts: texts.map(clean) } : {}) }
  },
})

/** Has a parameter of which only its plugin knows whether it can be used. */
const evenNumber = defineCheck({
  id: 'acme.evenNumber',
  summary: 'Always passes.',
  parameters: t.Object({ number: t.Integer() }),
  stages: ['input'],
  prepare({ number }) {
    if (number % 2 !== 0) throw new InvalidParameters([{ path: 'number', message: 'must be even' }])
    return { run: () => ({ verdict: true }) }
  },
})

/** Has headers, as checks that ask services do. */
const hook = defineCheck({
  id: 'acme.hook',
  summary: 'Always passes.',
  parameters: t.Object({ url: t.String(), headers: t.Record(t.String(), t.String()) }),
  stages: ['input', 'output'],
  run: () => ({ verdict: true }),
})

const checks: readonly Check[] = [noWords, evenNumber, hook]

/** Checks that run in tests of management. */
export const checksUnderTest: CheckDirectory = {
  get: (id) => checks.find((each) => each.id === id),
  list: () => checks,
}
