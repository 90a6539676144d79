/**
 * Fine-tuning at Mistral, after mistralai 1.9.11 of PyPI (jobs.py, jobin.py, completiondetailedjobout.py), the last line of its SDK that
 * has it, read 2026-11-24: events and checkpoints stand in the job. Files are those of its own files.
 */
import { defined, isRecord } from '#kit'
import {
  fineTuningBy,
  objectsIn,
  partOfPages,
  secondsOf,
  type TunedJob,
  type TuningCall,
  type TuningPage,
  type TuningStatus,
  tuningMethod,
  tuningNumbers,
  wordOf,
} from '#kit/provider'

type Fields = Readonly<Record<string, unknown>>

const PATH = '/fine_tuning/jobs'

const STATUSES: Readonly<Record<string, TuningStatus>> = {
  QUEUED: 'queued',
  STARTED: 'queued',
  VALIDATING: 'validating_files',
  VALIDATED: 'validating_files',
  RUNNING: 'running',
  CANCELLATION_REQUESTED: 'running',
  FAILED_VALIDATION: 'failed',
  FAILED: 'failed',
  SUCCESS: 'succeeded',
  CANCELLED: 'cancelled',
}

/** Numbers of its own, which stand beside the others of a request. */
const HYPERPARAMETERS = [
  'training_steps',
  'learning_rate',
  'weight_decay',
  'warmup_fraction',
  'seq_len',
  'fim_ratio',
] as const

/** Fields of its own. */
const OWN = ['auto_start', 'invalid_sample_skip_percentage', 'job_type', 'repositories', 'classifier_targets'] as const

const picked = (asked: Fields, names: readonly string[]): Fields =>
  defined(Object.fromEntries(names.map((name) => [name, asked[name]])))

const requestOf = (asked: Fields): Fields => {
  tuningMethod(asked, ['supervised'])
  const { model, training_file: file, validation_file: validation, suffix, integrations } = asked
  return defined({
    model,
    training_files: [{ file_id: file, weight: 1 }],
    validation_files: wordOf(validation) === undefined ? undefined : [validation],
    suffix: wordOf(suffix),
    hyperparameters: defined({ epochs: tuningNumbers(asked).epochs, ...picked(asked, HYPERPARAMETERS) }),
    integrations: Array.isArray(integrations) ? integrations.map(toIntegration) : undefined,
    // "This field will be required in a future release."
    auto_start: true,
    ...picked(asked, OWN),
  })
}

/** OpenAI's has its fields one level deeper. */
const toIntegration = (integration: unknown): unknown =>
  isRecord(integration) && isRecord(integration.wandb) ? { type: 'wandb', ...integration.wandb } : integration

/** Without what the job leaves to its provider. */
const said = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))

const firstOf = (files: unknown): string | undefined => (Array.isArray(files) ? wordOf(files[0]) : undefined)

const toJob = (job: Fields): TunedJob => {
  const status = STATUSES[String(job.status)] ?? 'running'
  const isOver = status === 'succeeded' || status === 'failed' || status === 'cancelled'
  const { epochs, ...numbers } = isRecord(job.hyperparameters) ? job.hyperparameters : {}
  return {
    id: String(job.id),
    model: String(job.model),
    status,
    createdAt: secondsOf(job.created_at) ?? 0,
    finishedAt: isOver ? secondsOf(job.modified_at) : undefined,
    tunedModel: wordOf(job.fine_tuned_model),
    trainingFile: firstOf(job.training_files),
    validationFile: firstOf(job.validation_files),
    hyperparameters: said({ n_epochs: epochs, ...numbers }),
    trainedTokens: typeof job.trained_tokens === 'number' ? job.trained_tokens : undefined,
    suffix: wordOf(job.suffix),
    failure: status === 'failed' ? failureIn(job) : undefined,
  }
}

const failureIn = (job: Fields): string => {
  const said = objectsIn(job, 'events').map(({ data }) => (isRecord(data) ? wordOf(data.error) : undefined))
  return said.find((words) => words !== undefined) ?? `The job ended as ${String(job.status)}.`
}

const askedJob = async ({ id, send }: TuningCall): Promise<Fields> =>
  (await send({ method: 'GET', url: `${PATH}/${id}` })).json()

/** Items with a time, the oldest first. */
const inOrder = (job: Fields, name: string) =>
  objectsIn(job, name)
    .map((item) => ({ item, createdAt: secondsOf(item.created_at) ?? 0 }))
    .toSorted((one, other) => one.createdAt - other.createdAt)

const PAGE = 100

const page = async ({ send, ...call }: TuningCall, number: number): Promise<TuningPage> => {
  const answer = await (await send({ method: 'GET', url: `${PATH}?page=${number}&page_size=${PAGE}` })).json()
  const jobs = objectsIn(answer, 'data').map(toJob)
  return {
    jobs: jobs.toSorted((one, other) => other.createdAt - one.createdAt),
    next: jobs.length < PAGE ? undefined : () => page({ send, ...call }, number + 1),
  }
}

export const fineTuning = fineTuningBy({
  takes: ['validation_file', 'suffix', 'integrations', ...HYPERPARAMETERS, ...OWN],
  numbers: ['epochs'],
  create: async (asked, { send }) =>
    toJob(await (await send({ method: 'POST', url: PATH, body: requestOf(asked) })).json()),
  retrieve: async (call) => toJob(await askedJob(call)),
  cancel: async ({ id, send }) => toJob(await (await send({ method: 'POST', url: `${PATH}/${id}/cancel` })).json()),
  list: (query, call) => partOfPages(page(call, 0), query),
  events: async (call) =>
    inOrder(await askedJob(call), 'events').map(({ item, createdAt }) => ({
      createdAt,
      level: isRecord(item.data) && item.data.error !== undefined ? 'error' : 'info',
      message: String(item.name),
      data: item.data,
    })),
  checkpoints: async (call) => {
    const job = await askedJob(call)
    return inOrder(job, 'checkpoints').map(({ item, createdAt }) => {
      const step = typeof item.step_number === 'number' ? item.step_number : 0
      return {
        createdAt,
        step,
        model: `${String(job.fine_tuned_model ?? job.id)}:${step}`,
        metrics: isRecord(item.metrics) ? item.metrics : undefined,
      }
    })
  },
})
