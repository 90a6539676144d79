/**
 * Fine-tuning at Together AI: types of together 3.1.1 of PyPI (resources/fine_tuning.py, types/finetune_response.py,
 * lib/types/fine_tuning.py), read 2026-11-24. Lists come whole.
 */
import { defined, InvalidRequest, isRecord } from '#kit'
import {
  fineTuningBy,
  objectsIn,
  partOfPages,
  secondsOf,
  type TunedJob,
  type TuningCall,
  type TuningEvent,
  type TuningStatus,
  tuningMethod,
  tuningNumbers,
  wordOf,
} from '#kit/provider'

type Fields = Readonly<Record<string, unknown>>

const PATH = '/fine-tunes'

const STATUSES: Readonly<Record<string, TuningStatus>> = {
  pending: 'queued',
  queued: 'queued',
  running: 'running',
  compressing: 'running',
  uploading: 'running',
  cancel_requested: 'running',
  cancelled: 'cancelled',
  error: 'failed',
  completed: 'succeeded',
}

/** Fields of its own (`FinetuneRequest`). */
const OWN = [
  'packing',
  'learning_rate',
  'lr_scheduler',
  'warmup_ratio',
  'max_grad_norm',
  'weight_decay',
  'n_checkpoints',
  'n_evals',
  'max_seq_length',
  'gradient_accumulation_steps',
  'wandb_key',
  'wandb_base_url',
  'early_stopping_enabled',
  'early_stopping_patience',
  'early_stopping_min_delta',
  'early_stopping_warmup_evals',
  'training_type',
  'training_method',
  'from_checkpoint',
  'multimodal_params',
  'from_hf_model',
  'hf_model_revision',
  'hf_api_token',
  'hf_output_repo_name',
] as const

const requestOf = (asked: Fields): Fields => {
  const { model, training_file, validation_file, suffix, seed } = asked
  const { epochs, batchSize, beta } = tuningNumbers(asked)
  const method = tuningMethod(asked, ['supervised', 'dpo'])
  return defined({
    model,
    training_file,
    validation_file: wordOf(validation_file),
    suffix: wordOf(suffix),
    n_epochs: epochs,
    batch_size: batchSize,
    random_seed: typeof seed === 'number' ? seed : undefined,
    training_method: method === 'dpo' ? defined({ method: 'dpo', dpo_beta: beta }) : undefined,
    ...wandbOf(asked.integrations),
    ...Object.fromEntries(OWN.flatMap((name) => (asked[name] === undefined ? [] : [[name, asked[name]]]))),
  })
}

/** @throws InvalidRequest for an integration that it does not have */
const wandbOf = (integrations: unknown): Fields => {
  if (!Array.isArray(integrations) || integrations.length === 0) return {}
  const [first, ...others]: unknown[] = integrations
  const wandb = isRecord(first) && first.type === 'wandb' && isRecord(first.wandb) ? first.wandb : undefined
  if (wandb === undefined || others.length > 0) {
    throw new InvalidRequest('`integrations` may name one `wandb` alone here.', { param: 'integrations' })
  }
  return defined({
    wandb_project_name: wandb.project,
    wandb_name: wandb.name ?? undefined,
    wandb_entity: wandb.entity ?? undefined,
  })
}

const toJob = (job: Fields): TunedJob => {
  const status = STATUSES[String(job.status)] ?? 'running'
  const isOver = status === 'succeeded' || status === 'failed' || status === 'cancelled'
  const method = isRecord(job.training_method) && job.training_method.method === 'dpo' ? 'dpo' : 'supervised'
  return {
    id: String(job.id),
    model: String(job.model ?? ''),
    status,
    createdAt: secondsOf(job.created_at) ?? 0,
    finishedAt: isOver ? secondsOf(job.updated_at) : undefined,
    // The name stands there before the model does.
    tunedModel: status === 'succeeded' ? wordOf(job.model_output_name) : undefined,
    trainingFile: wordOf(job.training_file),
    validationFile: wordOf(job.validation_file),
    hyperparameters: defined({
      n_epochs: job.n_epochs,
      batch_size: job.batch_size ?? undefined,
      learning_rate: job.learning_rate ?? undefined,
    }),
    method,
    trainedTokens: typeof job.token_count === 'number' && status === 'succeeded' ? job.token_count : undefined,
    failure: status === 'failed' ? failureIn(job) : undefined,
  }
}

const failureIn = (job: Fields): string =>
  wordOf(objectsIn(job, 'events').findLast(({ type }) => type === 'job_error')?.message) ?? 'The job failed.'

const LEVELS: Readonly<Record<string, TuningEvent['level']>> = {
  warning: 'warn',
  legacy_iwarning: 'warn',
  error: 'error',
  legacy_ierror: 'error',
}

/** Items of a list of a job, the oldest first. */
const itemsOf = async ({ id, send }: TuningCall, name: string) => {
  const answer = await (await send({ method: 'GET', url: `${PATH}/${id}/${name}` })).json()
  return objectsIn(answer, 'data')
    .map((item) => ({ item, createdAt: secondsOf(item.created_at) ?? 0 }))
    .toSorted((one, other) => one.createdAt - other.createdAt)
}

const all = async (send: TuningCall['send']) => {
  const jobs = objectsIn(await (await send({ method: 'GET', url: PATH })).json(), 'data').map(toJob)
  return { jobs: jobs.toSorted((one, other) => other.createdAt - one.createdAt) }
}

export const fineTuning = fineTuningBy({
  takes: ['validation_file', 'suffix', 'seed', 'integrations', ...OWN],
  numbers: ['epochs', 'batchSize', 'beta'],
  create: async (asked, { send }) =>
    toJob(await (await send({ method: 'POST', url: PATH, body: requestOf(asked) })).json()),
  retrieve: async ({ id, send }) => toJob(await (await send({ method: 'GET', url: `${PATH}/${id}` })).json()),
  cancel: async ({ id, send }) => toJob(await (await send({ method: 'POST', url: `${PATH}/${id}/cancel` })).json()),
  list: (query, { send }) => partOfPages(all(send), query),
  events: async (call) =>
    (await itemsOf(call, 'events')).map(({ item, createdAt }) => ({
      createdAt,
      level: LEVELS[String(item.level)] ?? 'info',
      message: String(item.message),
      data: { type: item.type, ...(typeof item.step === 'number' ? { step: item.step } : {}) },
    })),
  checkpoints: async (call) =>
    (await itemsOf(call, 'checkpoints')).map(({ item, createdAt }) => {
      const step = typeof item.step === 'number' ? item.step : 0
      // A job goes on from one by this name ("from_checkpoint" of its reference).
      return { createdAt, step, model: `${call.id}:${step}`, metrics: {} }
    }),
})
