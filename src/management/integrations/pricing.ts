import { Type as t } from '@sinclair/typebox'
import { PayAsYouGo } from '../../core/price-form.ts'

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

export const PricingConfig = t.Object(
  { type: t.Literal('static'), pay_as_you_go: PayAsYouGo },
  {
    description:
      'Price of a model that the price list does not have, or another one than it says. Tokens of the cache, of sound and of images cost what the others do, where nothing else is said.',
  },
)
