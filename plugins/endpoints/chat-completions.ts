import { defineEndpoint, jsonBody, maybe, t, worded } from '#kit'
import { usageFromOpenAI } from '#kit/provider'
import { chatAnswers } from './chat-answers.ts'
import { Count, Model, written } from './fields.ts'
import { chatTexts } from './texts/chat.ts'

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool', 'function']

const Part = t.Object({ type: t.String() })

const Message = t.Object({
  role: worded(t.Union(ROLES.map((role) => t.Literal(role))), (value) =>
    typeof value === 'string' ? `must be one of: ${ROLES.join(', ')}` : 'must be a string',
  ),
  content: maybe(worded(t.Union([t.String(), t.Array(Part)]), 'must be a string or an array of parts')),
})

export default defineEndpoint({
  id: 'chat',
  described: {
    operationId: 'createChatCompletion',
    summary: 'Ask a model; with `stream: true` the answer is a stream of server-sent events.',
  },
  routes: [{ method: 'POST', path: '/chat/completions' }],
  requestTypes: ['chatComplete', 'stream-chatComplete'],
  operation: 'chat',
  form: 'chat',
  body: jsonBody(
    t.Object({
      model: Model,
      messages: worded(t.Array(Message, { minItems: 1 }), 'must be an array with at least one message'),
      ...written,
      max_completion_tokens: maybe(Count),
      stop: maybe(worded(t.Union([t.String(), t.Array(t.String())]), 'must be a string or an array of strings')),
      tools: maybe(t.Array(t.Unknown())),
      tool_choice: maybe(worded(t.Union([t.String(), t.Object({})]), 'must be a string or an object')),
      parallel_tool_calls: maybe(t.Boolean()),
      response_format: maybe(t.Object({})),
      logprobs: maybe(t.Boolean()),
      top_logprobs: maybe(Count),
    }),
  ),
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
  texts: chatTexts,
  isWritten: true,
  usageOf: ({ usage }) => usageFromOpenAI(usage),
})
