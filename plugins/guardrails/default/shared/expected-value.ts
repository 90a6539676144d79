import { t } from '#kit'
import { oneOf } from './parameters.ts'
import { readRule } from './pattern.ts'

/** How a value is compared with those that are expected. */
export const MATCH_TYPE = oneOf(['exact', 'contains', 'containsAll', 'regex'], { default: 'exact' })

type MatchType = 'exact' | 'contains' | 'containsAll' | 'regex'

const SCALAR = t.Union([t.String(), t.Number(), t.Boolean()])

/** One value or several. */
export const EXPECTED = t.Union([SCALAR, t.Array(SCALAR, { minItems: 1 })])

type Scalar = string | number | boolean

/** Whether an actual value is as it is expected. */
export type Matches = (actual: unknown) => boolean

/**
 * Makes ready what a value is compared with.
 * @param path of the parameter
 * @param contentsOf what a text contains: words, which must be there as a whole. Absent: whatever stands in it
 * @throws InvalidParameters for a pattern that is none
 */
export const readExpected = (
  expected: Scalar | readonly Scalar[],
  matchType: MatchType,
  path: string,
  contentsOf?: (text: string) => readonly string[],
): Matches => {
  const values = (Array.isArray(expected) ? expected : [expected]).map(String)
  if (matchType === 'regex') {
    const searches = values.map((value, index) => readRule(value, Array.isArray(expected) ? `${path}[${index}]` : path))
    return (actual) => itemsOf(actual).some((item) => searches.some((search) => search.test(item)))
  }
  if (matchType === 'exact') {
    return (actual) => !Array.isArray(actual) && itemsOf(actual).some((item) => values.includes(item))
  }
  const has = (actual: unknown) => (value: string) => {
    const items = itemsOf(actual)
    if (Array.isArray(actual) || items.includes(value)) return items.includes(value)
    return items.some((item) => (contentsOf === undefined ? item.includes(value) : contentsOf(item).includes(value)))
  }
  return (actual) => (matchType === 'contains' ? values.some(has(actual)) : values.every(has(actual)))
}

/** Scalars as texts; nothing else is compared. */
const itemsOf = (actual: unknown): readonly string[] =>
  (Array.isArray(actual) ? actual : [actual])
    .filter((item) => typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean')
    .map(String)
