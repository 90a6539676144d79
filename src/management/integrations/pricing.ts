import { Type as t } from '@sinclair/typebox'

const factor = t.Optional(t.Union([t.Number({ minimum: 0 }), t.Null()]))

const UNITS = [
  'default',
  'request_token',
  'response_token',
  'cache_read_input_token',
  'cache_write_input_token',
  'cache_read_audio_input_token',
  'request_audio_token',
  'response_audio_token',
  'reasoning_token',
  'prediction_accepted_token',
  'prediction_rejected_token',
  'request_image_token',
  'response_image_token',
  'request_text_token',
  'response_text_token',
  'cache_read_image_input_token',
  'cache_read_text_input_token',
  'cache_write_text_input_token',
  'cache_write_image_input_token',
] as const

/** Factors on the price list, for whoever pays another price: 0.8 is 20 % off (interface contract, section 1.7). */
export const PricingAdjustments = t.Object(
  {
    multiplier: t.Optional(
      t.Object({
        ...Object.fromEntries(UNITS.map((unit) => [unit, factor])),
        image: t.Optional(t.Union([t.Object({ default: factor }), t.Null()])),
        additional_units: t.Optional(
          t.Union([
            t.Record(t.String({ pattern: '^[a-z0-9_]{1,64}$' }), t.Number({ minimum: 0 }), {
              additionalProperties: false,
              maxProperties: 100,
            }),
            t.Null(),
          ]),
        ),
      }),
    ),
  },
  { description: 'Factors on the price list. What is missing falls back to `default`, then to 1.' },
)

const price = t.Optional(t.Object({ price: t.Number({ minimum: 0, description: 'US cents per token.' }) }))

export const PricingConfig = t.Object(
  { type: t.Literal('static'), pay_as_you_go: t.Object({ request_token: price, response_token: price }) },
  { description: 'Price of a model that the price list does not have, or another one than it says.' },
)
