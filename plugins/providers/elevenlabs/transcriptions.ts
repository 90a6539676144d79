import { defined, isRecord, UpstreamInvalid } from '#kit'
import { type Adapter, type Heard, transcriptReply } from '#kit/provider'
import { timesOf } from './segments.ts'

const listed = (...names: readonly string[]): Readonly<Record<string, true>> =>
  Object.fromEntries(names.map((name) => [name, true]))

/**
 * Scribe. Words always come with their times; the formats of OpenAI are made of those. Source: types of @elevenlabs/elevenlabs-js
 * 2.73.0 (BodySpeechToTextV1SpeechToTextPost, SpeechToTextChunkResponseModel), read 2026-11-22.
 */
export const transcriptions: Adapter<'transcriptions'> = {
  method: 'POST',
  path: ({ asked }) => {
    const logging = asked?.enable_logging
    return `/speech-to-text${logging === false || logging === 'false' ? '?enable_logging=false' : ''}`
  },
  wire: 'own',
  sends: 'form',
  params: {
    model: 'model_id',
    file: true,
    language: 'language_code',
    languages: (languages: unknown) =>
      Array.isArray(languages) && languages.length === 1 ? { language_code: languages[0] } : undefined,
    keywords: 'keyterms',
    temperature: true,
    response_format: (format) => (format === 'diarized_json' ? { diarize: true } : {}),
    timestamp_granularities: () => ({}),
    // It cuts long sounds into pieces itself.
    chunking_strategy: (strategy) => (strategy === 'auto' ? {} : undefined),
    // It answers whole, and events are made of that here.
    stream: () => ({}),
    enable_logging: () => ({}),
    // One transcript, in which each word has its channel.
    use_multi_channel: (isOn: unknown) =>
      String(isOn) === 'true' ? { use_multi_channel: true, multichannel_output_style: 'combined' } : {},
    ...listed('diarize', 'diarization_threshold', 'num_speakers', 'detect_speaker_roles', 'use_speaker_library'),
    ...listed('entity_detection', 'entity_redaction', 'entity_redaction_mode', 'file_format', 'keyterms'),
    ...listed('no_verbatim', 'seed', 'tag_audio_events'),
  },
  reply: (body, _context, request) => {
    if (!isRecord(body) || typeof body.text !== 'string') {
      throw new UpstreamInvalid('The provider answered with no transcript.')
    }
    const { text, language_code: language, language_probability, audio_duration_secs: seconds, words, entities } = body
    const times = timesOf(words)
    const last = times.words.at(-1)?.end
    const heard: Heard = {
      text,
      ...times,
      ...defined({
        language: typeof language === 'string' ? language : undefined,
        duration: typeof seconds === 'number' ? seconds : last,
      }),
      more: defined({ language_probability, entities }),
    }
    return { reply: transcriptReply(heard, request) }
  },
}
