import { defineEndpoint, t } from '#kit'
import { usageFromOpenAI } from '#kit/provider'
import { checkEmbeddings } from './checks.ts'

export default defineEndpoint({
  id: 'embeddings',
  summary: 'Turn text into vectors.',
  operationId: 'createEmbedding',
  routes: [{ method: 'POST', path: '/embeddings' }],
  requestTypes: ['embed'],
  operation: 'embeddings',
  form: 'embeddings',
  body: {
    kind: 'json',
    schema: t.Object({ model: t.String(), input: t.Union([t.String(), t.Array(t.Unknown())]) }),
    check: checkEmbeddings,
  },
  answer: { kind: 'json', schema: t.Object({ object: t.Literal('list'), data: t.Array(t.Object({})) }) },
  cache: 'simple',
  learnsPatience: true,
  reads: ['input'],
  usageOf: ({ usage }) => usageFromOpenAI(usage),
})
