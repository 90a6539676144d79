import { defineEndpoint, type Endpoint, type EndpointDefinition, jsonBody, maybe, t } from '#kit'

/** `Batch` of OpenAI's reference ("Batch", read 2026-11-22). */
const Batch = t.Object({
  id: t.String(),
  object: t.Literal('batch'),
  endpoint: t.String(),
  status: t.String(),
  input_file_id: t.String(),
  request_counts: t.Optional(t.Object({ total: t.Number(), completed: t.Number(), failed: t.Number() })),
})

const Fields = t.Record(t.String(), t.Unknown())

/** All four shapes of the interface (contract, section 2.2): what one of them has not stays away. */
const NewBatch = t.Object({
  input_file_id: t.String({ minLength: 1 }),
  completion_window: t.String({ minLength: 1 }),
  endpoint: t.String({ minLength: 1 }),
  metadata: maybe(t.Record(t.String(), t.Unknown())),
  model: maybe(t.String()),
  job_name: maybe(t.String()),
  role_arn: maybe(t.String()),
  output_data_config: maybe(t.Unknown()),
  output_expires_after: maybe(Fields),
  gateway_options: maybe(Fields),
  provider_options: maybe(Fields),
})

/** Calls about batches: no model is asked by them, and nothing is counted. */
const aboutBatches = (definition: Omit<EndpointDefinition, 'operation'>): Endpoint =>
  defineEndpoint({
    operation: definition.id,
    form: definition.id,
    hasModel: false,
    singleTarget: true,
    isCounted: false,
    ...definition,
  })

const PATH = '/batches/:batch_id'

export const createBatch = aboutBatches({
  id: 'batch-create',
  described: {
    operationId: 'createBatch',
    summary: 'Run many requests: at the provider of the call, or by Weir, where it has no batches or none is named.',
  },
  routes: [{ method: 'POST', path: '/batches' }],
  requestTypes: ['createBatch'],
  body: jsonBody(NewBatch),
  answer: { kind: 'json', schema: Batch },
  replay: 'never',
})

export const listBatches = aboutBatches({
  id: 'batch-list',
  described: { operationId: 'listBatches', summary: 'List batches, the newest first.' },
  routes: [{ method: 'GET', path: '/batches' }],
  requestTypes: ['listBatches'],
  body: { kind: 'none' },
  answer: { kind: 'json', schema: t.Object({ object: t.Literal('list'), data: t.Array(Batch) }) },
})

export const readBatch = aboutBatches({
  id: 'batch-info',
  described: { operationId: 'retrieveBatch', summary: 'Show a batch and how far it has come.' },
  routes: [{ method: 'GET', path: PATH }],
  requestTypes: ['retrieveBatch'],
  body: { kind: 'none' },
  answer: { kind: 'json', schema: Batch },
})

export const cancelBatch = aboutBatches({
  id: 'batch-cancel',
  described: { operationId: 'cancelBatch', summary: 'Stop a batch: what was answered is kept.' },
  routes: [{ method: 'POST', path: `${PATH}/cancel` }],
  requestTypes: ['cancelBatch'],
  body: { kind: 'none' },
  answer: { kind: 'json', schema: Batch },
})

export const batchOutput = aboutBatches({
  id: 'batch-output',
  described: { operationId: 'getBatchOutput', summary: 'Read the results of a batch that has ended, line by line.' },
  routes: [{ method: 'GET', path: `${PATH}/output` }],
  requestTypes: ['getBatchOutput'],
  body: { kind: 'none' },
  answer: { kind: 'bytes' },
})

export const batchEndpoints: readonly Endpoint[] = [createBatch, listBatches, readBatch, cancelBatch, batchOutput]
