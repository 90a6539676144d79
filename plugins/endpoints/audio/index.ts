import { defineEndpoint, type Endpoint, formBody, jsonBody, maybe, t, worded } from '#kit'
import { usageFromMedia } from '#kit/provider'
import { Model } from '../fields.ts'
import { charactersSaid, secondsHeard } from './bought.ts'
import { SOUNDS, soundFields, Transcript } from './fields.ts'
import { speechAnswers, writeSpeech } from './speech-answers.ts'
import { transcriptAnswers } from './transcript-answers.ts'
import { transcriptWriter } from './transcripts.ts'

const asksForEvents = ({ stream_format: format }: Readonly<Record<string, unknown>>): boolean => format === 'sse'

const speech = defineEndpoint({
  id: 'speech',
  described: {
    operationId: 'createSpeech',
    summary: 'Say a text: the answer is sound; with `stream_format: sse` it is a stream of server-sent events.',
  },
  routes: [{ method: 'POST', path: '/audio/speech' }],
  requestTypes: ['createSpeech'],
  operation: 'speech',
  form: 'speech',
  body: jsonBody(
    t.Object({
      model: Model,
      input: t.String({ minLength: 1 }),
      voice: worded(
        t.Union([t.String({ minLength: 1 }), t.Object({ id: t.String() })]),
        'must be a string that is not empty, or an object with an id',
      ),
      instructions: maybe(t.String()),
      response_format: maybe(t.String({ description: '`mp3`, `opus`, `aac`, `flac`, `wav`, `pcm`.' })),
      speed: maybe(t.Number()),
      stream_format: maybe(t.Union([t.Literal('audio'), t.Literal('sse')])),
    }),
  ),
  answer: {
    kind: 'events',
    schema: t.Object({ type: t.String() }),
    form: speechAnswers,
    isStreamed: asksForEvents,
    raw: (params) => (asksForEvents(params) ? undefined : writeSpeech),
  },
  reads: ['input', 'instructions'],
  usageOf: ({ usage }) => usageFromMedia(usage),
  boughtBy: charactersSaid,
})

const transcriptions = defineEndpoint({
  id: 'transcriptions',
  described: {
    operationId: 'createTranscription',
    summary: 'Write down what is said; with `stream: true` the answer is a stream of server-sent events.',
  },
  routes: [{ method: 'POST', path: '/audio/transcriptions' }],
  requestTypes: ['createTranscription'],
  operation: 'transcription',
  form: 'transcriptions',
  body: formBody(
    t.Object({
      ...soundFields,
      language: maybe(t.String()),
      languages: maybe(t.Array(t.String())),
      include: maybe(t.Array(t.String())),
      keywords: maybe(t.Array(t.String())),
      known_speaker_names: maybe(t.Array(t.String())),
      known_speaker_references: maybe(t.Array(t.String())),
      timestamp_granularities: maybe(t.Array(t.String())),
      chunking_strategy: maybe(
        t.Union([
          t.String(),
          t.Object({
            type: t.Optional(t.String()),
            threshold: t.Optional(t.Number()),
            prefix_padding_ms: t.Optional(t.Integer()),
            silence_duration_ms: t.Optional(t.Integer()),
          }),
        ]),
      ),
      stream: maybe(t.Boolean({ default: false })),
    }),
    { file: { required: true, types: SOUNDS } },
  ),
  answer: {
    kind: 'events',
    schema: Transcript,
    form: transcriptAnswers,
    raw: (params) => (params.stream === true ? undefined : transcriptWriter(params)),
  },
  reads: ['prompt'],
  isWritten: true,
  usageOf: ({ usage }) => usageFromMedia(usage),
  boughtBy: secondsHeard,
})

const translations = defineEndpoint({
  id: 'translations',
  described: { operationId: 'createTranslation', summary: 'Write down in English what is said in another language.' },
  routes: [{ method: 'POST', path: '/audio/translations' }],
  requestTypes: ['createTranslation'],
  operation: 'translation',
  form: 'translations',
  body: formBody(t.Object(soundFields), { file: { required: true, types: SOUNDS } }),
  answer: {
    kind: 'events',
    schema: Transcript,
    form: transcriptAnswers,
    isStreamed: () => false,
    raw: transcriptWriter,
  },
  reads: ['prompt'],
  isWritten: true,
  usageOf: ({ usage }) => usageFromMedia(usage),
  boughtBy: secondsHeard,
})

export const audioEndpoints: readonly Endpoint[] = [speech, transcriptions, translations]
