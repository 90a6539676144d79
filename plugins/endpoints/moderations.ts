import { defineEndpoint, jsonBody, maybe, t, worded } from '#kit'
import { Model } from './fields.ts'

const Part = t.Object({ type: t.String() })

const PROBLEM = 'must be a string, or an array of strings or of parts with at least one element'

export default defineEndpoint({
  id: 'moderations',
  described: { operationId: 'createModeration', summary: 'Judge whether texts or images could do harm.' },
  routes: [{ method: 'POST', path: '/moderations' }],
  requestTypes: ['moderate'],
  operation: 'moderations',
  form: 'moderations',
  body: jsonBody(
    t.Object({
      model: maybe(Model),
      input: worded(
        t.Union([t.String(), t.Array(t.String(), { minItems: 1 }), worded(t.Array(Part, { minItems: 1 }), PROBLEM)], {
          description: 'A text, several texts with a result for each, or the parts of one input.',
        }),
        PROBLEM,
      ),
    }),
  ),
  answer: {
    kind: 'json',
    schema: t.Object({ id: t.String(), model: t.String(), results: t.Array(t.Object({ flagged: t.Boolean() })) }),
  },
  cache: 'simple',
  learnsPatience: true,
  reads: ['input'],
})
