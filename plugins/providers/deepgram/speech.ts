import { isRecord } from '#kit'
import type { Adapter, AdapterContext } from '#kit/provider'
import { inQuery, pick, queryOf } from './query.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Its encodings for the formats of OpenAI. Source: "Media Output Settings" of its documentation (Audio Format Combinations),
 * read 2026-11-22. `pcm` is what it is at OpenAI: 24 kHz, 16 bits, one channel.
 */
const FORMATS: ReadonlyMap<unknown, Fields> = new Map([
  ['mp3', { encoding: 'mp3' }],
  ['opus', { encoding: 'opus', container: 'ogg' }],
  ['aac', { encoding: 'aac' }],
  ['flac', { encoding: 'flac' }],
  ['wav', { encoding: 'linear16', container: 'wav' }],
  ['pcm', { encoding: 'linear16', container: 'none', sample_rate: 24_000 }],
])

/** Voices of OpenAI, which it does not have. */
const OPENAI_VOICES: ReadonlySet<string> = new Set([
  'alloy',
  'ash',
  'ballad',
  'cedar',
  'coral',
  'echo',
  'fable',
  'marin',
  'nova',
  'onyx',
  'sage',
  'shimmer',
  'verse',
])

/** "Speed control" of its documentation (tts-voice-controls), read 2026-11-22. */
const SLOWEST = 0.7
const FASTEST = 1.5

/** A model is a voice there: `aura-2-thalia-en`. */
const WHOLE_MODEL = /^[a-z]+(?:-\d+)?-[a-z]+-[a-z]{2}$/
/** A family of them, whose voice the call names. */
const FAMILY = /^[a-z]+(?:-\d+)?$/
/** The voices that its documentation uses (tts-encoding, tts-bit-rate), for a call whose voice it does not have. */
const FALLBACKS: ReadonlyMap<string, string> = new Map([
  ['aura', 'asteria'],
  ['aura-2', 'thalia'],
])

const OWN = ['bit_rate', 'container', 'encoding', 'mip_opt_out', 'sample_rate', 'tag'] as const

export const speech: Adapter<'speech'> = {
  method: 'POST',
  path: (context) => {
    const { asked = {} } = context
    const { speed } = asked
    return `/speak${queryOf({
      model: modelOf(context).model,
      // Those of its own go first: only some of them go together.
      ...(typeof asked.encoding === 'string' ? {} : (FORMATS.get(asked.response_format) ?? FORMATS.get('mp3'))),
      ...(typeof speed === 'number' ? { speed: Math.min(Math.max(speed, SLOWEST), FASTEST) } : {}),
      ...pick(asked, OWN),
    })}`
  },
  wire: 'own',
  params: {
    input: 'text',
    voice: (_voice, _request, context) => (modelOf(context).isAsAsked ? {} : undefined),
    response_format: (format, { encoding }) => (FORMATS.has(format) || typeof encoding === 'string' ? {} : undefined),
    ...inQuery('model', 'speed', ...OWN),
    // Sound is all that it answers with; events are made of it here.
    stream_format: () => ({}),
  },
}

interface Chosen {
  readonly model: string
  /** The voice is the one that was asked for. */
  readonly isAsAsked: boolean
}

/** The model and the voice in one. */
const modelOf = ({ model, asked }: Pick<AdapterContext, 'model' | 'asked'>): Chosen => {
  const voice = nameOf(asked?.voice)
  if (WHOLE_MODEL.test(voice)) return { model: voice, isAsAsked: true }
  if (!FAMILY.test(model)) return { model, isAsAsked: model.split('-').includes(voice) }
  const isForeign = OPENAI_VOICES.has(voice)
  const known = isForeign ? FALLBACKS.get(model) : voice
  if (known === undefined || known === '') return { model, isAsAsked: false }
  return { model: `${model}-${known}${/-[a-z]{2}$/.test(known) ? '' : '-en'}`, isAsAsked: !isForeign }
}

const nameOf = (voice: unknown): string => {
  const name = isRecord(voice) ? voice.id : voice
  return typeof name === 'string' ? name.toLowerCase() : ''
}
