import { defineEndpoint, type Endpoint, type Stage, t } from '#kit'
import { anthropicModel, wantsAnthropic } from './anthropic.ts'
import { askGeminiModel, wantsGoogle } from './gemini.ts'
import { modelInPath } from './model-in-path.ts'
import { ownModelOf, showListed } from './own-list.ts'

/** Below `/v2` a model is the stored one. */
const ROOTS = ['/v1', '/openai/v1', ''] as const

const shared: Pick<Endpoint, 'body' | 'isCounted' | 'paramsOf'> = {
  body: { kind: 'none' },
  isCounted: false,
  paramsOf: (_body, request) => ({ model: modelInPath(request) }),
}

const stage: Stage = {
  name: 'model',
  async run(call, next) {
    if (wantsGoogle(call)) await askGeminiModel(call)
    else if (wantsAnthropic(call)) call.become({ ...call.endpoint, ...anthropicModel })
    return next()
  },
}

/** One model: of the provider of the call, or of Weir's own list. */
export const model = defineEndpoint({
  ...shared,
  id: 'one-model',
  described: { operationId: 'getModelOfProvider', summary: 'Show a model of a provider, or of the own list.' },
  routes: [{ method: 'GET', path: '/models/*', roots: ROOTS }],
  scopes: ['models.list', 'completions.write', 'virtual_keys.list'],
  requestTypes: ['retrieveModel'],
  operation: 'retrieve_model',
  form: 'model',
  answer: { kind: 'json', schema: t.Object({ id: t.String(), object: t.Literal('model'), owned_by: t.String() }) },
  stages: [stage],
  fromCatalogue: ownModelOf(showListed),
})

/** Deletes a model of the provider of the call, one that was fine-tuned there. */
export const modelDelete = defineEndpoint({
  ...shared,
  id: 'model-delete',
  described: { operationId: 'deleteModelOfProvider', summary: 'Delete a fine-tuned model of a provider.' },
  routes: [{ method: 'DELETE', path: '/models/*', roots: ROOTS }],
  requestTypes: ['deleteModel'],
  operation: 'delete_model',
  form: 'model-delete',
  answer: { kind: 'json', schema: t.Object({ id: t.String(), object: t.String(), deleted: t.Boolean() }) },
  replay: 'never',
})
