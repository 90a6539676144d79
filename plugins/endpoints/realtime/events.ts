/**
 * Events of OpenAI's realtime sessions, which Azure and xAI speak too, and of its Responses over a WebSocket. Source: types of
 * openai-node 7.55.0 (resources/realtime/realtime.d.ts, resources/responses/responses.d.ts), read 2026-11-24.
 */
import { usageOfAny } from '#calls/any-usage'
import type { SessionForm, SessionModels, SessionNote, SessionReader, SocketMessage } from '#core/session'
import { type GatewayError, isRecord, toEnvelope, type Usage } from '#kit'

type Fields = Record<string, unknown>

/** Events that end a response and say what it used: those of realtime sessions first, then those of Responses. */
const ENDS: ReadonlySet<unknown> = new Set([
  'response.done',
  'response.completed',
  'response.incomplete',
  'response.failed',
])
const BEGINS = 'response.created'
const SESSION: ReadonlySet<unknown> = new Set(['session.created', 'session.updated'])
const HEARD = 'conversation.item.input_audio_transcription.completed'
/** Before 2025-08-28 without `output_`. */
const SOUND: ReadonlySet<unknown> = new Set(['response.output_audio.delta', 'response.audio.delta'])

/** Characters of the longest message that is looked into: those with sound are longer, and no such end. */
const LONGEST = 4 * 1024 * 1024

/** How events begin where their type stands in front, or right behind their id: nothing of a user's can stand there. */
const TYPE = /^\s*\{\s*(?:"event_id"\s*:\s*"[^"\\]*"\s*,\s*)?"type"\s*:\s*"([^"\\]+)"/
/** Characters of a message within which its type is looked for. */
const HEAD = 200

/** Characters of base64 of a token of sound: 50 ms spoken, or 100 ms heard, as PCM of 16 bits at 24 kHz. */
const SPOKEN_TOKEN = 3_200
const HEARD_TOKEN = 6_400
const CHARACTERS_PER_TOKEN = 3
/** Characters around a delta: its type and its ids. */
const ENVELOPE = 200

/** How nearly all events begin. */
const USUAL = '{"type":"'

/** The type of an event. Undefined for one that has to be parsed to be sure. */
const typeOf = (message: string): string | undefined => {
  if (!message.startsWith(USUAL)) return TYPE.exec(message.slice(0, HEAD))?.[1]
  const type = message.slice(USUAL.length, message.indexOf('"', USUAL.length))
  return type.includes('\\') ? undefined : type
}

/** Whether an event of an unknown type could matter. */
const mayMatter = (message: string): boolean =>
  message.length <= LONGEST &&
  (message.includes('"response.') || message.includes('"session.') || message.includes(`"${HEARD}"`))

class EventReader implements SessionReader {
  /** What hears the user, beside the model. */
  #heardBy: unknown

  note(message: SocketMessage): SessionNote | undefined {
    if (typeof message !== 'string') return undefined
    const type = typeOf(message)
    if (type === undefined) return mayMatter(message) ? this.#read(message) : undefined
    if (type.endsWith('.delta')) {
      if (!type.startsWith('response.')) return undefined
      return SOUND.has(type)
        ? { soundTokens: message.length / SPOKEN_TOKEN }
        : { text: Math.max(1, message.length - ENVELOPE) }
    }
    if (type !== BEGINS && type !== HEARD && !ENDS.has(type) && !SESSION.has(type)) return undefined
    return message.length <= LONGEST ? this.#read(message) : undefined
  }

  models(message: SocketMessage): SessionModels | undefined {
    if (typeof message !== 'string' || message.length > LONGEST || !message.includes('"model"')) return undefined
    const event = parsed(message)
    if (event === undefined) return undefined
    const names = [event.session, event.response, event]
      .filter(isRecord)
      .flatMap((holder) => [holder, transcriptionOf(holder)])
      .flatMap((holder) => (isRecord(holder) && typeof holder.model === 'string' ? [nameIn(holder, holder.model)] : []))
    return names.length === 0 ? undefined : { event, names }
  }

  inputTokens(message: SocketMessage): number {
    return typeOf(typeof message === 'string' ? message : '') === 'input_audio_buffer.append'
      ? message.length / HEARD_TOKEN
      : message.length / CHARACTERS_PER_TOKEN
  }

  #read(message: string): SessionNote | undefined {
    const event = parsed(message)
    if (event === undefined) return undefined
    const { type, response, session } = event
    if (type === BEGINS) return { begins: true }
    if (ENDS.has(type)) {
      const answered = isRecord(response) ? response : undefined
      return { ends: { usage: usageOfAny(event), error: failureOf(answered) }, answered }
    }
    if (SESSION.has(type) && isRecord(session)) {
      const heardBy = transcriptionOf(session)
      if (isRecord(heardBy)) this.#heardBy = heardBy.model
      return { answered: session }
    }
    if (type !== HEARD) return undefined
    return { begins: true, ends: { usage: heardUsage(event) }, answered: { model: this.#heardBy } }
  }
}

const parsed = (message: string): Fields | undefined => {
  try {
    const event: unknown = JSON.parse(message)
    return isRecord(event) ? event : undefined
  } catch {
    // Not ours to judge: it goes on as it came.
    return undefined
  }
}

/** `audio.input.transcription` of a session; before 2025-08-28 `input_audio_transcription`. */
const transcriptionOf = ({ audio, input_audio_transcription: old }: Readonly<Fields>): unknown => {
  const input = isRecord(audio) ? audio.input : undefined
  return isRecord(input) ? input.transcription : old
}

const nameIn = (holder: Fields, name: string): SessionModels['names'][number] => ({
  name,
  replace(other) {
    holder.model = other
  },
})

/** `status_details.error` of a response that failed, of Responses `error`. */
const failureOf = (response: Readonly<Fields> | undefined): unknown => {
  if (response?.status !== 'failed') return undefined
  const { status_details: details, error } = response
  return { error: (isRecord(details) ? details.error : undefined) ?? error ?? {} }
}

/** What a transcription used: tokens, or seconds. */
const heardUsage = (event: Readonly<Fields>): Usage | undefined => {
  const { usage } = event
  if (!isRecord(usage) || usage.type !== 'duration') return usageOfAny(event)
  const { seconds } = usage
  if (typeof seconds !== 'number' || !(seconds >= 0)) return undefined
  return { inputTokens: 0, outputTokens: 0, totalTokens: 0, units: { second: seconds } }
}

export const openaiSessions: SessionForm = {
  open: () => new EventReader(),
  error: (error: GatewayError, requestId) =>
    JSON.stringify({
      type: 'error',
      event_id: `event_${requestId}`,
      error: { ...toEnvelope(error).error, event_id: null },
    }),
}
