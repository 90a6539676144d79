import { MAX_MODEL_CHARACTERS } from '#calls/config/model-name'
import { maybe, t, worded } from '#kit'

export const Model = worded(
  t.String({
    minLength: 1,
    maxLength: MAX_MODEL_CHARACTERS,
    description: 'Name of a model, or `@provider-slug/model`.',
  }),
  (value) =>
    typeof value === 'string' && value !== ''
      ? `must have at most ${MAX_MODEL_CHARACTERS} characters`
      : 'must be a string that is not empty',
)

/** A number of things. */
export const Count = t.Integer({ minimum: 0 })

/**
 * Parameters of all that a model writes. Only their types are checked, as a wrong one would surface as a puzzling error of some
 * provider. Ranges are left to the provider: they differ between providers and models, and it knows its own.
 */
export const written = {
  stream: maybe(t.Boolean({ default: false })),
  stream_options: maybe(t.Object({})),
  temperature: maybe(t.Number()),
  top_p: maybe(t.Number()),
  n: maybe(Count),
  max_tokens: maybe(Count),
  presence_penalty: maybe(t.Number()),
  frequency_penalty: maybe(t.Number()),
  seed: maybe(t.Integer()),
  user: maybe(t.String()),
  logit_bias: maybe(t.Object({})),
}
