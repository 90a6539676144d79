import { defineEndpoint, isRecord, jsonBody, maybe, t, worded } from '#kit'
import { someTokens, usageFromOpenAI } from '#kit/provider'
import { Model } from './fields.ts'

const Document = t.Object({ text: t.String() })

const AtLeastOne = t.Integer({ minimum: 1 })

const Result = t.Object({
  index: t.Integer({ minimum: 0 }),
  relevance_score: t.Number(),
  document: t.Optional(t.Object({ text: t.String() })),
})

export default defineEndpoint({
  id: 'rerank',
  described: { operationId: 'createRerank', summary: 'Put documents in the order in which they answer a query.' },
  routes: [{ method: 'POST', path: '/rerank' }],
  requestTypes: ['rerank'],
  operation: 'rerank',
  form: 'rerank',
  body: jsonBody(
    t.Object({
      model: Model,
      query: t.String(),
      documents: worded(
        t.Array(worded(t.Union([t.String(), Document]), 'must be a string or an object with a `text`'), {
          minItems: 1,
        }),
        'must be an array with at least one document',
      ),
      top_n: maybe(worded(AtLeastOne, 'must be a whole number of at least 1')),
      return_documents: maybe(t.Boolean({ default: false })),
      max_tokens_per_doc: maybe(worded(AtLeastOne, 'must be a whole number of at least 1')),
      priority: maybe(t.Number()),
      rank_fields: maybe(worded(t.Array(t.String(), { minItems: 1 }), 'must be an array with at least one string')),
      truncation: maybe(t.Boolean()),
      parameters: maybe(t.Object({})),
    }),
  ),
  answer: {
    kind: 'json',
    schema: t.Object({ object: t.Literal('list'), results: t.Array(Result), model: t.String() }),
  },
  cache: 'simple',
  learnsPatience: true,
  reads: ['query', 'documents'],
  // Some bill searches and count no tokens: then they are estimated.
  usageOf: ({ usage }) => usageFromOpenAI(usage),
  boughtBy: (_asked, answer) => ({
    units: { query: (isRecord(answer?.usage) ? someTokens(answer.usage.search_units) : undefined) ?? 1 },
  }),
})
