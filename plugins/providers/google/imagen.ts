/**
 * Images of Imagen, the same at Vertex AI and at the Gemini API. Source: `generateImagesParametersToVertex` and
 * `generatedImageFromVertex` of @google/genai 2.32.0 and `generateImagesParametersToMldev` of 1.30.0, read 2026-11-22; the aspect
 * ratios are those of its `GenerateImagesConfig`. The client has it for Vertex AI alone by now: Google's notice (Gemini API,
 * "Deprecations", as public copies have it) ends Imagen 4 at the Gemini API with August 2026.
 */
import { isRecord, UpstreamError } from '#kit'
import { type Adapter, imageSize, type MadeImage, nearestRatio } from '#kit/provider'
import { throwError } from './failure.ts'
import { type Fields, textOf, unreadable } from './json.ts'
import { bareModel } from './model.ts'

type Images = Omit<Adapter<'images'>, 'path'>

const RATIOS: readonly string[] = ['1:1', '3:4', '4:3', '9:16', '16:9']

export const isImagen = (model: string): boolean => bareModel(model).startsWith('imagen')

/** Names of `output_format` that Imagen has. */
const TYPES: ReadonlySet<unknown> = new Set(['png', 'jpeg'])

/** Said elsewhere, or what happens anyway: nothing is lost. */
const elsewhere = (): Fields => ({})

/** The nearest shape; that it is another one is named. */
const toShape = (size: unknown, report: (name: string) => void): Fields => {
  const asked = imageSize(size)
  if (asked === undefined) return {}
  const { ratio, isExact } = nearestRatio(asked, RATIOS)
  if (!isExact) report('size')
  return { 'parameters.aspectRatio': ratio }
}

export const imagen: Images = {
  method: 'POST',
  wire: 'own',
  params: {
    model: elsewhere,
    prompt: (prompt) => ({ instances: [{ prompt }] }),
    n: (n) => (n === null || n === undefined ? {} : { 'parameters.sampleCount': n }),
    size: (size, _request, _context, report) => toShape(size, report),
    output_format: (format) =>
      TYPES.has(format) ? { 'parameters.outputOptions.mimeType': `image/${format}` } : undefined,
    output_compression: (quality) => ({ 'parameters.outputOptions.compressionQuality': quality }),
    // Images come in the answer, whole.
    response_format: (format) => (format === 'url' ? undefined : {}),
    stream: elsewhere,
    user: null,
  },
  reply: (body, { created }) => {
    throwError(body)
    if (!isRecord(body)) throw unreadable('it is no object')
    const made: readonly unknown[] = Array.isArray(body.predictions) ? body.predictions : []
    const data = made.flatMap((prediction): readonly MadeImage[] => {
      const { bytesBase64Encoded: image, prompt } = isRecord(prediction) ? prediction : {}
      if (typeof image !== 'string') return []
      return [typeof prompt === 'string' ? { b64_json: image, revised_prompt: prompt } : { b64_json: image }]
    })
    if (data.length > 0) return { reply: { created, data } }
    const reason = made.map((prediction) => (isRecord(prediction) ? textOf(prediction.raiFilteredReason) : undefined))
    throw new UpstreamError(reason.find((words) => words !== undefined) ?? 'All images were withheld by a filter.', {
      status: 400,
      type: 'invalid_request_error',
      wireCode: 'moderation_blocked',
    })
  },
}
