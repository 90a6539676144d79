import { defined, isRecord, UpstreamInvalid } from '#kit'
import { type Adapter, type AdapterContext, asksForTimes, type Heard, transcriptReply } from '#kit/provider'
import { inQuery, pick, queryOf } from './query.ts'

type Fields = Readonly<Record<string, unknown>>

/** Parameters of its own; those that change where or when the answer comes (`callback`) are none of them. */
const OWN = [
  'custom_intent',
  'custom_intent_mode',
  'custom_topic',
  'custom_topic_mode',
  'detect_entities',
  'detect_language',
  'diarize',
  'diarize_model',
  'dictation',
  'encoding',
  'extra',
  'filler_words',
  'intents',
  'keyterm',
  'measurements',
  'mip_opt_out',
  'multichannel',
  'numerals',
  'paragraphs',
  'profanity_filter',
  'punctuate',
  'redact',
  'replace',
  'search',
  'sentiment',
  'smart_format',
  'summarize',
  'tag',
  'topics',
  'utt_split',
  'utterances',
  'version',
] as const

const queryOfCall = ({ model, asked = {} }: AdapterContext): Fields => {
  const { keywords, response_format: format } = asked
  return {
    model,
    ...languageOf(asked),
    // Keywords are called otherwise since Nova 3 ("Keyterm Prompting" of its documentation).
    ...(keywords === undefined ? {} : { [model.startsWith('nova-3') ? 'keyterm' : 'keywords']: keywords }),
    smart_format: true,
    ...(asksForTimes({ response_format: String(format) }) ? { utterances: true } : {}),
    ...(format === 'diarized_json' ? { diarize_model: 'latest' } : {}),
    ...pick(asked, OWN),
  }
}

/** Without a word about it everything is English there; at OpenAI the language is found ("Language Detection"). */
const languageOf = ({ language, languages }: Fields): Fields => {
  const given = Array.isArray(languages) && languages.length > 0 ? languages : [language]
  if (given.length > 1) return { detect_language: given }
  return typeof given[0] === 'string' && given[0] !== '' ? { language: given[0] } : { detect_language: true }
}

/**
 * Transcripts: the file itself is the body, all else stands in the query. Source: types of @deepgram/sdk 5.13.0
 * (MediaTranscribeRequestOctetStream, ListenV1Response), read 2026-11-22.
 */
export const transcriptions: Adapter<'transcriptions'> = {
  method: 'POST',
  path: (context) => `/listen${queryOf(queryOfCall(context))}`,
  wire: 'own',
  sends: 'file',
  params: {
    file: true,
    ...inQuery('model', 'language', 'languages', 'keywords', 'response_format', 'timestamp_granularities', ...OWN),
    // It cuts long sounds into pieces itself.
    chunking_strategy: (strategy) => (strategy === 'auto' ? {} : undefined),
    // It answers whole, and events are made of that here.
    stream: () => ({}),
  },
  reply: (body, _context, request) => ({ reply: transcriptReply(heardOf(body, request.language), request) }),
}

const heardOf = (body: unknown, language: unknown): Heard => {
  const { metadata, results } = isRecord(body) ? body : {}
  const { channels, utterances, summary, topics, intents, sentiments } = isRecord(results) ? results : {}
  const best = recordsOf(channels).map(({ alternatives }) => recordsOf(alternatives)[0] ?? {})
  const texts = best.map(({ transcript }) => transcript).filter((text) => typeof text === 'string')
  if (texts.length === 0) throw new UpstreamInvalid('The provider answered with no transcript.')
  const detected = recordsOf(channels)[0]?.detected_language ?? language
  const duration = isRecord(metadata) ? metadata.duration : undefined
  const said = recordsOf(utterances).map(({ transcript, ...rest }) => ({ ...rest, text: transcript }))
  return {
    text: texts.join('\n'),
    ...defined({
      language: typeof detected === 'string' ? detected : undefined,
      duration: typeof duration === 'number' ? duration : undefined,
    }),
    words: best.flatMap(({ words }) =>
      recordsOf(words).flatMap(({ punctuated_word: punctuated, word: plain, ...rest }) =>
        timed({ ...rest, text: punctuated ?? plain }).map(({ text: word, ...times }) => ({ word, ...times })),
      ),
    ),
    segments: (said.length > 0 ? said : best.flatMap(sentencesOf)).flatMap(timed),
    more: defined({ summary, topics, intents, sentiments }),
  }
}

const recordsOf = (list: unknown): readonly Fields[] => (Array.isArray(list) ? list.filter(isRecord) : [])

/** `smart_format` makes paragraphs, which stand for utterances of a model that has none. */
const sentencesOf = ({ paragraphs: part }: Fields): readonly Fields[] =>
  recordsOf(isRecord(part) ? part.paragraphs : undefined).flatMap(({ sentences, speaker }) =>
    recordsOf(sentences).map((sentence) => ({ ...sentence, speaker })),
  )

const timed = ({ text, start, end, speaker }: Fields): Heard['segments'] =>
  typeof text === 'string' && typeof start === 'number' && typeof end === 'number'
    ? [{ start, end, text, ...(typeof speaker === 'number' ? { speaker: `speaker_${speaker}` } : {}) }]
    : []
