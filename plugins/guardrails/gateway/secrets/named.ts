import { entropyOf, MIN_RUN } from './runs.ts'

/** How far ahead of a value its name may stand. */
export const NAME_AHEAD = 64

/** A longer value is a picture or a certificate. */
export const MAX_NAMED = 200

/** A name of what must stay secret, and what stands between it and its value. */
const NAMED =
  /(?:key|token|secret|passw(?:or)?d|passphrase|pwd|credentials?|auth|authorization)["'`\]]{0,2}\s{0,3}(?:=>|:=|[=:,(])\s{0,3}(?:(?:bearer|basic|token)\s)?["'`]?$|\b(?:bearer|basic)\s$/i

/** Bits for each character that chance gives, and words and names do not. */
const MIN_ENTROPY = { hex: 3, other: 3.5 }

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Words and numbers, as of a slug, a path or a version. */
const WORD = /^(?:(?:[A-Za-z][a-z]*|[A-Z]+)?\d{0,4}|\d+)$/

/** Whether a run of characters is a secret by its name and its chance: `api_key = "q8Xf…"`. */
export const isNamedSecret = (text: string, start: number, end: number): boolean => {
  const length = end - start
  if (length < MIN_RUN || length > MAX_NAMED) return false
  return isByChance(text.slice(start, end)) && NAMED.test(text.slice(Math.max(0, start - NAME_AHEAD), start))
}

/** Letters and digits mixed as chance does. */
const isByChance = (value: string): boolean => {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value) || UUID.test(value)) return false
  if (value.split(/[^A-Za-z\d]+/).every((part) => WORD.test(part))) return false
  return entropyOf(value) >= (/^[\da-f]+$/i.test(value) ? MIN_ENTROPY.hex : MIN_ENTROPY.other)
}
