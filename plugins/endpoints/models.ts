import { defineEndpoint, t } from '#kit'

const Model = t.Object({ id: t.String(), object: t.Literal('model'), owned_by: t.String() })

export default defineEndpoint({
  id: 'models',
  described: { operationId: 'listModels', summary: 'List the models that the caller can use.' },
  routes: [
    { method: 'GET', path: '/models' },
    // Where clients of Azure look.
    { method: 'GET', path: '/models', roots: ['/openai'] },
  ],
  scopes: ['models.list', 'completions.write', 'virtual_keys.list'],
  requestTypes: ['listModels'],
  operation: 'list_models',
  form: 'models',
  body: { kind: 'none' },
  answer: { kind: 'json', schema: t.Object({ object: t.Literal('list'), data: t.Array(Model) }) },
  hasModel: false,
  askedOfCatalogue: () => '',
  isCounted: false,
})
