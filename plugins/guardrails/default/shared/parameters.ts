import { t } from '#kit'

/** One of some words. */
export const oneOf = <const Words extends readonly string[]>(words: Words, options: object = {}) =>
  t.Unsafe<Words[number]>(
    t.Union(
      words.map((word) => t.Literal(word)),
      options,
    ),
  )

/** Turns the verdict round. */
export const NOT = t.Boolean({ default: false })

/** Whether a check passes, where its parameters may turn it round. */
export const turned = (isTrue: boolean, not: boolean): boolean => isTrue !== not

/** How many of those that are looked for must be there. */
export const operator = (byDefault: 'any' | 'all') => oneOf(['any', 'all', 'none'], { default: byDefault })

export type Operator = 'any' | 'all' | 'none'

/** Whether as many were found as must be. */
export const fits = (operator: Operator, found: readonly unknown[], missing: readonly unknown[]): boolean => {
  if (operator === 'all') return missing.length === 0
  return operator === 'any' ? found.length > 0 : found.length === 0
}

const OUTCOMES: Readonly<Record<Operator, readonly [passed: string, failed: string]>> = {
  any: ['at least one was found', 'none was found'],
  all: ['all were found', 'some are missing'],
  none: ['none was found', 'some were found'],
}

/** What became of a search, for people. */
export const explain = (what: string, operator: Operator, verdict: boolean): string =>
  `Of the ${what}, ${OUTCOMES[operator][verdict ? 0 : 1]} (${operator}).`

/** Texts of an answer to a check, at most: as many words, or URLs, are shown. */
const MAX_SHOWN = 50

const MAX_CHARACTERS = 100

/** Some words, for people: the first ones, the beginnings of long ones. */
export const shown = (words: readonly string[]): readonly string[] =>
  words.slice(0, MAX_SHOWN).map((word) => (word.length > MAX_CHARACTERS ? `${word.slice(0, MAX_CHARACTERS)}...` : word))
