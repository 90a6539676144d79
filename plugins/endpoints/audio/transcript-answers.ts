import { type AnswerForm, eventText, isRecord, type StreamWatch } from '#kit'
import { usageFromMedia } from '#kit/provider'
import { inPieces } from '../in-pieces.ts'

type Fields = Readonly<Record<string, unknown>>

const DELTA = 'transcript.text.delta'
const DONE = 'transcript.text.done'
/** Said once more, with its speaker and times. */
const SEGMENT = 'transcript.text.segment'

/**
 * Transcripts, whole and as a stream of events. Source: types of openai-node 7.55.0 (resources/audio/transcriptions.d.ts),
 * generated from the API reference, read 2026-11-22.
 */
export const transcriptAnswers: AnswerForm = {
  read: (body) =>
    isRecord(body) && typeof body.text === 'string'
      ? { answer: body, chunks: () => chunksOf(body, String(body.text)) }
      : undefined,
  collector() {
    let done: Fields | undefined
    return {
      add(chunk) {
        if (chunk.type === DONE) done = chunk
        else if (chunk.type !== DELTA && chunk.type !== SEGMENT) throw new Error('an event is not one of a transcript')
      },
      whole() {
        if (done === undefined) throw new Error('the transcript was not finished')
        const { type: _, ...whole } = done
        return whole
      },
    }
  },
  write: (chunk) => eventText(JSON.stringify(chunk)),
  last: '',
  watch: () => watch,
  mayBeWhole: true,
}

function* chunksOf({ usage, languages, logprobs }: Fields, text: string): Generator<Fields> {
  for (const piece of inPieces(text)) yield { type: DELTA, delta: piece }
  yield {
    type: DONE,
    text,
    ...(languages === undefined ? {} : { languages }),
    ...(logprobs === undefined ? {} : { logprobs }),
    ...(usage === undefined ? {} : { usage }),
  }
}

const watch: StreamWatch = ({ event, data }) => {
  if (data.trim() === '[DONE]') return undefined
  const body: unknown = JSON.parse(data)
  if (!isRecord(body)) return undefined
  if (event === 'error' || body.type === 'error' || isRecord(body.error)) return { error: body }
  if (body.type === DELTA && typeof body.delta === 'string') return { textBytes: Buffer.byteLength(body.delta) }
  return body.type === DONE ? { usage: usageFromMedia(body.usage), isEnd: true } : undefined
}
