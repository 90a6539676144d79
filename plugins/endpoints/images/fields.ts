import { maybe, t } from '#kit'
import { Count, Model } from '../fields.ts'

/**
 * Parameters of images. Only their types are checked: which sizes and qualities there are is each model's own. Source: types of
 * openai-node 7.55.0 (resources/images.d.ts), generated from the API reference, read 2026-11-22.
 */
export const imageFields = {
  model: maybe(Model),
  n: maybe(Count),
  size: maybe(t.String({ description: '`1024x1024`, `auto`, or what else the model has.' })),
  response_format: maybe(t.String({ description: '`url` or `b64_json`, for models that leave the choice.' })),
  user: maybe(t.String()),
}

/** Parameters that newer models of generations and edits have in common. */
export const madeFields = {
  ...imageFields,
  quality: maybe(t.String()),
  background: maybe(t.String()),
  output_format: maybe(t.String()),
  output_compression: maybe(Count),
  partial_images: maybe(Count),
  safety_identifier: maybe(t.String()),
  stream: maybe(t.Boolean({ default: false })),
}

export const ImagesReply = t.Object({ created: t.Integer(), data: t.Array(t.Object({})) })

/** What a picture that is sent may be. */
export const PICTURES: readonly string[] = ['image/']
