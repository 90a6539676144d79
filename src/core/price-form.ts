import { type Static, Type as t } from '@sinclair/typebox'

/** A price as the interface writes it (contract 5.5). The bound keeps what a call costs far within what a number can hold. */
export const Price = t.Object({
  price: t.Number({ minimum: 0, maximum: 1_000_000, description: 'US cents for one.' }),
})
export type Price = Static<typeof Price>

const price = (what: string) => t.Optional({ ...Price, description: `One ${what}.` })

/** What is sold besides the tokens that have a field of their own. */
const UNITS = {
  thinking_token: price('token spent on reasoning, where that costs something else than an answer'),
  image_token: price('token of images in the answer'),
  request_image_token: price('token of images in the request'),
  cache_write_1h_input_token: price('token written to the cache for an hour'),
  web_search: price('search of the web'),
  web_fetch: price('page that was fetched'),
  file_search: price('search of files'),
  code_interpreter: price('session of an interpreter'),
  source: price('document that a search has found'),
  input_image: price('image in the request, where it is not counted as tokens'),
  pixel: price('pixel of an image that is made'),
  second: price('second of sound or video, heard or made'),
  character: price('character that is said'),
  page: price('page that is read'),
  query: price('question to a reranker or search'),
}
export type PricedUnit = keyof typeof UNITS

/** Of the maps that people write themselves. */
const closed = { additionalProperties: false, minProperties: 1, maxProperties: 100 }
const WORD = '^[A-Za-z0-9_.:-]{1,64}$'

/** Prices of a model, or of one of its tiers. */
export const PayAsYouGo = t.Object({
  request_token: price('token of the request'),
  response_token: price('token of the answer'),
  cache_write_input_token: price('token written to the cache of the provider'),
  cache_read_input_token: price('token read from it'),
  request_audio_token: price('token of sound in the request'),
  response_audio_token: price('token of sound in the answer'),
  cache_read_audio_input_token: price('token of sound read from the cache'),
  additional_units: t.Optional(t.Object(UNITS)),
  image: t.Optional(
    t.Record(t.String({ pattern: WORD }), t.Record(t.String({ pattern: WORD }), Price, closed), {
      ...closed,
      description: 'One image that is made, by quality, then by size; `default` stands for any.',
    }),
  ),
})
export type PayAsYouGo = Static<typeof PayAsYouGo>

export const SERVICE_TIERS = ['batch', 'flex', 'priority'] as const
export type ServiceTier = (typeof SERVICE_TIERS)[number]

const tier = t.Object({ pay_as_you_go: PayAsYouGo })

/** What a model costs, whole. */
export const ModelPrice = t.Object({
  /** Absent for a model that is sold in tiers only, or of which no price is known. */
  pay_as_you_go: t.Optional(PayAsYouGo),
  context_tiers: t.Optional(
    t.Array(t.Object({ above_input_tokens: t.Integer({ minimum: 1 }), pay_as_you_go: PayAsYouGo }), {
      maxItems: 10,
      description: 'Prices of a whole call whose request has more tokens than that.',
    }),
  ),
  service_tiers: t.Optional(
    t.Object(
      { batch: t.Optional(tier), flex: t.Optional(tier), priority: t.Optional(tier) },
      { description: 'Prices of calls that are served later, or sooner, than others.' },
    ),
  ),
  currency: t.Optional(t.Literal('USD')),
  finetune_config: t.Optional(
    t.Object({ pay_per_token: t.Optional(Price), pay_per_hour: t.Optional(Price) }, { description: 'Training.' }),
  ),
})
export type ModelPrice = Static<typeof ModelPrice>

/** What is known of a model besides its price. Sizes in tokens. */
export interface ModelFacts {
  /** What it is for: `chat`, `embedding`, `image`, … */
  readonly mode?: string
  readonly context?: number
  readonly max_output?: number
  readonly dimensions?: number
  readonly abilities?: readonly string[]
  /** Date from which the provider serves it no more. */
  readonly retires?: string
  /** Page of the provider that says so. */
  readonly source?: string
}
