import { Type as t } from '@sinclair/typebox'
import { ModelPrice, PayAsYouGo } from '../../core/price-form.ts'
import { pageQuery } from '../list.ts'

export const PriceQuery = t.Object({
  details: t.Optional(
    t.Boolean({ description: 'True: with the prices of tiers, and what else is known of the model.' }),
  ),
})

const { context_tiers, service_tiers, finetune_config } = ModelPrice.properties

const Calculation = t.Record(t.String(), t.Unknown(), {
  description:
    'A tree: `{operation: "sum" | "multiply", operands: [...]}`, its leaves `{value: "input_tokens" | "rates.request_token" | ...}`.',
})

/** What the interface says a price is, and below it what Weir knows besides. */
export const PriceAnswer = t.Object({
  pay_as_you_go: PayAsYouGo,
  calculate: t.Optional(
    t.Object(
      { request: Calculation, response: Calculation },
      { description: 'How a cost is made of counts and rates. Tokens that were cached are not among `input_tokens`.' },
    ),
  ),
  currency: t.Literal('USD'),
  finetune_config,
  context_tiers,
  service_tiers,
  price_id: t.Optional(t.String({ description: 'Where the price is from: `file`, or the date of the list.' })),
  model: t.Optional(
    t.Object(
      {
        mode: t.Optional(t.String({ description: '`chat`, `embedding`, `image`, ...' })),
        context: t.Optional(t.Integer({ description: 'Tokens of a request and its answer.' })),
        max_output: t.Optional(t.Integer({ description: 'Tokens of an answer.' })),
        dimensions: t.Optional(t.Integer({ description: 'Numbers of a vector.' })),
        abilities: t.Optional(t.Array(t.String())),
        retires: t.Optional(t.String({ format: 'date', description: 'It is not served from then on.' })),
        source: t.Optional(t.String({ format: 'uri', description: 'Page of the provider.' })),
      },
      { description: 'What else is known.' },
    ),
  ),
})

export const PricesQuery = t.Object({
  provider: t.Optional(t.String({ minLength: 1, maxLength: 64, description: 'Id of a provider.' })),
  search: t.Optional(
    t.String({ minLength: 1, maxLength: 128, description: 'A part of `provider/model`, in either case.' }),
  ),
  ...pageQuery(50, 500),
})

/** A price with the model that has it. */
export const ListedPrice = t.Object({ provider: t.String(), model_slug: t.String(), ...PriceAnswer.properties })

export const PriceMissing = t.Object({ error: t.String() })
