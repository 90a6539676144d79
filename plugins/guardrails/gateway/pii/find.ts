import type { CountryCode } from 'libphonenumber-js/max'
import { fold } from '../text/fold.ts'
import { type Hit, inOrder } from '../text/hits.ts'
import { CARD_REACH, findCards } from './cards.ts'
import { type Category, FOUND_BY_FORM, type FormCategory } from './categories.ts'
import { type DigitGroups, digitGroups } from './digit-groups.ts'
import { EMAIL_REACH, findEmails } from './emails.ts'
import { findIbans, IBAN_REACH } from './ibans.ts'
import { findIpAddresses, IP_REACH } from './ip-addresses.ts'
import { PHONE_REACH, phoneFinder } from './phones.ts'
import { findSocialSecurityNumbers, SSN_REACH } from './social-security.ts'

/** Finds what is of some categories in a text, by its form. */
export interface PiiFinder {
  /** In the order of the text, none over another. */
  find(text: string): Hit<FormCategory>[]
  /** Characters of the longest hit, with what must stand before it. */
  readonly reach: number
}

const REACH: Readonly<Record<FormCategory, number>> = {
  CREDIT_CARD: CARD_REACH,
  IBAN: IBAN_REACH,
  SSN: SSN_REACH,
  EMAIL_ADDRESS: EMAIL_REACH,
  IP_ADDRESS: IP_REACH,
  PHONE_NUMBER: PHONE_REACH,
}

/** @param regions whose phone numbers are found without their country */
export const piiFinder = (categories: readonly Category[], regions: readonly CountryCode[]): PiiFinder => {
  const wanted = FOUND_BY_FORM.filter((category) => categories.includes(category))
  const detectors: Readonly<Record<FormCategory, (groups: DigitGroups) => Hit<FormCategory>[]>> = {
    CREDIT_CARD: findCards,
    IBAN: findIbans,
    SSN: findSocialSecurityNumbers,
    EMAIL_ADDRESS: ({ text }) => findEmails(text),
    IP_ADDRESS: findIpAddresses,
    PHONE_NUMBER: phoneFinder(regions),
  }
  const chosen = wanted.map((category) => detectors[category])
  return {
    reach: Math.max(0, ...wanted.map((category) => REACH[category])),
    find(text) {
      const folded = fold(text)
      const groups = digitGroups(folded.text)
      const hits = chosen.flatMap((detect) => detect(groups))
      if (hits.length === 0) return hits
      const placed = hits.map((hit) => ({ ...hit, start: folded.at(hit.start), end: folded.at(hit.end) }))
      return inOrder(placed, FOUND_BY_FORM)
    },
  }
}
