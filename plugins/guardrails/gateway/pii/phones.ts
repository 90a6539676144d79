import { type CountryCode, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { Hit } from '../text/hits.ts'
import { type DigitGroups, digitsOf, isWord, setOf } from './digit-groups.ts'

/** Words that make a phone number of digits without blanks or dashes, and how far ahead of it they may stand. */
const NAMED = /\b(?:phone|telephone|tel|mobile|cell|call|text|fax|whatsapp|sms|dial)\b/i
const NAMED_AHEAD = 30

/** E.164: digits of a number with its country, at most. */
const MAX_DIGITS = 15
const MIN_DIGITS = 7
const MAX_GROUPS = 8

/** Characters of the longest hit, with the words ahead of it. */
export const PHONE_REACH = NAMED_AHEAD + MAX_DIGITS + 3 * (MAX_GROUPS - 1) + 2

const BETWEEN = setOf(' .-/()')
const DATE = /^(?:\d{4}([-./])\d{1,2}\1\d{1,2}|\d{1,2}([-./])\d{1,2}\2(?:\d{2}|\d{4}))(?!\d)/

/** Numbers of one text that are looked up, at most: one takes some microseconds. Those behind are judged by their shape alone. */
const MAX_LOOKUPS = 300

/** Groups of a number of North America, with or without its country. */
const NORTH_AMERICAN = /^1?(?:334|37|10)$/

type PhoneHit = Hit<'PHONE_NUMBER'>

/** Says whether digits are a phone number: with `+` of any country, without of one country. */
type IsPhone = (digits: string, region?: CountryCode) => boolean

/**
 * Makes the search for phone numbers: with `+` and country wherever they are from, as people of some regions write them at home,
 * and digits alone where the text calls them so. Which numbers there are says Google's list, by libphonenumber-js.
 */
export const phoneFinder = (regions: readonly CountryCode[]): ((groups: DigitGroups) => PhoneHit[]) => {
  const homes = regions.map((region) => ({ region, isNorthAmerican: getCountryCallingCode(region) === '1' }))

  const endAtHome = (groups: DigitGroups, first: number, isPhone: IsPhone): number | undefined => {
    const { text, start, end } = groups
    return longest(groups, first, (digits, last, sizes) => {
      if (first === last ? !calledSo(text, start(first)) : DATE.test(text.slice(start(first), end(last)))) return false
      return homes.some(
        ({ region, isNorthAmerican }) => (!isNorthAmerican || NORTH_AMERICAN.test(sizes)) && isPhone(digits, region),
      )
    })
  }

  return (groups) => {
    const hits: PhoneHit[] = []
    const isPhone = bounded()
    const { text, start, end, count } = groups
    for (let group = 0; group < count; group++) {
      const plus = plusBefore(text, start(group))
      if (plus === undefined && !beginsNumber(text, start(group))) continue
      const last =
        plus === undefined
          ? endAtHome(groups, group, isPhone)
          : longest(groups, group, (digits) => isPhone(`+${digits}`))
      if (last === undefined || isWord(text, end(last))) continue
      hits.push({ start: plus ?? openedAt(text, start(group)), end: end(last), category: 'PHONE_NUMBER' })
      group = last
    }
    return hits
  }
}

const bounded = (): IsPhone => {
  const known = new Map<string, boolean>()
  return (digits, region) => {
    const key = `${region ?? ''}${digits}`
    let is = known.get(key)
    if (is !== undefined) return is
    if (known.size >= MAX_LOOKUPS) return region === undefined || digits.length >= 10
    is =
      parsePhoneNumberFromString(digits, { extract: false, ...(region && { defaultCountry: region }) })?.isValid() ===
      true
    known.set(key, is)
    return is
  }
}

/** @returns the last group of the longest run from a group on that is a number */
const longest = (
  groups: DigitGroups,
  first: number,
  isNumber: (digits: string, last: number, sizes: string) => boolean,
): number | undefined => {
  let last = first
  let total = groups.size(first)
  while (
    last - first < MAX_GROUPS - 1 &&
    groups.joinsNext(last, BETWEEN) &&
    total + groups.size(last + 1) <= MAX_DIGITS
  ) {
    last++
    total += groups.size(last)
  }
  for (; last >= first && total >= MIN_DIGITS && total <= MAX_DIGITS; last--) {
    let sizes = ''
    for (let group = first; group <= last; group++) sizes += groups.size(group)
    if (!goesOn(groups, last) && isNumber(digitsOf(groups, first, last), last, sizes)) return last
    total -= groups.size(last)
  }
  return undefined
}

/** Whether it is one part of a longer number with dashes or points. */
const goesOn = ({ text, end }: DigitGroups, last: number): boolean =>
  /[-./]/.test(text[end(last)] ?? '') && /\d/.test(text[end(last) + 1] ?? '')

const calledSo = (text: string, start: number): boolean =>
  NAMED.test(text.slice(Math.max(0, start - NAMED_AHEAD), start))

/** @returns where the `+` of a number stands: `+49`, `+ 49`, `(+49)` */
const plusBefore = (text: string, start: number): number | undefined => {
  for (let index = start - 1; index >= 0 && index >= start - 2; index--) {
    if (text[index] === '+') return index > 0 && isWord(text, index - 1) ? undefined : index
    if (!/[ (]/.test(text[index] ?? '')) return undefined
  }
  return undefined
}

/** Not in the midst of a word, a decimal or a number with dashes. */
const beginsNumber = (text: string, start: number): boolean => {
  if (start === 0) return true
  if (isWord(text, start - 1)) return false
  return !/[-./$€£#]/.test(text[start - 1] ?? '') || !/[\w.]/.test(text[start - 2] ?? ' ')
}

const openedAt = (text: string, start: number): number => (text[start - 1] === '(' ? start - 1 : start)
