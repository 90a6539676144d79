import { takeOptions } from '#calls/gateway-options'
import { isOwnFileId } from '#core/own-ids'
import {
  defineEndpoint,
  type Endpoint,
  type EndpointDefinition,
  InvalidRequest,
  jsonBody,
  maybe,
  type Stage,
  t,
} from '#kit'
import { Model } from '../fields.ts'
import { Checkpoints, Events, Job, Jobs } from './fields.ts'

const PATH = '/fine_tuning/jobs'
const JOB = `${PATH}/:fine_tuning_job_id`

/** Jobs are kept at one provider, each in a form that every adapter gives. */
const aboutJobs = (
  definition: Omit<EndpointDefinition, 'operation' | 'body'> & Partial<EndpointDefinition>,
): Endpoint =>
  defineEndpoint({
    operation: definition.id.replaceAll('-', '_'),
    body: { kind: 'none' },
    form: definition.id,
    hasModel: false,
    isCounted: false,
    singleTarget: true,
    ...definition,
  })

/** What the body may say in the place of headers (contract, section 2.2). */
const OPTIONS = ['virtual-key', 'aws-s3-bucket', 'vertex-storage-bucket-name'] as const

const options: Stage = {
  name: 'fine-tuning-options',
  run(call, next) {
    takeOptions(call, OPTIONS)
    for (const param of ['training_file', 'validation_file']) refuseOwnFile(call.params[param], param)
    return next()
  },
}

/** @throws InvalidRequest for a file that no provider has */
const refuseOwnFile = (id: unknown, param: string): void => {
  if (!isOwnFileId(id)) return
  throw new InvalidRequest(
    `\`${param}\` is a file of Weir: send it to the provider that trains, and name it as that does.`,
    {
      param,
    },
  )
}

const File = t.String({ minLength: 1 })

const create = aboutJobs({
  id: 'fine-tuning-create',
  described: { operationId: 'createFineTuningJob', summary: 'Train a model with examples.' },
  routes: [{ method: 'POST', path: PATH }],
  requestTypes: ['createFinetune'],
  body: jsonBody(
    t.Object({
      model: Model,
      training_file: File,
      validation_file: maybe(t.String()),
      suffix: maybe(t.String()),
      method: maybe(t.Object({ type: t.String() })),
      hyperparameters: maybe(t.Object({})),
      seed: maybe(t.Integer()),
      metadata: maybe(t.Object({})),
      integrations: maybe(t.Array(t.Object({ type: t.String() }))),
      job_name: maybe(t.String()),
      role_arn: maybe(t.String()),
      output_file: maybe(t.String()),
      gateway_options: maybe(
        t.Object(Object.fromEntries(OPTIONS.map((name) => [`x-gateway-${name}`, t.Optional(t.String())]))),
      ),
      provider_options: maybe(t.Object({})),
    }),
  ),
  answer: { kind: 'json', schema: Job },
  stages: [options],
  hasModel: true,
  // What it costs is the provider's to say, and said later: a limit or a budget that is used up refuses it all the same.
  isCounted: true,
  // One that was begun twice would be paid twice.
  replay: 'never',
})

/** Training with examples, in OpenAI's form at every provider that has it. */
export const fineTuningEndpoints: readonly Endpoint[] = [
  create,
  aboutJobs({
    id: 'fine-tuning-list',
    described: { operationId: 'listFineTuningJobs', summary: 'List jobs of fine-tuning.' },
    routes: [{ method: 'GET', path: PATH }],
    requestTypes: ['listFinetunes'],
    answer: { kind: 'json', schema: Jobs },
  }),
  aboutJobs({
    id: 'fine-tuning-retrieve',
    described: { operationId: 'retrieveFineTuningJob', summary: 'Show a job of fine-tuning.' },
    routes: [{ method: 'GET', path: JOB }],
    requestTypes: ['retrieveFinetune'],
    answer: { kind: 'json', schema: Job },
  }),
  aboutJobs({
    id: 'fine-tuning-events',
    described: { operationId: 'listFineTuningEvents', summary: 'List what happened in a job of fine-tuning.' },
    routes: [{ method: 'GET', path: `${JOB}/events` }],
    requestTypes: ['listFinetuneEvents'],
    answer: { kind: 'json', schema: Events },
  }),
  aboutJobs({
    id: 'fine-tuning-checkpoints',
    described: {
      operationId: 'listFineTuningJobCheckpoints',
      summary: 'List the checkpoints of a job of fine-tuning.',
    },
    routes: [{ method: 'GET', path: `${JOB}/checkpoints` }],
    requestTypes: ['listFinetuneCheckpoints'],
    answer: { kind: 'json', schema: Checkpoints },
  }),
  aboutJobs({
    id: 'fine-tuning-cancel',
    described: { operationId: 'cancelFineTuningJob', summary: 'Stop a job of fine-tuning.' },
    routes: [{ method: 'POST', path: `${JOB}/cancel` }],
    requestTypes: ['cancelFinetune'],
    answer: { kind: 'json', schema: Job },
  }),
]
