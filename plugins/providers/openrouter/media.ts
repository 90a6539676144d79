/**
 * Images and sound at OpenRouter. Source: types of @openrouter/sdk 1.3.19 (imagegenerationrequest.d.ts, speechrequest.d.ts,
 * createaudiotranscriptionsmultipart.d.ts), read 2026-11-22.
 */
import { type Adapter, type Provider, transcriptFormats } from '#kit/provider'

const listed = (...names: readonly string[]): Readonly<Record<string, true>> =>
  Object.fromEntries(names.map((name) => [name, true]))

const images: Adapter<'images'> = {
  method: 'POST',
  path: '/images',
  wire: 'native',
  params: {
    ...listed('model', 'prompt', 'n', 'size', 'quality', 'background', 'output_format', 'output_compression', 'stream'),
    ...listed('aspect_ratio', 'resolution', 'seed', 'input_references', 'provider', 'session_id', 'trace', 'user'),
    // Pictures come in the answer, whatever is asked for.
    response_format: (format) => (format === 'b64_json' ? {} : undefined),
  },
  unlisted: 'drop',
}

const speech: Adapter<'speech'> = {
  method: 'POST',
  path: '/audio/speech',
  wire: 'native',
  params: {
    ...listed('model', 'input', 'voice', 'speed', 'response_format', 'input_references', 'provider', 'session_id'),
    ...listed('trace', 'user'),
    stream_format: () => ({}),
  },
  unlisted: 'drop',
}

const transcriptions: Adapter<'transcriptions'> = {
  method: 'POST',
  path: '/audio/transcriptions',
  wire: 'native',
  params: {
    ...listed('model', 'file', 'language', 'temperature', 'timestamp_granularities', 'session_id', 'trace', 'user'),
    response_format: transcriptFormats(['json', 'verbose_json']),
    stream: () => ({}),
  },
  unlisted: 'drop',
}

export const media: Provider['endpoints'] = { images, speech, transcriptions }
