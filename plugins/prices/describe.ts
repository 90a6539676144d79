import { defined } from '#core/defined'
import type { ModelFacts, PayAsYouGo } from '#core/price-form'
import type { Calculation, PricesAsked, PricesFound, PublicPrice } from '#core/prices'
import { OTHERS, type PriceSources, publicPrice } from './find-price.ts'
import type { PricedName } from './price-list.ts'

/** The public price of a model. Undefined where none is known. */
export const describePrice = (sources: PriceSources, provider: string, model: string): PublicPrice | undefined => {
  const found = publicPrice(sources, provider, [model])
  if (found?.price.pay_as_you_go === undefined) return undefined
  const { pay_as_you_go, context_tiers, service_tiers, finetune_config, ...rest } = found.price
  const { mode, context, max_output, dimensions, abilities, retires, source }: ModelFacts = rest
  return defined({
    pay_as_you_go,
    calculate: calculationOf(pay_as_you_go),
    currency: 'USD',
    finetune_config,
    context_tiers,
    service_tiers,
    about: defined({ mode, context, max_output, dimensions, abilities, retires, source }),
    priceId: found.priceId,
  })
}

/** Answers with pages of the models whose price is known. Which those are is looked up once, when somebody asks. */
export const createPriceLister = (sources: PriceSources): ((asked: PricesAsked) => PricesFound) => {
  let known: readonly PricedName[] | undefined
  return ({ provider, search, offset, limit }) => {
    known ??= knownNames(sources)
    const words = search?.toLowerCase()
    const found = known.filter(
      (name) =>
        (provider === undefined || name.provider === provider) &&
        (words === undefined || `${name.provider}/${name.model}`.toLowerCase().includes(words)),
    )
    const rows = found.slice(offset, offset + limit).flatMap((name) => {
      const price = describePrice(sources, name.provider, name.model)
      return price === undefined ? [] : [{ ...name, price }]
    })
    return { rows, total: found.length }
  }
}

/** Those of the list, and those that only the operator's file has. */
const knownNames = (sources: PriceSources): readonly PricedName[] => {
  const own = Object.entries(sources.file).flatMap(([provider, models]) =>
    Object.keys(models).flatMap((model) =>
      model === OTHERS || sources.list.has(provider, model) ? [] : [{ provider, model }],
    ),
  )
  return [...sources.list.names(), ...own]
    .filter(({ provider, model }) => describePrice(sources, provider, model) !== undefined)
    .toSorted((left, right) => compare(left.provider, right.provider) || compare(left.model, right.model))
}

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/** Counts of the interface, which overlap with no other one, and the rate of each. */
const REQUEST = [
  ['input_tokens', 'request_token'],
  ['cache_read_tokens', 'cache_read_input_token'],
  ['cache_write_tokens', 'cache_write_input_token'],
] as const
const RESPONSE = [['output_tokens', 'response_token']] as const

const calculationOf = (prices: PayAsYouGo): PublicPrice['calculate'] => {
  const sumOf = (
    pairs: readonly (readonly [string, (typeof REQUEST | typeof RESPONSE)[number][1]])[],
  ): Calculation => ({
    operation: 'sum',
    operands: pairs
      .filter(([, rate]) => prices[rate] !== undefined)
      .map(([count, rate]) => ({ operation: 'multiply', operands: [{ value: count }, { value: `rates.${rate}` }] })),
  })
  const sellsTokens = prices.request_token !== undefined || prices.response_token !== undefined
  return sellsTokens ? { request: sumOf(REQUEST), response: sumOf(RESPONSE) } : undefined
}
