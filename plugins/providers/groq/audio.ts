/**
 * Sound at Groq, in OpenAI's form with fewer formats. Source: types of groq-sdk 1.6.0 (resources/audio), read 2026-11-22.
 */
import { type Adapter, type Provider, transcriptFormats } from '#kit/provider'

const listed = (...names: readonly string[]): Readonly<Record<string, true>> =>
  Object.fromEntries(names.map((name) => [name, true]))

const speech: Adapter<'speech'> = {
  method: 'POST',
  path: '/audio/speech',
  wire: 'native',
  params: {
    ...listed('model', 'input', 'voice', 'response_format', 'speed', 'sample_rate'),
    // Sound is all that it answers with; events are made of it here.
    stream_format: () => ({}),
  },
  unlisted: 'drop',
}

const RESPONSE_FORMAT = transcriptFormats(['json', 'text', 'verbose_json'])

const transcriptions: Adapter<'transcriptions'> = {
  method: 'POST',
  path: '/audio/transcriptions',
  wire: 'native',
  params: {
    ...listed('model', 'file', 'url', 'language', 'prompt', 'temperature', 'timestamp_granularities'),
    response_format: RESPONSE_FORMAT,
    stream: () => ({}),
  },
  unlisted: 'drop',
}

const translations: Adapter<'translations'> = {
  method: 'POST',
  path: '/audio/translations',
  wire: 'native',
  params: { ...listed('model', 'file', 'url', 'prompt', 'temperature'), response_format: RESPONSE_FORMAT },
  unlisted: 'drop',
}

export const audio: Provider['endpoints'] = { speech, transcriptions, translations }
