import { defineCheck, t } from '#kit'
import { timeout } from '../parameters.ts'
import { countHits, Redaction, settled } from '../text/hits.ts'
import { findSecrets, SECRET_CATEGORIES, SECRET_REACH } from './find.ts'

/** The check for keys, tokens and passwords. */
export const secretsCheck = defineCheck({
  id: 'gateway.secrets',
  summary: 'Passes unless a text holds a key, a token or a password; with `redact` it replaces them and passes.',
  parameters: t.Object({
    redact: t.Boolean({ default: false, description: 'Replace what is found, and pass.' }),
    ignore: t.Array(t.Union(SECRET_CATEGORIES.map((category) => t.Literal(category))), {
      default: [],
      maxItems: SECRET_CATEGORIES.length,
      description: 'Kinds that may pass.',
    }),
    allowed: t.Array(t.String({ minLength: 3, maxLength: 200 }), {
      default: [],
      maxItems: 100,
      description: 'What holds one of these texts may pass: `sk_test_`, or a whole key.',
    }),
    timeout,
  }),
  stages: ['input', 'output'],
  prepare({ redact, ignore, allowed, timeout: deadlineMs }) {
    const ignored = new Set<string>(ignore)
    return {
      deadlineMs,
      reach: SECRET_REACH,
      run({ texts, part }) {
        const hitsOfTexts = texts.map((text) =>
          settled(findSecrets(text), text, part, SECRET_REACH).filter(({ start, end, category }) => {
            if (ignored.has(category)) return false
            return allowed.length === 0 || !allowed.some((each) => text.slice(start, end).includes(each))
          }),
        )
        const hits = hitsOfTexts.flat()
        const data = { categories: countHits(hits) }
        if (!redact || hits.length === 0) return { verdict: hits.length === 0, data }
        const redaction = new Redaction()
        return {
          verdict: true,
          data,
          edits: texts.map((text, index) => redaction.edits(text, hitsOfTexts[index] ?? [])),
        }
      },
    }
  },
})
