import type { Hit } from '../text/hits.ts'
import { type DigitGroups, isWord, setOf } from './digit-groups.ts'

/** Words that make a social security number of nine digits without dashes, and how far ahead of it they may stand. */
const NAMED = /\b(?:ssn|social[ -]security)\b/i
const NAMED_AHEAD = 40

/** Characters of the longest hit, with the words ahead of it. */
export const SSN_REACH = NAMED_AHEAD + 20

const BETWEEN = setOf(' -.')

/**
 * Finds social security numbers of the United States: `123-45-6789`, and nine digits in a row where the text calls them so.
 * Those that are never given out are none (Social Security Administration, "Randomization": areas 000, 666 and 900 to 999, group
 * 00, serial 0000).
 */
export const findSocialSecurityNumbers = (groups: DigitGroups): Hit<'SSN'>[] => {
  const hits: Hit<'SSN'>[] = []
  for (let group = 0; group < groups.count; group++) {
    const size = groups.size(group)
    const isWhole = size === 9 && isCalledSo(groups, group)
    if (!isWhole && !(size === 3 && isGrouped(groups, group))) continue
    const last = isWhole ? group : group + 2
    const digits = groups.text.slice(groups.start(group), groups.end(last)).replace(/\D/g, '')
    if (!isGivenOut(digits) || isPartOfMore(groups, group, last)) continue
    hits.push({ start: groups.start(group), end: groups.end(last), category: 'SSN' })
    group = last
  }
  return hits
}

const isGrouped = (groups: DigitGroups, first: number): boolean => {
  if (groups.size(first + 1) !== 2 || groups.size(first + 2) !== 4) return false
  if (!groups.joinsNext(first, BETWEEN) || !groups.joinsNext(first + 1, BETWEEN)) return false
  const { text, start, end } = groups
  return text.slice(end(first), start(first + 1)) === text.slice(end(first + 1), start(first + 2))
}

const isCalledSo = ({ text, start }: DigitGroups, group: number): boolean =>
  NAMED.test(text.slice(Math.max(0, start(group) - NAMED_AHEAD), start(group)))

const isGivenOut = (digits: string): boolean => {
  const area = digits.slice(0, 3)
  return area !== '000' && area !== '666' && area < '900' && digits.slice(3, 5) !== '00' && digits.slice(5) !== '0000'
}

/** Amid letters, or one part of a longer number with dashes or points. */
const isPartOfMore = ({ text, start, end }: DigitGroups, first: number, last: number): boolean => {
  const [before, after] = [start(first) - 1, end(last)]
  if ((before >= 0 && isWord(text, before)) || isWord(text, after)) return true
  const goesOn = (index: number, beyond: number): boolean =>
    /[-.]/.test(text[index] ?? '') && /\d/.test(text[beyond] ?? '')
  return goesOn(before, before - 1) || goesOn(after, after + 1)
}
