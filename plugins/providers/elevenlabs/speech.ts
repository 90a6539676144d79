import { InvalidRequest, isRecord } from '#kit'
import type { Adapter, AdapterContext } from '#kit/provider'

/**
 * Its formats for those of OpenAI; it has no AAC and no FLAC. `pcm` is what it is at OpenAI: 24 kHz, 16 bits, one channel. Source:
 * TextToSpeechConvertRequestOutputFormat of @elevenlabs/elevenlabs-js 2.73.0, read 2026-11-22.
 */
const FORMATS: ReadonlyMap<unknown, string> = new Map([
  ['mp3', 'mp3_44100_128'],
  ['opus', 'opus_48000_128'],
  ['pcm', 'pcm_24000'],
  ['wav', 'wav_24000'],
])

const VOICE_SETTINGS = ['stability', 'similarity_boost', 'style', 'use_speaker_boost', 'speed'] as const

/** Speech in another voice, as it comes. @param voices ids by names in lower case; other names are ids themselves */
export const speechOf = (voices: ReadonlyMap<string, string>): Adapter<'speech'> => ({
  method: 'POST',
  path: ({ asked = {} }: AdapterContext) => {
    const format = formatOf(asked)
    const query = new URLSearchParams({ output_format: format })
    for (const name of ['enable_logging', 'optimize_streaming_latency']) {
      const value = asked[name]
      if (['boolean', 'number', 'string'].includes(typeof value)) query.set(name, String(value))
    }
    // A head says how long its sound is, so that WAV is not among the formats of the stream.
    const way = format.startsWith('wav') ? '' : '/stream'
    return `/text-to-speech/${voiceOf(asked.voice, voices)}${way}?${query}`
  },
  wire: 'own',
  params: {
    model: 'model_id',
    input: 'text',
    voice: () => ({}),
    response_format: (format, { output_format: own }) =>
      FORMATS.has(format) || typeof own === 'string' ? {} : undefined,
    output_format: () => ({}),
    enable_logging: () => ({}),
    optimize_streaming_latency: () => ({}),
    // "Values outside the 0.7-1.2 range are not supported" (voice/speed.mdx of elevenlabs-docs, read 2026-11-22).
    speed: { clamp: [0.7, 1.2], as: 'voice_settings.speed' },
    voice_settings: (settings: unknown) =>
      isRecord(settings)
        ? Object.fromEntries(VOICE_SETTINGS.map((name) => [`voice_settings.${name}`, settings[name] ?? undefined]))
        : undefined,
    language_code: true,
    seed: true,
    previous_text: true,
    next_text: true,
    previous_request_ids: true,
    next_request_ids: true,
    pronunciation_dictionary_locators: true,
    apply_text_normalization: true,
    apply_language_text_normalization: true,
    use_pvc_as_ivc: true,
    // Sound is all that it answers with; events are made of it here.
    stream_format: () => ({}),
  },
})

const formatOf = ({ output_format: own, response_format: format }: Readonly<Record<string, unknown>>): string =>
  typeof own === 'string' ? own : (FORMATS.get(format) ?? 'mp3_44100_128')

const voiceOf = (voice: unknown, voices: ReadonlyMap<string, string>): string => {
  const said = nameOf(voice)
  const id = voices.get(said.toLowerCase()) ?? said
  // Those would be another path.
  if (id === '' || id === '.' || id === '..') {
    throw new InvalidRequest('`voice` must be the name or the id of a voice.', { param: 'voice' })
  }
  return encodeURIComponent(id.toWellFormed())
}

const nameOf = (voice: unknown): string => {
  const name = isRecord(voice) ? voice.id : voice
  return typeof name === 'string' ? name : ''
}
