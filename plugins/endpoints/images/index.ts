import { defineEndpoint, type Endpoint, formBody, jsonBody, maybe, t } from '#kit'
import { usageFromMedia } from '#kit/provider'
import { imageAnswers } from './answers.ts'
import { imagesBought } from './bought.ts'
import { ImagesReply, imageFields, madeFields, PICTURES } from './fields.ts'

const generations = defineEndpoint({
  id: 'images',
  described: {
    operationId: 'createImage',
    summary: 'Make images of a text; with `stream: true` the answer is a stream of server-sent events.',
  },
  routes: [{ method: 'POST', path: '/images/generations' }],
  requestTypes: ['imageGenerate'],
  operation: 'image_generation',
  form: 'images',
  body: jsonBody(
    t.Object({ prompt: t.String(), ...madeFields, style: maybe(t.String()), moderation: maybe(t.String()) }),
  ),
  answer: { kind: 'events', schema: ImagesReply, form: imageAnswers('image_generation') },
  cache: 'simple',
  reads: ['prompt'],
  usageOf: ({ usage }) => usageFromMedia(usage),
  boughtBy: imagesBought,
})

const edits = defineEndpoint({
  id: 'image-edits',
  described: {
    operationId: 'createImageEdit',
    summary: 'Change images as a text says; with `stream: true` the answer is a stream of server-sent events.',
  },
  routes: [{ method: 'POST', path: '/images/edits' }],
  requestTypes: ['imageEdit'],
  operation: 'image_edit',
  form: 'image-edits',
  body: formBody(t.Object({ prompt: t.String(), ...madeFields, input_fidelity: maybe(t.String()) }), {
    image: { required: true, max: 16, types: PICTURES, description: 'One, or several as `image[]`.' },
    mask: { types: PICTURES, description: 'Where it is transparent the image is changed.' },
    markup: { types: PICTURES },
  }),
  answer: { kind: 'events', schema: ImagesReply, form: imageAnswers('image_edit') },
  reads: ['prompt'],
  usageOf: ({ usage }) => usageFromMedia(usage),
  boughtBy: imagesBought,
})

const variations = defineEndpoint({
  id: 'image-variations',
  described: { operationId: 'createImageVariation', summary: 'Make variations of an image.' },
  routes: [{ method: 'POST', path: '/images/variations' }],
  requestTypes: ['imageVariation'],
  operation: 'image_variation',
  form: 'image-variations',
  body: formBody(t.Object(imageFields), { image: { required: true, types: PICTURES } }),
  answer: { kind: 'json', schema: ImagesReply },
  usageOf: ({ usage }) => usageFromMedia(usage),
  boughtBy: imagesBought,
})

export const imageEndpoints: readonly Endpoint[] = [generations, edits, variations]
