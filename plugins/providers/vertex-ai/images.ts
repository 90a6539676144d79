/**
 * Images of Imagen. Source: `generateImagesParametersToVertex` and `generatedImageFromVertex` of @google/genai 2.32.0, read
 * 2026-11-22; the aspect ratios are those of its `GenerateImagesConfig`.
 */
import { InvalidRequest, isRecord, UpstreamError } from '#kit'
import type { Adapter, MadeImage } from '#kit/provider'
import { throwError } from '../google/failure.ts'
import { type Fields, textOf, unreadable } from '../google/json.ts'

type Images = Omit<Adapter<'images'>, 'path'>

const RATIOS: readonly (readonly [name: string, value: number])[] = [
  ['1:1', 1],
  ['3:4', 3 / 4],
  ['4:3', 4 / 3],
  ['9:16', 9 / 16],
  ['16:9', 16 / 9],
]

/** Names of `output_format` that Imagen has. */
const TYPES: ReadonlySet<unknown> = new Set(['png', 'jpeg'])

/** Said elsewhere, or what happens anyway: nothing is lost. */
const elsewhere = (): Fields => ({})

/** The nearest shape; that it is another one is named. */
const toShape = (size: unknown, report: (name: string) => void): Fields => {
  if (size === 'auto' || size === null || size === undefined) return {}
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(String(size)) ?? []
  const asked = Number(width) / Number(height)
  if (!(asked > 0 && Number.isFinite(asked))) {
    throw new InvalidRequest('`size` must be a width and a height, such as `1024x1024`, or `auto`.', { param: 'size' })
  }
  const distance = (value: number): number => Math.abs(Math.log(value / asked))
  const [name, value] = RATIOS.reduce((best, each) => (distance(each[1]) < distance(best[1]) ? each : best))
  if (Math.abs(value - asked) > 0.001) report('size')
  return { 'parameters.aspectRatio': name }
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
