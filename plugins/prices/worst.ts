import type { MostUsed } from '#core/prices'
import { imageRate } from './charge.ts'
import type { CompiledPrice, Rates } from './compile.ts'
import type { Part } from './parts.ts'
import { type Rate, UnitSum } from './rate.ts'
import { possibleRates } from './rates-for.ts'

/** What a token of the input may be, with a price of its own. */
const INPUT_OF_TEXT: readonly Part[] = ['input', 'cacheRead', 'cacheWrite', 'hourWrite']
const INPUT: readonly Part[] = [...INPUT_OF_TEXT, 'audioInput', 'cachedAudio', 'imageInput']
const OUTPUT: readonly Part[] = ['output', 'reasoning', 'audioOutput', 'imageOutput']

/**
 * The most that `charge` makes of any usage up to `most`, in whichever tier it is served, in 10⁻¹² dollars. Undefined where the
 * model is sold by what `most` does not count.
 */
export const worstCharge = (price: CompiledPrice, most: MostUsed, tier?: string): number | undefined => {
  let worst: number | undefined
  for (const rates of possibleRates(price, most.inputTokens, tier)) {
    const cost = worstAt(rates, most)
    if (cost === undefined) return undefined
    worst = Math.max(worst ?? 0, cost)
  }
  return worst
}

const worstAt = (rates: Rates, most: MostUsed): number | undefined => {
  const tokens =
    mostOf(most.inputTokens, dearest(rates, most.isText === true ? INPUT_OF_TEXT : INPUT)) +
    mostOf(most.outputTokens, dearest(rates, OUTPUT))
  const units = worstUnits(rates, most)
  if (units === undefined && !rates.hasTokens) return undefined
  // What costs more is more than a record can hold.
  return Math.min(tokens + (units ?? 0), Number.MAX_SAFE_INTEGER)
}

const dearest = ({ parts }: Rates, among: readonly Part[]): Rate | undefined => {
  let found: Rate | undefined
  for (const part of among) {
    const rate = parts[part]
    if (rate !== undefined && (found === undefined || isMore(rate, found))) found = rate
  }
  return found
}

const isMore = (one: Rate, other: Rate): boolean =>
  one.whole > other.whole || (one.whole === other.whole && one.rest > other.rest)

const PER_PICODOLLAR = 1_000_000

/** What so many tokens cost at most: each part of them is rounded, and may be so upwards, where the rate has a fraction. */
const mostOf = (count: number, rate: Rate | undefined): number => {
  if (rate === undefined || count <= 0) return 0
  const { whole, rest } = rate
  return count * whole + (rest === 0 ? 0 : Math.ceil((count * rest) / PER_PICODOLLAR) + 1)
}

/** @returns undefined where nothing of what is sold is counted */
const worstUnits = (rates: Rates, { units, picture }: MostUsed): number | undefined => {
  if (units === undefined) return undefined
  const sum = new UnitSum()
  let counted = false
  for (const [unit, count] of Object.entries(units)) {
    const rate = unit === 'image' ? worstImage(rates, picture) : rates.units.get(unit)
    if (rate === undefined || !(count > 0)) continue
    counted = true
    sum.add(count, rate)
  }
  return counted ? sum.rounded() : undefined
}

/** Where the request leaves quality or size to the model, it may be any. */
const worstImage = (rates: Rates, picture: MostUsed['picture']): Rate | undefined => {
  const asked = imageRate(rates, picture)
  if (picture?.quality !== undefined && picture.size !== undefined) return asked
  let found = asked
  for (const sizes of rates.images.values()) {
    for (const rate of sizes.values()) if (found === undefined || isMore(rate, found)) found = rate
  }
  return found
}
