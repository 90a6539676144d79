/** How numbers of records are shown: money in cents, times in milliseconds, shares in percent. */

/** Picodollars of a cent. */
const CENT = 10_000_000_000
/** What a cent is cut into: to the picodollar. */
const CENT_DIGITS = 10

/** Exact: a cost is as many picodollars as it is, and a cent is 10¹⁰ of them. */
export const toCents = (picodollars: number): number => Math.round(picodollars) / CENT

/** The same as a text, never with an exponent: `0.0000000125`. */
export const toCentsText = (picodollars: number): string =>
  toCents(picodollars)
    .toFixed(CENT_DIGITS)
    .replace(/\.?0+$/, '')

export const toMilliseconds = (microseconds: number): number => Math.round(microseconds / 1000)

export const toIsoTime = (microseconds: number): string => new Date(microseconds / 1000).toISOString()

const DECIMALS = 100

export const rounded = (value: number): number => Math.round(value * DECIMALS) / DECIMALS

/** Zero where there is nothing to divide by. */
export const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)

export const percent = (part: number, whole: number): number => rounded(100 * ratio(part, whole))
