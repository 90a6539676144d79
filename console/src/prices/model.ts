import { money } from '../ui/format.ts'

const MILLION = 1_000_000
const CENTS = 100

/** @param cents for one token */
export const forMillion = (cents: number | undefined): string =>
  money(cents === undefined ? undefined : cents * MILLION)

/** As a field has it: dollars for a million. @param cents for one token */
export const toDollars = (cents: number | undefined): string =>
  cents === undefined ? '' : String(Number(((cents * MILLION) / CENTS).toPrecision(12)))

/** @param dollars for a million, as typed. @returns cents for one token */
export const toCents = (dollars: string): number => Number(((Number(dollars) * CENTS) / MILLION).toPrecision(12))
