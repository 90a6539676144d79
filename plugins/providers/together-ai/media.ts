/**
 * Images and sound at Together AI. Source: types of together-ai 0.52.0 (resources/images.d.ts, resources/audio), read 2026-11-22.
 */
import { isRecord, UpstreamInvalid } from '#kit'
import { type Adapter, type MadeImage, type Provider, transcriptFormats } from '#kit/provider'

const listed = (...names: readonly string[]): Readonly<Record<string, true>> =>
  Object.fromEntries(names.map((name) => [name, true]))

/** `1024x768`; `auto` is what happens without. */
const SIZE = /^(\d{1,5})x(\d{1,5})$/

const images: Adapter<'images'> = {
  method: 'POST',
  path: '/images/generations',
  wire: 'own',
  params: {
    ...listed('model', 'prompt', 'n', 'output_format', 'height', 'width', 'steps', 'seed', 'guidance_scale'),
    ...listed('negative_prompt', 'image_url', 'reference_images', 'image_loras', 'disable_safety_checker'),
    size: (size) => {
      const [, width, height] = SIZE.exec(size) ?? []
      if (width !== undefined && height !== undefined) return { width: Number(width), height: Number(height) }
      return size === 'auto' ? {} : undefined
    },
    response_format: (format) => ({ response_format: format === 'b64_json' ? 'base64' : format }),
    // It answers whole, and events are made of that here.
    stream: () => ({}),
    user: () => ({}),
  },
  // Events hold pictures, not addresses.
  always: ({ stream }) => (stream === true ? { response_format: 'base64' } : {}),
  reply: (body, { created }) => {
    if (!isRecord(body) || !Array.isArray(body.data) || body.data.length === 0) {
      throw new UpstreamInvalid('The provider answered with no image.')
    }
    const data = body.data.flatMap((image): MadeImage[] => {
      if (!isRecord(image)) return []
      if (typeof image.b64_json === 'string') return [{ b64_json: image.b64_json }]
      return typeof image.url === 'string' ? [{ url: image.url }] : []
    })
    if (data.length === 0) throw new UpstreamInvalid('The provider answered with no image.')
    return { reply: { created, data } }
  },
}

const speech: Adapter<'speech'> = {
  method: 'POST',
  path: '/audio/speech',
  wire: 'native',
  params: {
    ...listed('model', 'input', 'voice', 'language', 'bit_rate', 'extra_params', 'response_encoding', 'sample_rate'),
    response_format: (format) =>
      format === 'pcm' ? { response_format: 'raw', response_encoding: 'pcm_s16le' } : { response_format: format },
    stream_format: () => ({}),
  },
  unlisted: 'drop',
}

const TRANSCRIPT_PARAMS = {
  ...listed('model', 'file', 'language', 'prompt', 'temperature', 'timestamp_granularities'),
  ...listed('diarize', 'min_speakers', 'max_speakers'),
  response_format: transcriptFormats(['json', 'verbose_json']),
  stream: () => ({}),
}

const transcriptions: Adapter<'transcriptions'> = {
  method: 'POST',
  path: '/audio/transcriptions',
  wire: 'native',
  params: TRANSCRIPT_PARAMS,
  unlisted: 'drop',
}

const translations: Adapter<'translations'> = {
  method: 'POST',
  path: '/audio/translations',
  wire: 'native',
  params: TRANSCRIPT_PARAMS,
  unlisted: 'drop',
}

export const media: Provider['endpoints'] = { images, speech, transcriptions, translations }
