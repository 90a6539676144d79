/**
 * What each service takes besides the common fields. Source: Stability AI's OpenAPI document of `v2beta` as tryAGI/StabilityAI has it
 * (openapi.yaml), read 2026-11-22; of `remove-background` the types of stability-ai 0.7.0 (npm), same day.
 */
import { InvalidRequest } from '#kit'

export interface Service {
  /** Below `/stable-image`. */
  readonly path: string
  readonly fields: ReadonlySet<string>
  /** For a service with several models: the one that is asked. */
  readonly model?: string
}

const service = (path: string, fields: string): Service => ({ path, fields: new Set(fields.split(' ')) })

const MADE = 'prompt aspect_ratio negative_prompt seed style_preset output_format'

const GENERATE: ReadonlyMap<string, Service> = new Map([
  ['core', service('/generate/core', MADE)],
  ['ultra', service('/generate/ultra', MADE)],
])

const EDIT: ReadonlyMap<string, Service> = new Map([
  ['ultra', service('/generate/ultra', `${MADE} image strength`)],
  ['erase', service('/edit/erase', 'image mask grow_mask seed output_format')],
  ['inpaint', service('/edit/inpaint', 'image prompt mask negative_prompt grow_mask seed output_format style_preset')],
  ['outpaint', service('/edit/outpaint', 'image left right up down creativity prompt seed output_format style_preset')],
  [
    'search-and-replace',
    service(
      '/edit/search-and-replace',
      'image prompt search_prompt negative_prompt grow_mask seed output_format style_preset',
    ),
  ],
  [
    'search-and-recolor',
    service(
      '/edit/search-and-recolor',
      'image prompt select_prompt negative_prompt grow_mask seed output_format style_preset',
    ),
  ],
  ['remove-background', service('/edit/remove-background', 'image output_format')],
])

const SD3 = `${MADE} cfg_scale`
/** The shape is that of the image. */
const SD3_FROM_IMAGE = 'prompt negative_prompt seed style_preset output_format cfg_scale image strength'

/** Stable Diffusion has a service for all its models. */
const isDiffusion = (name: string): boolean => name.startsWith('sd3')

/** `stable-image-core` is `core`, as catalogues of models write it. */
const nameOf = (model: string): string => model.replace(/^stable-image-/, '')

const refuse = (model: string, has: string): InvalidRequest =>
  new InvalidRequest(`Stability AI has no model '${model}' for this: it has ${has}.`, { param: 'model' })

/** @throws InvalidRequest for another model */
export const generateService = (model: string): Service => {
  const name = nameOf(model)
  if (isDiffusion(name)) return { ...service('/generate/sd3', SD3), model: name }
  const found = GENERATE.get(name)
  if (found === undefined) throw refuse(model, `${[...GENERATE.keys()].join(', ')} and sd3.5-*`)
  return found
}

/** @throws InvalidRequest for another model */
export const editService = (model: string): Service => {
  const name = nameOf(model)
  if (isDiffusion(name)) return { ...service('/generate/sd3', SD3_FROM_IMAGE), model: name }
  const found = EDIT.get(name)
  if (found === undefined) throw refuse(model, `${[...EDIT.keys()].join(', ')} and sd3.5-*`)
  return found
}
