import { concat } from '#core/bodies/answer'
import { textIn } from '#core/bodies/bytes'
import type { RawReply } from '#core/endpoint'
import { type AnswerForm, eventText, isRecord, type PipeMachine, type StreamWatch, UpstreamInvalid } from '#kit'
import { usageFromMedia } from '#kit/provider'

type Fields = Readonly<Record<string, unknown>>

const DELTA = 'speech.audio.delta'
const DONE = 'speech.audio.done'

/** Bytes of sound in one event, a multiple of three, so that the texts of all events are also that of the whole. */
const EVENT_BYTES: number = 12 * 1024

/**
 * Speech as a stream of events (`stream_format: sse`). Source: SpeechAudioDeltaEvent and SpeechAudioDoneEvent of OpenAI's API
 * document 2.3.0, as docs.rs shows them in openai-client-base 0.12.0, read 2026-11-22.
 */
export const speechAnswers: AnswerForm = {
  read(body) {
    if (!isRecord(body) || !(body.bytes instanceof Uint8Array)) return undefined
    const { bytes } = body
    return { answer: { type: body.type }, chunks: () => chunksOf(bytes) }
  },
  collector() {
    const pieces: Uint8Array[] = []
    let isDone = false
    return {
      add({ type, audio }) {
        if (type === DONE) isDone = true
        else if (type === DELTA && typeof audio === 'string') pieces.push(Buffer.from(audio, 'base64'))
        else throw new Error('an event is not one of speech')
      },
      whole() {
        if (!isDone) throw new Error('the speech was not finished')
        return { bytes: concat(pieces) }
      },
    }
  },
  write: (chunk) => eventText(JSON.stringify(chunk), 'type' in chunk ? String(chunk.type) : undefined),
  last: '',
  watch: () => watch,
  mayBeWhole: true,
  ofBytes: () => eventsOfBytes(),
}

function* chunksOf(bytes: Uint8Array): Generator<Fields> {
  for (let at = 0; at < bytes.length; at += EVENT_BYTES) yield delta(bytes.subarray(at, at + EVENT_BYTES))
  yield { type: DONE }
}

const delta = (bytes: Uint8Array): Fields => ({
  type: DELTA,
  audio: textIn(bytes, 'base64'),
})

const watch: StreamWatch = ({ event, data }) => {
  // Sound, and nothing to learn from it.
  if (event === DELTA || data.trim() === '[DONE]') return undefined
  const body: unknown = JSON.parse(data)
  if (!isRecord(body)) return undefined
  if (event === 'error' || body.type === 'error' || isRecord(body.error)) return { error: body }
  return body.type === DONE ? { usage: usageFromMedia(body.usage), isEnd: true } : undefined
}

const encoder = new TextEncoder()

/** Events of the sound of a provider that has none. What is left of a piece goes in front of the next. */
const eventsOfBytes = (): PipeMachine => {
  let rest: Uint8Array = new Uint8Array(0)
  const text = (chunk: Fields): string => eventText(JSON.stringify(chunk), String(chunk.type))
  return {
    push(piece, out) {
      const bytes = rest.length === 0 ? piece : concat([rest, piece])
      let said = ''
      let at = 0
      for (; bytes.length - at >= 3; ) {
        const size = Math.min(EVENT_BYTES, bytes.length - at)
        const end = at + size - (size % 3)
        said += text(delta(bytes.subarray(at, end)))
        at = end
      }
      rest = Uint8Array.from(bytes.subarray(at))
      if (said !== '') out.write(encoder.encode(said))
    },
    end(out) {
      const last = rest.length === 0 ? '' : text(delta(rest))
      out.write(encoder.encode(`${last}${text({ type: DONE })}`))
    },
  }
}

/** Sound that was made of a provider's JSON. @throws UpstreamInvalid for what is none */
export const writeSpeech = ({ type, bytes }: Fields): RawReply => {
  if (typeof type !== 'string' || !(bytes instanceof Uint8Array) || bytes.length === 0) {
    throw new UpstreamInvalid('The provider answered with no sound.')
  }
  return { type, body: bytes }
}
