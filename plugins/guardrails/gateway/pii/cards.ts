import type { Hit } from '../text/hits.ts'
import { type DigitGroups, digitsOf, isWord, setOf } from './digit-groups.ts'

/** Characters of the longest hit: 19 digits, and what may stand between them, however they are grouped. */
export const CARD_REACH = 120

const BETWEEN = setOf(' \t-._')

const [SHORTEST, LONGEST] = [13, 19]

/** How card numbers are grouped when they are one number among others: 16 and more digits, American Express, Diners, old Visa. */
const GROUPINGS = new Set(['4444', '44441', '44442', '44443', '465', '464', '4333'])
const MOST_GROUPS = 5

/**
 * Ranges of numbers by the networks that give them out, with their lengths. From ISO/IEC 7812 and the networks' public pages as
 * "Payment card number" of Wikipedia lists them (read 2026); Maestro's by its published ranges alone, for `5` and `6` at large
 * would make a card of one number in fifty.
 */
const RANGES: readonly { readonly from: number; readonly to: number; readonly lengths: readonly number[] }[] = [
  { from: 4000, to: 4999, lengths: [13, 16, 19] }, // Visa
  { from: 5100, to: 5599, lengths: [16] }, // Mastercard
  { from: 2221, to: 2720, lengths: [16] }, // Mastercard
  { from: 3400, to: 3499, lengths: [15] }, // American Express
  { from: 3700, to: 3799, lengths: [15] }, // American Express
  { from: 6011, to: 6011, lengths: [16, 17, 18, 19] }, // Discover
  { from: 6440, to: 6599, lengths: [16, 17, 18, 19] }, // Discover, RuPay
  { from: 6200, to: 6299, lengths: [16, 17, 18, 19] }, // UnionPay
  { from: 8100, to: 8299, lengths: [16, 17, 18, 19] }, // UnionPay, RuPay
  { from: 3528, to: 3589, lengths: [16, 17, 18, 19] }, // JCB
  { from: 3000, to: 3059, lengths: [14, 16] }, // Diners Club
  { from: 3095, to: 3095, lengths: [14, 16] }, // Diners Club
  { from: 3600, to: 3699, lengths: [14, 16] }, // Diners Club
  { from: 3800, to: 3999, lengths: [14, 16] }, // Diners Club
  { from: 2200, to: 2204, lengths: [16, 17, 18, 19] }, // Mir
  { from: 9792, to: 9792, lengths: [16] }, // Troy
  { from: 5060, to: 5061, lengths: [16, 18, 19] }, // Verve
  { from: 5018, to: 5018, lengths: [13, 14, 15, 16, 17, 18, 19] }, // Maestro
  { from: 5020, to: 5020, lengths: [13, 14, 15, 16, 17, 18, 19] }, // Maestro
  { from: 5038, to: 5038, lengths: [13, 14, 15, 16, 17, 18, 19] }, // Maestro
  { from: 5893, to: 5893, lengths: [13, 14, 15, 16, 17, 18, 19] }, // Maestro
  { from: 6304, to: 6304, lengths: [13, 14, 15, 16, 17, 18, 19] }, // Maestro
  { from: 6759, to: 6763, lengths: [13, 14, 15, 16, 17, 18, 19] }, // Maestro
]

/** Groups of four in a row from which on they are a list of numbers: cards are then looked for at its beginning alone. */
const LIST = 9

/** Finds card numbers among the digits of a text: of a network's range and length, with a right check digit. */
export const findCards = (groups: DigitGroups): Hit<'CREDIT_CARD'>[] => {
  const hits: Hit<'CREDIT_CARD'>[] = []
  let isFirst = true
  /** Last group of the fours in a row that were counted last, and whether they are a list. */
  let foursEnd = -1
  let isList = false
  for (let group = 0; group < groups.count; ) {
    const isBehindCard = hits.length > 0 && hits.at(-1)?.end === groups.end(group - 1)
    let begins = true
    if (groups.size(group) === 4) {
      begins = group > foursEnd || !isList || isBehindCard
      if (group > foursEnd) {
        foursEnd = endOfFours(groups, group)
        isList = foursEnd - group + 1 >= LIST
      }
    }
    const last = begins ? cardFrom(groups, group, isFirst) : undefined
    if (last !== undefined) hits.push({ start: groups.start(group), end: groups.end(last), category: 'CREDIT_CARD' })
    group = (last ?? group) + 1
    isFirst = !groups.joinsNext(group - 1, BETWEEN)
  }
  return hits
}

const endOfFours = (groups: DigitGroups, first: number): number => {
  let last = first
  while (groups.joinsNext(last, BETWEEN) && groups.size(last + 1) === 4) last++
  return last
}

/** @returns the last group of the card number that begins with a group */
const cardFrom = (groups: DigitGroups, first: number, isFirst: boolean): number | undefined => {
  if (groups.size(first) >= SHORTEST) {
    return isApart(groups, first) && isCard(digitsOf(groups, first, first)) ? first : undefined
  }
  if (groups.size(first) === 4) {
    const grouped = groupedFrom(groups, first)
    if (grouped !== undefined) return grouped
  }
  return isFirst ? aloneFrom(groups, first) : undefined
}

/** A number in the groups of a card, whatever stands beside it. */
const groupedFrom = (groups: DigitGroups, first: number): number | undefined => {
  let grouping = '4'
  let found: number | undefined
  for (let last = first; last < first + MOST_GROUPS - 1 && groups.joinsNext(last, BETWEEN); ) {
    last++
    if (groups.size(last) > 6) break
    grouping += groups.size(last)
    if (GROUPINGS.has(grouping) && isCard(digitsOf(groups, first, last))) found = last
  }
  return found
}

/** A number in any groups, down to single digits, when the same stands between all of them and nothing else beside it. */
const aloneFrom = (groups: DigitGroups, first: number): number | undefined => {
  const { text, start, end } = groups
  const between = text.slice(end(first), start(first + 1))
  let total = groups.size(first)
  let last = first
  while (groups.joinsNext(last, BETWEEN)) {
    if (text.slice(end(last), start(last + 1)) !== between) return undefined
    last++
    total += groups.size(last)
    if (total > LONGEST) return undefined
  }
  // Two groups are a number with a point, or a range.
  return total >= SHORTEST && last > first + 1 && isCard(digitsOf(groups, first, last)) ? last : undefined
}

/** Not amid letters, as in a hash, and not the places behind a decimal point. */
const isApart = ({ text, start, end }: DigitGroups, group: number): boolean => {
  const [before, after] = [start(group) - 1, end(group)]
  if (before >= 0 && isWord(text, before) && isWord(text, after)) return false
  return !(text[before] === '.' && /\d/.test(text[before - 1] ?? ''))
}

const isCard = (digits: string): boolean => {
  const { length } = digits
  if (length < SHORTEST || length > LONGEST) return false
  const range = Number(digits.slice(0, 4))
  return (
    RANGES.some(({ from, to, lengths }) => range >= from && range <= to && lengths.includes(length)) && isLuhn(digits)
  )
}

/** The check digit of ISO/IEC 7812: from the right, every second digit counts twice. */
const isLuhn = (digits: string): boolean => {
  let sum = 0
  for (let index = digits.length - 1, twice = false; index >= 0; index--, twice = !twice) {
    const digit = digits.charCodeAt(index) - 48
    const counted = twice ? digit * 2 : digit
    sum += counted > 9 ? counted - 9 : counted
  }
  return sum % 10 === 0
}
