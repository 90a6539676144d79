import { type Endpoint, isStreamed } from '../core/endpoint.ts'

/** An endpoint as its file says it: what it leaves out is as it is for most. */
export type EndpointDefinition = Pick<Endpoint, 'id' | 'requestTypes' | 'operation' | 'body' | 'answer'> &
  Partial<Endpoint>

/**
 * Makes an endpoint. What is not said: its calls need `completions.write`, are for a model, are counted, may be sent again, and
 * are not kept.
 *
 * @example
 * export default defineEndpoint({
 *   id: 'rerank',
 *   described: { operationId: 'createRerank', summary: 'Put texts in order.' },
 *   routes: [{ method: 'POST', path: '/rerank' }],
 *   requestTypes: ['rerank'],
 *   operation: 'rerank',
 *   form: 'rerank',
 *   body: jsonBody(t.Object({ query: t.String() })),
 *   answer: { kind: 'json', schema: t.Object({ results: t.Array(t.Unknown()) }) },
 *   cache: 'simple',
 *   reads: ['query', 'documents'],
 * })
 */
export const defineEndpoint = (definition: EndpointDefinition): Endpoint => {
  const [whole, streamed = whole] = definition.requestTypes
  return {
    routes: [],
    scopes: ['completions.write'],
    requestTypeOf: (call) => (isStreamed(call) ? streamed : whole),
    hasModel: true,
    isCounted: true,
    cache: 'never',
    replay: 'always',
    recovery: [],
    learnsPatience: false,
    reads: [],
    isWritten: false,
    choicesOf: ({ n }) => (typeof n === 'number' && n > 0 ? n : 1),
    usageOf: () => undefined,
    ...definition,
  }
}
