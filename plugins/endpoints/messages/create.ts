import { defineEndpoint, jsonBody, t } from '#kit'
import { usageFromAnthropic } from '#kit/provider'
import { messageTexts } from '../texts/messages.ts'
import { messageAnswers } from './answers.ts'
import { MessagesBody } from './body.ts'
import { anthropicErrors } from './errors.ts'
import { READS, rootsOf } from './places.ts'

/** Anthropic's Messages, for every provider: as it came to those that speak it, over a chat to the others. */
export const messages = defineEndpoint({
  id: 'messages',
  described: {
    operationId: 'createMessage',
    summary: "Ask a model in Anthropic's form; with `stream: true` the answer is a stream of server-sent events.",
  },
  routes: [{ method: 'POST', path: '/messages', roots: rootsOf }],
  requestTypes: ['messages', 'stream-messages'],
  operation: 'chat',
  form: 'messages',
  body: jsonBody(MessagesBody),
  answer: {
    kind: 'events',
    schema: t.Object({ id: t.String(), type: t.Literal('message'), content: t.Array(t.Unknown()) }),
    form: messageAnswers,
  },
  errors: anthropicErrors,
  requestIdHeader: 'request-id',
  cache: 'simple',
  recovery: ['restart'],
  learnsPatience: true,
  reads: READS,
  texts: messageTexts,
  isWritten: true,
  choicesOf: () => 1,
  usageOf: ({ usage }) => usageFromAnthropic(usage),
})
