/**
 * Speech of Gemini's TTS models, by `generateContent`. Source: `SpeechConfig`, `VoiceConfig` and `SpeechMetadata` of @google/genai 2.32.0;
 * page "Speech generation" of ai.google.dev (samples of 16 bits at 24 kHz, to be written with a head of WAV); public clients
 * (`audio/L16;codec=pcm;rate=24000` of the older models, `audio/wav` since 3.8); read 2026-11-22.
 */
import type { Adapter, AdapterContext, SpeechReply, SpeechRequest } from '#kit/provider'
import { type Fields, unreadable } from './json.ts'
import { modelPath } from './model.ts'
import { type Blob, blobsOf, mediaUsageOf, reported } from './picture-answers.ts'
import { takesStyle, voiceName } from './voices.ts'
import { samplesOf, toWav } from './wav.ts'

const FORMATS: ReadonlySet<unknown> = new Set(['wav', 'pcm'])
const DEFAULT_RATE = 24_000

/** Said elsewhere, or what happens anyway: nothing is lost. */
const elsewhere = (): Fields => ({})

const toContents = (input: string, { instructions }: SpeechRequest, { model }: AdapterContext): Fields => {
  const hasStyle = typeof instructions === 'string' && instructions !== '' && takesStyle(model)
  const part = { text: input, ...(hasStyle ? { speechMetadata: { style: instructions } } : {}) }
  return { contents: [{ role: 'user', parts: [part] }], 'generationConfig.responseModalities': ['AUDIO'] }
}

const VOICE = 'generationConfig.speechConfig.voiceConfig'

const rateOf = (type: string): number => Number(/;\s*rate=(\d{4,6})(?:;|$)/.exec(type)?.[1] ?? DEFAULT_RATE)

/** @throws UpstreamInvalid for sound that nothing can be made of */
const soundOf = ({ type, data }: Blob, format: unknown): SpeechReply => {
  const bytes = Buffer.from(data, 'base64')
  const kind = type.split(';', 1)[0]?.toLowerCase()
  const isPcm = kind === 'audio/l16' || kind === 'audio/pcm'
  if (!isPcm && kind !== 'audio/wav') return { type, bytes }
  if (format === 'pcm') {
    const samples = isPcm ? bytes : samplesOf(bytes)
    if (samples === undefined) throw unreadable('its sound is no WAV file')
    return { type: 'audio/pcm', bytes: samples }
  }
  return { type: 'audio/wav', bytes: isPcm ? toWav({ bytes, rate: rateOf(type) }) : bytes }
}

export const speech: Adapter<'speech'> = {
  method: 'POST',
  path: ({ model }) => `${modelPath(model)}:generateContent`,
  wire: 'own',
  params: {
    model: elsewhere,
    input: toContents,
    voice: (voice) =>
      typeof voice === 'string'
        ? { [`${VOICE}.prebuiltVoiceConfig.voiceName`]: voiceName(voice) }
        : { [`${VOICE}.voice`]: voice.id },
    instructions: (_instructions, _request, { model }) => (takesStyle(model) ? {} : undefined),
    language: (language: string) => ({ 'generationConfig.speechConfig.languageCode': language }),
    // What it has is WAV, and samples.
    response_format: (format) => (FORMATS.has(format) ? {} : undefined),
    speed: (speed) => (speed === 1 ? {} : undefined),
    // It answers whole, and events are made of that here.
    stream_format: elsewhere,
  },
  reply: (body, _context, { response_format: format }) => {
    const [sound, ...more] = blobsOf(body, 'audio/')
    if (sound === undefined || more.length > 0) throw unreadable('its sound is in several pieces')
    return { reply: soundOf(sound, format), ...reported(mediaUsageOf(body)) }
  },
}
