import type { Hit } from '../text/hits.ts'
import { type DigitGroups, isWord } from './digit-groups.ts'

/** Characters of the longest hit: 34, with a blank or dash after each fourth. */
export const IBAN_REACH = 43

/** Characters of an IBAN by its country: the IBAN registry of SWIFT, as the package ibantools 4.5 lists it (2026). */
const LENGTHS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    15: 'NO',
    16: 'BE',
    18: 'AX DK FI FO GL NL SD',
    19: 'MK SI',
    20: 'AT BA EE KZ LT LU MN XK',
    21: 'CH HR LI LV',
    22: 'BG BH CR DE GB GE IE ME RS VA',
    23: 'AE GI IL IQ OM SO TL',
    24: 'AD CZ ES MD PK RO SA SE SK TN VG',
    25: 'LY PT ST',
    26: 'IS TR',
    27: 'FR GF GP GR IT MC MF MQ MR NC PF PM RE SM TF WF YT',
    28: 'AL AZ BY CY DO GT HU LB NI PL SV',
    29: 'BR EG PS QA UA',
    30: 'JO KW MU YE',
    31: 'MT SC',
    32: 'LC',
    33: 'RU',
  }).flatMap(([length, countries]) =>
    countries.split(' ').map((country): [string, number] => [country, Number(length)]),
  ),
)

/** Finds bank accounts of the form IBAN: of their country's length, with the right remainder. */
export const findIbans = (groups: DigitGroups): Hit<'IBAN'>[] => {
  const { text, count, start } = groups
  const hits: Hit<'IBAN'>[] = []
  let passed = 0
  for (let group = 0; group < count; group++) {
    const from = start(group) - 2
    // Its two check digits stand behind the country, without a blank.
    if (from < passed || groups.size(group) < 2 || (from > 0 && isWord(text, from - 1))) continue
    const length = LENGTHS.get(text.slice(from, from + 2).toUpperCase())
    if (length === undefined) continue
    const end = endOf(text, from, length)
    if (end === undefined) continue
    hits.push({ start: from, end, category: 'IBAN' })
    passed = end
  }
  return hits
}

/** @returns undefined unless an IBAN of so many characters begins here */
const endOf = (text: string, start: number, length: number): number | undefined => {
  let iban = ''
  let index = start
  let isGrouped = false
  for (; iban.length < length; index++) {
    const character = text[index] ?? ''
    if (/[\dA-Za-z]/.test(character)) iban += character
    else if (/[ -]/.test(character) && /[\dA-Za-z]/.test(text[index + 1] ?? '')) isGrouped = true
    else return undefined
  }
  // Small letters with blanks are words.
  if (isWord(text, index) || (isGrouped && /[a-z]/.test(iban))) return undefined
  return remainder(iban.toUpperCase()) === 1 ? index : undefined
}

/** ISO 7064, MOD 97-10: letters count as 10 to 35, and the first four characters stand last. */
const remainder = (iban: string): number => {
  let rest = 0
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest
}
