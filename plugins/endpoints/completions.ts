import { countPrompts } from '#calls/text-prompts'
import { defineEndpoint, jsonBody, maybe, t, worded } from '#kit'
import { usageFromOpenAI } from '#kit/provider'
import { Count, Model, written } from './fields.ts'
import { textAnswers } from './text-answers.ts'
import { completionTexts } from './texts/completions.ts'

const Tokens = t.Array(Count, { minItems: 1 })

export default defineEndpoint({
  id: 'completions',
  described: {
    operationId: 'createCompletion',
    summary: 'Have a text gone on from; with `stream: true` the answer is a stream of server-sent events.',
  },
  routes: [{ method: 'POST', path: '/completions' }],
  requestTypes: ['complete', 'stream-complete'],
  operation: 'text_completion',
  form: 'completions',
  body: jsonBody(
    t.Object({
      model: Model,
      prompt: worded(
        t.Union([t.String(), t.Array(t.String(), { minItems: 1 }), Tokens, t.Array(Tokens, { minItems: 1 })], {
          description: 'Text or tokens, one or several. For a provider that only has chat: one text.',
        }),
        (value) =>
          value === null
            ? 'is required'
            : 'must be a string, or an array of strings, of tokens, or of arrays of tokens that is not empty',
      ),
      ...written,
      suffix: maybe(t.String()),
      best_of: maybe(Count),
      echo: maybe(t.Boolean()),
      logprobs: maybe(Count),
      stop: maybe(
        worded(
          t.Union([t.String(), t.Array(t.String(), { maxItems: 4 })]),
          'must be a string or an array of up to 4 strings',
        ),
      ),
    }),
  ),
  answer: {
    kind: 'events',
    schema: t.Object({ id: t.String(), object: t.Literal('text_completion'), choices: t.Array(t.Unknown()) }),
    form: textAnswers,
  },
  cache: 'simple',
  recovery: ['restart'],
  learnsPatience: true,
  reads: ['prompt'],
  texts: completionTexts,
  isWritten: true,
  choicesOf: ({ n, prompt }) => (typeof n === 'number' && n > 0 ? n : 1) * countPrompts(prompt),
  usageOf: ({ usage }) => usageFromOpenAI(usage),
})
