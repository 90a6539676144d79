import { isRecord, UpstreamError } from '#kit'
import {
  type Adapter,
  type AdapterContext,
  type ImagesRequest,
  imageSize,
  type MadeImage,
  nearestRatio,
} from '#kit/provider'
import { modelOf, modelPath } from './models.ts'
import { unreadable } from './reply.ts'

/**
 * Images at InvokeModel: of Amazon (Nova Canvas, Titan) as `TEXT_IMAGE`, of Stability AI by prompt and aspect ratio. Forms as in the
 * examples of AWS (awsdocs/aws-doc-sdk-examples, "Bedrock-runtime": Amazon Nova Canvas, Amazon Titan Image Generator, Stable Image
 * Core) and in public clients of the models, read 2026-11-22. Both answer with `images` in base64.
 */
const isStability = (model: string): boolean => modelOf(model).maker === 'stability'

/** Said in `always`, or what happens anyway. */
const elsewhere = () => ({})

const QUALITIES: Readonly<Record<string, string>> = {
  standard: 'standard',
  hd: 'premium',
  medium: 'standard',
  high: 'premium',
}

const STABILITY_RATIOS: readonly string[] = ['16:9', '1:1', '21:9', '2:3', '3:2', '4:5', '5:4', '9:16', '9:21']

export const images: Adapter<'images'> = {
  method: 'POST',
  path: ({ model }) => `${modelPath(model)}/invoke`,
  wire: 'own',
  params: {
    model: elsewhere,
    prompt: elsewhere,
    n: (n, _request, { model }) => (n === 1 || !isStability(model) ? {} : undefined),
    size: (size, _request, { model }, report) => {
      const asked = imageSize(size)
      if (asked !== undefined && isStability(model) && !nearestRatio(asked, STABILITY_RATIOS).isExact) report('size')
      return {}
    },
    quality: (quality, _request, { model }) =>
      quality === 'auto' || (!isStability(model) && Object.hasOwn(QUALITIES, quality)) ? {} : undefined,
    output_format: (format, _request, { model }) => (format === 'png' || isStability(model) ? {} : undefined),
    // Images come in the answer.
    response_format: (format) => (format === 'b64_json' ? {} : undefined),
    // A stream is made of the whole answer, where one was asked for.
    stream: elsewhere,
    seed: elsewhere,
    negative_prompt: elsewhere,
    user: null,
  },
  always: (request, { model }) => (isStability(model) ? stability(request) : amazon(request)),
  reply: (body, { created }: AdapterContext) => {
    if (!isRecord(body)) throw unreadable('something that is not a JSON object')
    const made: readonly unknown[] = Array.isArray(body.images) ? body.images : []
    const data = made.flatMap((image): readonly MadeImage[] =>
      typeof image === 'string' && image !== '' ? [{ b64_json: image }] : [],
    )
    if (data.length > 0) return { reply: { created, data } }
    const reasons: readonly unknown[] = Array.isArray(body.finish_reasons) ? body.finish_reasons : []
    const reason = [body.error, ...reasons].find((words) => typeof words === 'string' && words !== '')
    if (reason === undefined) throw unreadable('no images')
    throw new UpstreamError(String(reason), {
      status: 400,
      type: 'invalid_request_error',
      wireCode: 'moderation_blocked',
      provider: 'bedrock',
    })
  },
}

const seedOf = ({ seed }: ImagesRequest): Readonly<Record<string, unknown>> =>
  typeof seed === 'number' ? { seed } : {}

const amazon = (request: ImagesRequest): Record<string, unknown> => {
  const { prompt, n, quality, negative_prompt: without } = request
  const config = {
    ...(typeof n === 'number' ? { numberOfImages: n } : {}),
    ...imageSize(request.size),
    ...(typeof quality === 'string' && Object.hasOwn(QUALITIES, quality) ? { quality: QUALITIES[quality] } : {}),
    ...seedOf(request),
  }
  return {
    taskType: 'TEXT_IMAGE',
    textToImageParams: { text: prompt, ...(typeof without === 'string' ? { negativeText: without } : {}) },
    ...(Object.keys(config).length === 0 ? {} : { imageGenerationConfig: config }),
  }
}

const stability = (request: ImagesRequest): Record<string, unknown> => {
  const { prompt, output_format: format, negative_prompt: without } = request
  const size = imageSize(request.size)
  return {
    prompt,
    mode: 'text-to-image',
    ...(size === undefined ? {} : { aspect_ratio: nearestRatio(size, STABILITY_RATIOS).ratio }),
    ...(typeof format === 'string' ? { output_format: format } : {}),
    ...(typeof without === 'string' ? { negative_prompt: without } : {}),
    ...seedOf(request),
  }
}
