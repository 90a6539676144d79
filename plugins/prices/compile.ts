import type { ModelPrice, PayAsYouGo, PricedUnit, ServiceTier } from '#core/price-form'
import { SERVICE_TIERS } from '#core/price-form'
import type { Factors } from './factors.ts'
import { type AsText, fillTier, PARTS, type Part, type PartPrices, partPrices } from './parts.ts'
import { type Rate, toRate } from './rate.ts'

/** What is bought in one tier, ready to be multiplied. A part without a rate has no price that is known. */
export interface Rates {
  readonly parts: Readonly<Record<Part, Rate | undefined>>
  /** Tokens have a price. */
  readonly hasTokens: boolean
  readonly units: ReadonlyMap<string, Rate>
  /** By quality, then by size. */
  readonly images: ReadonlyMap<string, ReadonlyMap<string, Rate>>
}

export interface CompiledPrice {
  /** Undefined: the model is sold in other tiers only. */
  readonly standard: Rates | undefined
  /** The highest first. */
  readonly contextTiers: readonly { readonly above: number; readonly rates: Rates }[]
  readonly serviceTiers: Readonly<Partial<Record<ServiceTier, Rates>>>
}

export interface CompileOptions {
  readonly asText: AsText
  /** What whoever pays another price multiplies those of the list with. */
  readonly factors?: Factors
}

/** Makes a price quick to multiply with. */
export const compilePrice = (price: ModelPrice, options: CompileOptions): CompiledPrice => {
  const { pay_as_you_go: main, context_tiers: context = [], service_tiers: service = {} } = price
  const base = main === undefined ? {} : partPrices(main)
  const ofTier = (tier: PayAsYouGo): Rates =>
    toRates(fillTier(partPrices(tier), base), { ...main?.additional_units, ...tier.additional_units }, tier, options)
  const serviceTiers: Partial<Record<ServiceTier, Rates>> = {}
  for (const name of SERVICE_TIERS) {
    const tier = service[name]
    if (tier !== undefined) serviceTiers[name] = ofTier(tier.pay_as_you_go)
  }
  return {
    standard: main === undefined ? undefined : toRates(base, main.additional_units ?? {}, main, options),
    contextTiers: context
      .map(({ above_input_tokens: above, pay_as_you_go }) => ({ above, rates: ofTier(pay_as_you_go) }))
      .toSorted((one, other) => other.above - one.above),
    serviceTiers,
  }
}

const toRates = (
  prices: PartPrices,
  units: NonNullable<PayAsYouGo['additional_units']>,
  { image = {} }: PayAsYouGo,
  { asText, factors }: CompileOptions,
): Rates => {
  const parts = {} as Record<Part, Rate | undefined>
  const cents = {} as Record<Part, number | undefined>
  const factor = {} as Record<Part, number>
  for (const [part, { standsIn }] of PARTS) {
    const own = prices[part]
    const other = own === undefined ? standsIn(prices, asText) : undefined
    cents[part] = own === null ? undefined : (own ?? (other === undefined ? undefined : cents[other]))
    factor[part] = factors?.ofPart(part) ?? (other === undefined ? (factors?.standard ?? 1) : factor[other])
    const price = cents[part]
    parts[part] = price === undefined ? undefined : toRate(price, factor[part])
  }
  return {
    parts,
    hasTokens: Object.values(parts).some((rate) => rate !== undefined),
    units: new Map(
      Object.entries(units).map(([unit, { price }]) => [unit, toRate(price, factors?.ofUnit(unit as PricedUnit))]),
    ),
    images: new Map(
      Object.entries(image).map(([quality, sizes]) => [
        quality,
        new Map(Object.entries(sizes).map(([size, { price }]) => [size, toRate(price, factors?.image)])),
      ]),
    ),
  }
}
