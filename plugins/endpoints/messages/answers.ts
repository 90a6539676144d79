import { type AnswerForm, isRecord } from '#kit'
import { createCollector } from './collector.ts'
import { eventOf, toEvents } from './events.ts'
import { watchMessages } from './watch.ts'

export const messageAnswers: AnswerForm = {
  read: (body) => (isMessage(body) ? { answer: body, chunks: () => toEvents(body) } : undefined),
  collector: createCollector,
  write: (chunk) => eventOf('type' in chunk && typeof chunk.type === 'string' ? chunk.type : 'message', chunk),
  // `message_stop` is the end.
  last: '',
  watch: watchMessages,
}

const isMessage = (body: unknown): body is Readonly<Record<string, unknown>> =>
  isRecord(body) &&
  body.type === 'message' &&
  typeof body.stop_reason === 'string' &&
  Array.isArray(body.content) &&
  body.content.every((block) => isRecord(block) && typeof block.type === 'string')
