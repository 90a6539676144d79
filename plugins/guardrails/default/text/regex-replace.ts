import type { Search } from '#calls/pattern/search'
import { type CheckInput, type CheckVerdict, defineCheck, defined, type PreparedCheck, t } from '#kit'
import { excerpt } from '../shared/excerpt.ts'
import { reachOf, readRule } from '../shared/pattern.ts'

/** Milliseconds to replace what matches in one text, at most. Nothing else runs meanwhile. */
const MOST_MS = 1_000

export const regexReplace = defineCheck({
  id: 'default.regexReplace',
  summary: 'Writes a text in the place of each match of a pattern. Passes, unless matches shall fail.',
  parameters: t.Object({
    rule: t.String({ minLength: 1, description: 'A pattern, or `/pattern/flags`. Every match is replaced.' }),
    redactText: t.String({ default: '[REDACTED]' }),
    failOnDetection: t.Boolean({ default: false }),
  }),
  stages: ['input', 'output'],
  prepare({ rule, redactText, failOnDetection }): PreparedCheck {
    const search = readRule(rule, 'rule', true)
    const replace = createReplace(search, redactText)
    return {
      ...defined({ reach: reachOf(search) }),
      // What could not be looked at shall not get by as if it had been.
      failsClosed: true,
      run({ texts, part }) {
        const edits = texts.map((text) => replace(text, part))
        const isChanged = edits.some(({ length }) => length > 0)
        const verdict = !(isChanged && failOnDetection)
        return {
          verdict,
          edits: isChanged ? edits : undefined,
          data: {
            verdict,
            regexPattern: excerpt(rule),
            explanation: isChanged ? 'The pattern matched, and was replaced.' : 'The pattern does not match.',
          },
        }
      },
    }
  },
})

type Edits = NonNullable<CheckVerdict['edits']>[number]

type Replace = (text: string, part: CheckInput['part']) => Edits

const createReplace =
  (search: Search, redactText: string): Replace =>
  (text, part) => {
    if (!search.test(text)) return []
    // What begins at an edge of a part, or so late that more of it may follow, is decided with its surroundings.
    const last = part?.hasAfter && search.longest !== undefined ? text.length - search.longest - 1 : text.length
    const edits: Edits[number][] = []
    const startedMs = performance.now()
    for (const { start, end } of search.matches(text, part?.hasBefore ? 1 : 0)) {
      if (start > last) break
      // Where each match has to look at all of the rest, as `a(.*z)?` does, they take time by the square of the text.
      if (performance.now() - startedMs > MOST_MS) throw new Error('the pattern takes too long for this text')
      // An empty match has nothing to replace.
      if (end === start) continue
      if (text.slice(start, end) !== redactText) edits.push({ start, end, text: redactText })
    }
    return edits
  }
