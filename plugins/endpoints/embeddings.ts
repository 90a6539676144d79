import { defineEndpoint, jsonBody, t, worded } from '#kit'
import { usageFromOpenAI } from '#kit/provider'
import { Model } from './fields.ts'
import { embeddingTexts } from './texts/embeddings.ts'

export default defineEndpoint({
  id: 'embeddings',
  described: { operationId: 'createEmbedding', summary: 'Turn text into vectors.' },
  routes: [{ method: 'POST', path: '/embeddings' }],
  requestTypes: ['embed'],
  operation: 'embeddings',
  form: 'embeddings',
  body: jsonBody(
    t.Object({
      model: Model,
      input: worded(
        t.Union([t.String(), t.Array(t.Unknown(), { minItems: 1 })]),
        'must be a string or an array with at least one element',
      ),
      stream: t.Optional(worded(t.Not(t.Literal(true)), 'must be false or left out: embeddings come in one answer')),
    }),
  ),
  answer: { kind: 'json', schema: t.Object({ object: t.Literal('list'), data: t.Array(t.Object({})) }) },
  cache: 'simple',
  learnsPatience: true,
  reads: ['input'],
  texts: embeddingTexts,
  usageOf: ({ usage }) => usageFromOpenAI(usage),
})
