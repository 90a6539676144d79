import { defined } from '#core/defined'
import type { ModelFacts, PayAsYouGo } from '#core/price-form'
import type { Calculation, PublicPrice } from '#core/prices'
import { type PriceSources, publicPrice } from './find-price.ts'

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
