import { defineEndpoint, type Endpoint, type EndpointDefinition, t } from '#kit'
import { responseAnswers } from './answers.ts'
import { responseErrors } from './errors.ts'

const PATH = '/responses/:response_id'

const Response = t.Object({ id: t.String(), object: t.Literal('response'), output: t.Array(t.Unknown()) })

/** Calls about a response that was made before: no model is asked, and nothing is counted. */
const aboutResponse = (definition: Omit<EndpointDefinition, 'operation' | 'body'>): Endpoint =>
  defineEndpoint({
    operation: definition.id,
    body: { kind: 'none' },
    form: definition.id,
    errors: responseErrors,
    hasModel: false,
    isCounted: false,
    ...definition,
  })

/** With `stream=true` the events of one that is made in the background, from the beginning or behind `starting_after`. */
export const getResponse = aboutResponse({
  id: 'response',
  described: { operationId: 'getResponse', summary: 'Read a response that was kept.' },
  routes: [{ method: 'GET', path: PATH }],
  requestTypes: ['getModelResponse'],
  answer: { kind: 'events', schema: Response, form: responseAnswers },
  paramsOf: (_body, { query }) => (query.get('stream') === 'true' ? { stream: true } : {}),
})

export const deleteResponse = aboutResponse({
  id: 'response-delete',
  described: { operationId: 'deleteResponse', summary: 'Delete a response that was kept.' },
  routes: [{ method: 'DELETE', path: PATH }],
  requestTypes: ['deleteModelResponse'],
  answer: { kind: 'json', schema: t.Object({ id: t.String(), deleted: t.Boolean() }) },
})

export const cancelResponse = aboutResponse({
  id: 'response-cancel',
  described: { operationId: 'cancelResponse', summary: 'Stop a response that a provider makes in the background.' },
  routes: [{ method: 'POST', path: `${PATH}/cancel` }],
  requestTypes: ['cancelModelResponse'],
  answer: { kind: 'json', schema: Response },
})

export const listInputItems = aboutResponse({
  id: 'response-input-items',
  described: { operationId: 'listInputItems', summary: 'List what a response was made from.' },
  routes: [{ method: 'GET', path: `${PATH}/input_items` }],
  requestTypes: ['listResponseInputItems'],
  answer: { kind: 'json', schema: t.Object({ object: t.Literal('list'), data: t.Array(t.Unknown()) }) },
})
