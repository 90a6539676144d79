/**
 * Images of Gemini's image models, by `generateContent`. Source: `GenerateContentConfig`, `ImageConfig` (its shapes and sizes) and
 * `imageConfigToMldev` of @google/genai 2.32.0; that text stays out with `responseModalities: ['IMAGE']`: rig-core 0.45.0
 * (providers/gemini/image_generation); read 2026-11-22. The Gemini API cannot choose the type of an image.
 */
import { isRecord } from '#kit'
import { type Adapter, type AdapterContext, base64Of, filesOf, imageSize, nearestRatio } from '#kit/provider'
import { type Fields, refuse } from './json.ts'
import { bareModel, modelPath } from './model.ts'
import { toImages } from './picture-answers.ts'

const RATIOS: readonly string[] = ['1:1', '2:3', '3:2', '3:4', '4:3', '9:16', '16:9', '21:9']

const RATIO = 'generationConfig.imageConfig.aspectRatio'
const SIZE = 'generationConfig.imageConfig.imageSize'

type Report = (part: string) => void

/** Said elsewhere, or what happens anyway: nothing is lost. */
const elsewhere = (): Fields => ({})

const orAuto = (value: unknown): Fields | undefined => (value === 'auto' ? {} : undefined)

/** Models of Gemini 2.5 have one size. */
const hasSizes = (model: string): boolean => !bareModel(model).startsWith('gemini-2')

const toShape = (size: unknown, _request: unknown, { model }: AdapterContext, report: Report): Fields => {
  const asked = imageSize(size)
  if (asked === undefined) return {}
  const { ratio, isExact } = nearestRatio(asked, RATIOS)
  if (!isExact) report('size')
  const side = Math.max(asked.width, asked.height)
  const large = side >= 4096 ? '4K' : side >= 2048 ? '2K' : undefined
  if (large === undefined) return { [RATIO]: ratio }
  if (hasSizes(model)) return { [RATIO]: ratio, [SIZE]: large }
  report('size')
  return { [RATIO]: ratio }
}

/** `{aspect_ratio, image_size}`, as clients of Gemini's images write it; it goes before `size`. */
const toImageConfig = (config: unknown): Fields => {
  if (!isRecord(config)) throw refuse('image_config', '`image_config` must be an object.')
  return { [RATIO]: config.aspect_ratio, [SIZE]: config.image_size }
}

const toSeed = (seed: unknown): Fields => {
  if (!Number.isInteger(Number(seed))) throw refuse('seed', '`seed` must be an integer.')
  return { 'generationConfig.seed': Number(seed) }
}

const asks = (parts: readonly Fields[]): Fields => ({
  contents: [{ role: 'user', parts }],
  'generationConfig.responseModalities': ['IMAGE'],
})

const common = {
  model: elsewhere,
  n: (n: number): Fields | undefined => (n === 1 ? {} : undefined),
  size: (size: unknown, request: Fields, context: AdapterContext, report: Report): Fields | undefined =>
    request.image_config === undefined ? toShape(size, request, context, report) : undefined,
  image_config: toImageConfig,
  seed: toSeed,
  safety_settings: (settings: unknown): Fields => ({ safetySettings: settings }),
  quality: orAuto,
  background: orAuto,
  // Images come in the answer, whole.
  response_format: (format: unknown): Fields | undefined => (format === 'b64_json' ? {} : undefined),
  stream: elsewhere,
  user: null,
}

const path = ({ model }: AdapterContext): string => `${modelPath(model)}:generateContent`

export const images: Adapter<'images'> = {
  method: 'POST',
  path,
  wire: 'own',
  params: { ...common, moderation: orAuto, prompt: (prompt) => asks([{ text: prompt }]) },
  reply: toImages,
}

export const imageEdits: Adapter<'image-edits'> = {
  method: 'POST',
  path,
  wire: 'own',
  sends: 'json',
  params: {
    ...common,
    prompt: (prompt, { image }) =>
      asks([
        ...filesOf(image).map((file) => ({ inlineData: { mimeType: file.type || 'image/png', data: base64Of(file) } })),
        { text: prompt },
      ]),
    image: elsewhere,
    mask: null,
  },
  reply: toImages,
}
