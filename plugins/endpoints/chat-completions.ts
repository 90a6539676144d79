import { defineEndpoint, t } from '#kit'
import { usageFromOpenAI } from '#kit/provider'
import { chatAnswers } from './chat-answers.ts'
import { checkChat } from './checks.ts'

export default defineEndpoint({
  id: 'chat',
  summary: 'Ask a model; with `stream: true` the answer is a stream of server-sent events.',
  operationId: 'createChatCompletion',
  routes: [{ method: 'POST', path: '/chat/completions' }],
  requestTypes: ['chatComplete', 'stream-chatComplete'],
  operation: 'chat',
  form: 'chat',
  body: {
    kind: 'json',
    schema: t.Object({
      model: t.String({ description: 'Name of a model, or `@provider-slug/model`.' }),
      messages: t.Array(t.Object({}), { minItems: 1 }),
      stream: t.Optional(t.Boolean({ default: false })),
    }),
    check: checkChat,
  },
  answer: {
    kind: 'events',
    schema: t.Object({ id: t.String(), object: t.String(), choices: t.Array(t.Unknown()) }),
    form: chatAnswers,
  },
  cache: 'semantic',
  // Only a chat can be told how its answer begins.
  recovery: ['restart', 'continue'],
  learnsPatience: true,
  reads: ['messages', 'tools', 'functions', 'response_format'],
  isWritten: true,
  usageOf: ({ usage }) => usageFromOpenAI(usage),
})
