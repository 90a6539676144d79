import type { Search } from '#calls/pattern/search'
import { type CheckInput, defineCheck, defined, type PreparedCheck, t } from '#kit'
import { asOne, excerpt } from '../shared/excerpt.ts'
import { NOT, turned } from '../shared/parameters.ts'
import { reachOf, readRule } from '../shared/pattern.ts'

/** Where a match stands is worked out for people, in texts up to this length. */
const MAX_SHOWN_CHARACTERS = 20_000

/** An error, as nobody can say whether it was meant to match; and it passes, as there is nothing to refuse. */
const NO_TEXT = { verdict: true, error: new Error('there is no text to look at') }

export const regexMatch = defineCheck({
  id: 'default.regexMatch',
  summary: 'Passes when a pattern matches in a text; with `not`, when it matches in none.',
  parameters: t.Object({
    rule: t.String({ minLength: 1, description: "JavaScript's syntax, without look-around and references to groups." }),
    not: NOT,
  }),
  stages: ['input', 'output'],
  prepare({ rule, not }): PreparedCheck {
    const search = readRule(rule, 'rule')
    return {
      ...defined({ reach: not ? reachOf(search) : undefined }),
      // A text that is too long for the pattern shall not get by.
      failsClosed: not,
      run({ texts, kinds, part }) {
        if (part === undefined && texts.every((text) => text === '')) return NO_TEXT
        const matching = texts.find((text) => matches(search, text, part))
        const isMatch = matching !== undefined
        const verdict = turned(isMatch, not)
        return {
          verdict,
          data: {
            verdict,
            not,
            regexPattern: excerpt(rule),
            explanation: isMatch ? 'The pattern matches.' : 'The pattern does not match.',
            matchDetails: matching === undefined ? null : detailsOf(search, matching),
            textExcerpt: excerpt(matching ?? asOne({ texts, kinds })),
          },
        }
      },
    }
  },
})

/** Of a part of a stream: where the match does not depend on what surrounds the part. */
const matches = (search: Search, text: string, part: CheckInput['part']): boolean => {
  if (!search.test(text)) return false
  if (part === undefined || search.longest === undefined) return true
  const match = search.find(text, part.hasBefore ? 1 : 0)
  return match !== undefined && !(part.hasAfter && match.end === text.length)
}

const detailsOf = (search: Search, text: string): { readonly matchedText: string; readonly index: number } | null => {
  const match = text.length > MAX_SHOWN_CHARACTERS ? undefined : search.find(text)
  return match === undefined ? null : { matchedText: excerpt(text.slice(match.start, match.end)), index: match.start }
}
