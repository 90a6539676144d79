import { isRecord } from '#kit'
import { MockRefusal } from '../refusal.ts'
import type { Fields, Kept, KeptObjects } from './objects.ts'
import { page } from './page.ts'
import { given, type KeptCall, type KeptRoute, required } from './route.ts'

const ONE = '/fine_tuning/jobs/:job'

/** Tokens that the mock says it was trained on: it reads no file. */
const TRAINED_TOKENS = 1_000

/** Steps of the training behind which it keeps a checkpoint. */
const STEPS = [50, 100] as const

/** Fields as `FineTuningJob` of openai-node 7.55.0 has them (resources/fine-tuning/jobs), read 2026-11-24. */
const create = ({ objects, body }: KeptCall): Kept => {
  const model = required(body, 'model')
  const job = objects.make('jobs', {
    model,
    training_file: required(body, 'training_file'),
    validation_file: null,
    status: 'validating_files',
    fine_tuned_model: null,
    finished_at: null,
    estimated_finish: null,
    error: null,
    organization_id: 'org-mock',
    result_files: [],
    trained_tokens: null,
    seed: 0,
    integrations: [],
    metadata: {},
    method: { type: 'supervised', supervised: { hyperparameters: HYPERPARAMETERS } },
    hyperparameters: hyperparametersOf(body),
    suffix: null,
    ...given(body, ['validation_file', 'seed', 'integrations', 'metadata', 'method', 'suffix']),
  })
  note(objects, job, `Created fine-tuning job: ${job.id}`)
  return job
}

const HYPERPARAMETERS = { n_epochs: 'auto', batch_size: 'auto', learning_rate_multiplier: 'auto' }

const hyperparametersOf = ({ hyperparameters }: Fields): Fields => ({
  ...HYPERPARAMETERS,
  ...(isRecord(hyperparameters) ? hyperparameters : {}),
})

const note = (objects: KeptObjects, { id }: Kept, message: string): Kept =>
  objects.make('jobEvents', { job: id, level: 'info', message, type: 'message', data: null })

const jobOf = ({ objects, ids }: KeptCall): Kept => objects.find('jobs', ids.job ?? '')

/** A job goes on by a step whenever somebody looks at it: the mock has no clock. */
const looked = (call: KeptCall): Kept => {
  const { objects } = call
  const job = jobOf(call)
  if (job.status === 'validating_files') {
    note(objects, job, 'Fine-tuning job started')
    return objects.change('jobs', job, { status: 'running' })
  }
  return job.status === 'running' ? finish(objects, job) : job
}

const finish = (objects: KeptObjects, job: Kept): Kept => {
  const suffix = typeof job.suffix === 'string' ? job.suffix : ''
  const model = `ft:${String(job.model)}:mock:${suffix}:${job.id.slice(-8)}`
  for (const step of STEPS) {
    objects.make('checkpoints', {
      fine_tuning_job_id: job.id,
      fine_tuned_model_checkpoint: `${model}:ckpt-step-${step}`,
      step_number: step,
      metrics: { step, train_loss: 1 / step },
    })
  }
  const last = note(objects, job, 'The job has successfully completed')
  return objects.change('jobs', job, {
    status: 'succeeded',
    fine_tuned_model: model,
    finished_at: last.created_at,
    trained_tokens: TRAINED_TOKENS,
  })
}

const cancel = (call: KeptCall): Kept => {
  const job = jobOf(call)
  if (job.status !== 'validating_files' && job.status !== 'running') {
    throw new MockRefusal(400, `The job is ${String(job.status)}: it cannot be cancelled.`)
  }
  const last = note(call.objects, job, 'The job was cancelled')
  return call.objects.change('jobs', job, { status: 'cancelled', finished_at: last.created_at })
}

/** Without the job, which only its path names. */
const showEvent = ({ job: _, ...event }: Kept & { readonly job?: unknown }): Kept => event

export const fineTuningRoutes: readonly KeptRoute[] = [
  ['GET /fine_tuning/jobs', ({ objects, query }) => page(objects.list('jobs'), query)],
  ['POST /fine_tuning/jobs', create],
  [`GET ${ONE}`, looked],
  [
    `GET ${ONE}/events`,
    (call) => page(call.objects.list('jobEvents', { job: jobOf(call).id }).map(showEvent), call.query),
  ],
  [
    `GET ${ONE}/checkpoints`,
    (call) => page(call.objects.list('checkpoints', { fine_tuning_job_id: jobOf(call).id }), call.query, 10),
  ],
  [`POST ${ONE}/cancel`, cancel],
]
