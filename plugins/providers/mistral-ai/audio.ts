/**
 * Sound at Mistral AI. Source: @mistralai/mistralai 2.7.0, generated from its OpenAPI document (audiotranscriptionrequest,
 * transcriptionresponse, transcriptionstreamdone, speechrequest, speechv1audiospeechpost), read 2026-11-22.
 */
import { isRecord, parseJson, StreamTruncated, UpstreamError, UpstreamInvalid, type Usage } from '#kit'
import {
  type Adapter,
  type MediaUsage,
  type Provider,
  type StreamMachine,
  type TranscriptEvent,
  type TranscriptReply,
  type TranscriptSegment,
  usageFromOpenAI,
} from '#kit/provider'

type Fields = Readonly<Record<string, unknown>>

/** Formats whose pieces have times. */
const TIMED: ReadonlySet<unknown> = new Set(['srt', 'vtt', 'verbose_json'])

const usageOf = (usage: unknown): MediaUsage | undefined => {
  const read = usageFromOpenAI(usage)
  if (read === undefined) return undefined
  const { inputTokens, outputTokens, totalTokens } = read
  return { type: 'tokens', input_tokens: inputTokens, output_tokens: outputTokens, total_tokens: totalTokens }
}

const withUsage = (usage: MediaUsage | undefined): { readonly usage?: MediaUsage } =>
  usage === undefined ? {} : { usage }

const segmentsOf = (segments: unknown): readonly TranscriptSegment[] =>
  (Array.isArray(segments) ? segments : []).flatMap((segment: unknown, id): TranscriptSegment[] => {
    if (!isRecord(segment)) return []
    const { text, start, end, speaker_id: speaker } = segment
    if (typeof text !== 'string' || typeof start !== 'number' || typeof end !== 'number') return []
    return [{ id, start, end, text, ...(typeof speaker === 'string' ? { speaker } : {}) }]
  })

const transcriptOf = (body: unknown): TranscriptReply => {
  if (!isRecord(body) || typeof body.text !== 'string') {
    throw new UpstreamInvalid('The provider answered with no transcript.')
  }
  const segments = segmentsOf(body.segments)
  const end = segments.at(-1)?.end
  return {
    text: body.text,
    ...(typeof body.language === 'string' ? { language: body.language } : {}),
    ...(end === undefined ? {} : { duration: end, segments }),
    ...withUsage(usageOf(body.usage)),
  }
}

const transcriptions: Adapter<'transcriptions'> = {
  method: 'POST',
  path: '/audio/transcriptions',
  wire: 'own',
  sends: 'form',
  params: {
    model: true,
    file: true,
    language: true,
    temperature: true,
    timestamp_granularities: true,
    diarize: true,
    keywords: 'context_bias',
    stream: (stream) => (stream ? { stream } : {}),
    response_format: (format, { timestamp_granularities: asked }) =>
      TIMED.has(format) && asked == null ? { timestamp_granularities: ['segment'] } : {},
  },
  reply: (body) => ({ reply: transcriptOf(body), ...reported(body) }),
  stream: () => transcriptMachine(),
}

const reported = (body: unknown): { readonly usage?: Usage } => {
  const usage = isRecord(body) ? usageFromOpenAI(body.usage) : undefined
  return usage === undefined ? {} : { usage }
}

const transcriptMachine = (): StreamMachine<TranscriptEvent> => {
  let usage: Usage | undefined
  let isDone = false
  return {
    push({ data }) {
      if (data.trim() === '' || data.trim() === '[DONE]') return []
      const body = readEvent(data)
      if (body.type === 'transcription.text.delta' && typeof body.text === 'string') {
        return [{ type: 'transcript.text.delta', delta: body.text }]
      }
      if (body.error !== undefined || body.type === 'error') throw new UpstreamError('The provider broke off.')
      if (body.type !== 'transcription.done') return []
      isDone = true
      usage = usageFromOpenAI(body.usage)
      const { text } = transcriptOf(body)
      return [{ type: 'transcript.text.done', text, ...withUsage(usageOf(body.usage)) }]
    },
    end() {
      if (!isDone) throw new StreamTruncated('The stream of the provider ended before the answer was complete.')
      return []
    },
    usage: () => usage,
    complete: () => isDone,
  }
}

const readEvent = (data: string): Fields => {
  try {
    const body: unknown = parseJson(data)
    return isRecord(body) ? body : {}
  } catch (cause) {
    throw new UpstreamInvalid('The provider sent an event that is not JSON.', { cause })
  }
}

/** Content types of its formats; `pcm` has samples of 32 bits. */
const TYPES: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  opus: 'audio/ogg',
  pcm: 'audio/pcm',
}

const speech: Adapter<'speech'> = {
  method: 'POST',
  path: '/audio/speech',
  wire: 'own',
  params: {
    model: true,
    input: true,
    voice: (voice) => ({ voice_id: typeof voice === 'string' ? voice : voice.id }),
    response_format: (format) => (Object.hasOwn(TYPES, format) ? { response_format: format } : undefined),
    ref_audio: true,
    metadata: true,
    // It answers whole, and events are made of that here.
    stream_format: () => ({}),
  },
  reply: (body, _context, { response_format: format }) => {
    const audio = isRecord(body) ? body.audio_data : undefined
    if (typeof audio !== 'string' || audio === '') throw new UpstreamInvalid('The provider answered with no sound.')
    const type = TYPES[typeof format === 'string' ? format : 'mp3'] ?? 'audio/mpeg'
    return { reply: { type, bytes: Buffer.from(audio, 'base64') } }
  },
}

export const audio: Provider['endpoints'] = { speech, transcriptions }
