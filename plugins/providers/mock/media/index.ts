import { isRecord } from '#kit'
import { toEvents } from '../events.ts'
import type { MockOptions } from '../options.ts'
import { jsonPlan, ssePlan, textPlan, type WholePlan } from '../plan.ts'
import { MockRefusal } from '../refusal.ts'
import { type MockForm, readForm } from './form.ts'
import { makeImages } from './images.ts'
import { makeSound } from './sound.ts'
import { makeTranscript } from './transcripts.ts'

/** A call for images or sound. */
export interface MediaCall extends MockForm {
  readonly path: string
  readonly options: MockOptions
}

/** A path whose requests may be forms and whose answers may be bytes. */
export interface MediaAnswers {
  /** The one model that gives them. */
  readonly model: string
  /** It is meant where a request names none. */
  readonly isDefault?: true
  /** Requests are forms. */
  readonly isForm: boolean
  /** The request asks for events. */
  isStreamed(fields: MockForm['fields']): boolean
  /** @throws MockRefusal for a request that the mock cannot read. */
  plan(call: MediaCall, stream: boolean): WholePlan
}

const saysStream = ({ stream }: MockForm['fields']): boolean => stream === true || stream === 'true'

const images = (isForm: boolean, canStream: boolean): MediaAnswers => ({
  model: 'mock-image',
  isDefault: true,
  isForm,
  isStreamed: (fields) => canStream && saysStream(fields),
  plan(call, stream) {
    const made = makeImages(call)
    return stream ? ssePlan(toEvents(made.events(), call.options)) : jsonPlan(200, made.reply())
  },
})

const transcripts = (canStream: boolean): MediaAnswers => ({
  model: 'mock-transcribe',
  isForm: true,
  isStreamed: (fields) => canStream && saysStream(fields),
  plan(call, stream) {
    const made = makeTranscript(call)
    if (stream) return ssePlan(toEvents(made.events(), call.options))
    const reply = made.reply()
    return typeof reply === 'string'
      ? textPlan(200, reply, { 'content-type': 'text/plain; charset=utf-8' })
      : jsonPlan(200, reply)
  },
})

const speech: MediaAnswers = {
  model: 'mock-speech',
  isForm: false,
  isStreamed: ({ stream_format: format }) => format === 'sse',
  plan(call, stream) {
    const { type, pieces, events } = makeSound(call)
    if (stream) return ssePlan(toEvents(events(), call.options))
    return { head: { status: 200, headers: { 'content-type': type } }, pieces: pieces(), ending: 'end' }
  },
}

export const MEDIA: ReadonlyMap<string, MediaAnswers> = new Map([
  ['/v1/images/generations', images(false, true)],
  ['/v1/images/edits', images(true, true)],
  ['/v1/images/variations', images(true, false)],
  ['/v1/audio/speech', speech],
  ['/v1/audio/transcriptions', transcripts(true)],
  ['/v1/audio/translations', transcripts(false)],
])

/** What a request for images or sound says. @throws MockRefusal */
export const readMedia = (body: Uint8Array, contentType: string, isForm: boolean): MockForm => {
  if (isForm) return readForm(body, contentType)
  try {
    const fields: unknown = JSON.parse(new TextDecoder().decode(body))
    if (isRecord(fields)) return { fields, files: new Map() }
  } catch {
    throw new MockRefusal(400, 'The body is not JSON.')
  }
  throw new MockRefusal(400, 'The body must be a JSON object.')
}
