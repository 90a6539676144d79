import { InvalidRequest, isRecord, UpstreamError, UpstreamInvalid } from '#kit'
import { type Adapter, type AdapterContext, filesOf, imageSize, nearestRatio, type ParamMap } from '#kit/provider'
import { editService, generateService, type Service } from './services.ts'

type Fields = Readonly<Record<string, unknown>>
type ServiceOf = (model: string) => Service
type Images = Adapter<'images'>

const RATIOS: readonly string[] = ['21:9', '16:9', '3:2', '5:4', '1:1', '4:5', '2:3', '9:16', '9:21']

const FORMATS: ReadonlySet<unknown> = new Set(['png', 'jpeg', 'webp'])

const STYLES: ReadonlySet<unknown> = new Set([
  'enhance',
  'anime',
  'photographic',
  'digital-art',
  'comic-book',
  'fantasy-art',
  'line-art',
  'analog-film',
  'neon-punk',
  'isometric',
  'low-poly',
  'origami',
  'modeling-compound',
  'cinematic',
  '3d-model',
  'pixel-art',
  'tile-texture',
])

/** Said elsewhere, or what happens anyway: nothing is lost. */
const elsewhere = (): Fields => ({})

const OWN = ['prompt', 'aspect_ratio', 'negative_prompt', 'seed', 'style_preset', 'strength', 'cfg_scale', 'grow_mask']
const OF_EDITS = ['mask', 'left', 'right', 'up', 'down', 'creativity', 'search_prompt', 'select_prompt']

const paramsFor = (serviceOf: ServiceOf, names: readonly string[]): ParamMap<Fields> => {
  const kept = (name: string) => (value: unknown, _request: Fields, context: AdapterContext) =>
    serviceOf(context.model).fields.has(name) ? { [name]: value } : undefined
  return {
    ...Object.fromEntries(names.map((name) => [name, kept(name)])),
    model: elsewhere,
    n: (n: unknown) => (Number(n) === 1 ? {} : undefined),
    size: (size: unknown, request: Fields, { model }: AdapterContext, report: (part: string) => void) => {
      const asked = imageSize(size)
      if (asked === undefined) return {}
      if (!serviceOf(model).fields.has('aspect_ratio') || request.aspect_ratio !== undefined) return undefined
      const { ratio, isExact } = nearestRatio(asked, RATIOS)
      if (!isExact) report('size')
      return { aspect_ratio: ratio }
    },
    style: (style: unknown, _request: Fields, { model }: AdapterContext) =>
      STYLES.has(style) && serviceOf(model).fields.has('style_preset') ? { style_preset: style } : undefined,
    output_format: (format: unknown) => (FORMATS.has(format) ? { output_format: format } : undefined),
    quality: (quality: unknown) => (quality === 'auto' ? {} : undefined),
    background: (background: unknown) => (background === 'auto' ? {} : undefined),
    // Images come in the answer, whole.
    response_format: (format: unknown) => (format === 'b64_json' ? {} : undefined),
    stream: elsewhere,
    user: null,
  }
}

/** The one image that a service works on. @throws InvalidRequest for several */
const toImage = (image: unknown): Fields => {
  const [first, ...others] = filesOf(image)
  if (first !== undefined && others.length === 0) return { image: first }
  throw new InvalidRequest('Stability AI works on one image.', { param: 'image' })
}

const modelField = ({ model }: Service): Fields => (model === undefined ? {} : { model })

/** The image of an answer. A blurred one is no image. */
const reply: NonNullable<Images['reply']> = (body, { created }) => {
  const { image, finish_reason: reason } = isRecord(body) ? body : {}
  if (reason === 'CONTENT_FILTERED') {
    throw new UpstreamError('The image was withheld by the content filter of Stability AI.', {
      provider: 'stability-ai',
      status: 400,
      type: 'invalid_request_error',
      wireCode: 'moderation_blocked',
    })
  }
  if (typeof image !== 'string' || image === '') {
    throw new UpstreamInvalid('The provider answered with no image.', { provider: 'stability-ai' })
  }
  return { reply: { created, data: [{ b64_json: image }] } }
}

const pathOf =
  (serviceOf: ServiceOf) =>
  ({ model }: AdapterContext): string =>
    `/stable-image${serviceOf(model).path}`

export const images: Images = {
  method: 'POST',
  path: pathOf(generateService),
  wire: 'own',
  sends: 'form',
  params: paramsFor(generateService, OWN),
  always: (_request, { model }) => modelField(generateService(model)),
  reply,
}

export const imageEdits: Adapter<'image-edits'> = {
  method: 'POST',
  path: pathOf(editService),
  wire: 'own',
  sends: 'form',
  params: { ...paramsFor(editService, [...OWN, ...OF_EDITS]), image: toImage },
  always: (_request, { model }) => {
    const service = editService(model)
    return service.model === undefined ? {} : { mode: 'image-to-image', model: service.model }
  },
  reply,
}
