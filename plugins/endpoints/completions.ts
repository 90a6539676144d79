import { countPrompts } from '#calls/text-prompts'
import { defineEndpoint, t } from '#kit'
import { usageFromOpenAI } from '#kit/provider'
import { checkCompletions } from './checks.ts'
import { textAnswers } from './text-answers.ts'

export default defineEndpoint({
  id: 'completions',
  summary: 'Have a text gone on from; with `stream: true` the answer is a stream of server-sent events.',
  operationId: 'createCompletion',
  routes: [{ method: 'POST', path: '/completions' }],
  requestTypes: ['complete', 'stream-complete'],
  operation: 'text_completion',
  form: 'completions',
  body: {
    kind: 'json',
    schema: t.Object({
      model: t.String({ description: 'Name of a model, or `@provider-slug/model`.' }),
      prompt: t.Union([t.String(), t.Array(t.Unknown(), { minItems: 1 })], {
        description: 'Text or tokens, one or several. For a provider that only has chat: one text.',
      }),
      stream: t.Optional(t.Boolean({ default: false })),
    }),
    check: checkCompletions,
  },
  answer: {
    kind: 'events',
    schema: t.Object({ id: t.String(), object: t.Literal('text_completion'), choices: t.Array(t.Unknown()) }),
    form: textAnswers,
  },
  cache: 'simple',
  recovery: ['restart'],
  learnsPatience: true,
  reads: ['prompt'],
  isWritten: true,
  choicesOf: ({ n, prompt }) => (typeof n === 'number' && n > 0 ? n : 1) * countPrompts(prompt),
  usageOf: ({ usage }) => usageFromOpenAI(usage),
})
