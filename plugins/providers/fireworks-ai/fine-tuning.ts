/**
 * Supervised fine-tuning at Fireworks: resources/supervised_fine_tuning_jobs.py and types of fireworks-ai 1.2.30 (PyPI, generated from
 * the API reference), read 2026-11-24. Files are its datasets. It tells of no events and no checkpoints.
 */
import { defined, isRecord, UpstreamInvalid } from '#kit'
import {
  type AdapterContext,
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
import { controlURL, lastOf, modelOf, neededAccount } from './account.ts'

type Fields = Readonly<Record<string, unknown>>

const STATUSES: Readonly<Record<string, TuningStatus>> = {
  JOB_STATE_CREATING: 'queued',
  JOB_STATE_PENDING: 'queued',
  JOB_STATE_RE_QUEUEING: 'queued',
  JOB_STATE_VALIDATING: 'validating_files',
  JOB_STATE_CREATING_INPUT_DATASET: 'validating_files',
  JOB_STATE_RUNNING: 'running',
  JOB_STATE_WRITING_RESULTS: 'running',
  JOB_STATE_IDLE: 'running',
  JOB_STATE_PAUSED: 'running',
  JOB_STATE_CANCELLING: 'running',
  JOB_STATE_COMPLETED: 'succeeded',
  JOB_STATE_EARLY_STOPPED: 'succeeded',
  JOB_STATE_FAILED: 'failed',
  JOB_STATE_EXPIRED: 'failed',
  JOB_STATE_CANCELLED: 'cancelled',
}

/** Fields of its own (`SupervisedFineTuningJobCreateParams`). */
const OWN = [
  'awsS3Config',
  'azureBlobStorageConfig',
  'batchSize',
  'displayName',
  'earlyStop',
  'evalAutoCarveout',
  'gradientAccumulationSteps',
  'isTurbo',
  'jinjaTemplate',
  'learningRate',
  'learningRateWarmupSteps',
  'loraRank',
  'maxContextLength',
  'nodes',
  'optimizerWeightDecay',
  'outputModel',
  'region',
  'wandbConfig',
  'warmStartFrom',
] as const

/** Where jobs are. @throws InvalidHeader without an account */
const pathOf = ({ settings }: AdapterContext): string => `/accounts/${needed(settings)}/supervisedFineTuningJobs`

const needed = (settings: AdapterContext['settings']): string => neededAccount(settings, 'Fine-tuning')

/** A dataset by its whole name. */
const datasetOf = (file: unknown, settings: AdapterContext['settings']): string | undefined => {
  const name = wordOf(file)
  return name === undefined || name.includes('/') ? name : `accounts/${needed(settings)}/datasets/${name}`
}

const requestOf = (asked: Fields, { context }: TuningCall): Fields => {
  tuningMethod(asked, ['supervised'])
  const { settings } = context
  const { epochs, batchSize } = tuningNumbers(asked)
  const suffix = wordOf(asked.suffix)
  return defined({
    baseModel: modelOf(String(asked.model), context),
    dataset: datasetOf(asked.training_file, settings),
    evaluationDataset: datasetOf(asked.validation_file, settings),
    displayName: wordOf(asked.job_name),
    outputModel: suffix === undefined ? undefined : `accounts/${needed(settings)}/models/${suffix}`,
    epochs,
    batchSizeSamples: batchSize,
    ...Object.fromEntries(OWN.flatMap((name) => (asked[name] === undefined ? [] : [[name, asked[name]]]))),
  })
}

const toJob = (job: Fields): TunedJob => {
  if (typeof job.name !== 'string') throw new UpstreamInvalid('The provider answered with a job without a name.')
  const status = STATUSES[String(job.state)] ?? 'running'
  const said = isRecord(job.status) ? wordOf(job.status.message) : undefined
  return {
    id: lastOf(job.name),
    model: String(job.baseModel ?? ''),
    status,
    createdAt: secondsOf(job.createTime) ?? 0,
    finishedAt: secondsOf(job.completedTime),
    tunedModel: status === 'succeeded' ? wordOf(job.outputModel) : undefined,
    trainingFile: wordOf(job.dataset),
    validationFile: wordOf(job.evaluationDataset),
    hyperparameters: defined({
      n_epochs: job.epochs,
      batch_size: job.batchSizeSamples,
      learning_rate: job.learningRate,
    }),
    failure: status === 'failed' ? (said ?? 'The job failed.') : undefined,
  }
}

const PAGE = 100

const page = async ({ context, send, id }: TuningCall, token = ''): Promise<TuningPage> => {
  const behind = token === '' ? '' : `&pageToken=${encodeURIComponent(token)}`
  const url = `${pathOf(context)}?pageSize=${PAGE}&orderBy=${encodeURIComponent('create_time desc')}${behind}`
  const answer = await (await send({ method: 'GET', url })).json()
  const next = wordOf(answer.nextPageToken)
  return {
    jobs: objectsIn(answer, 'supervisedFineTuningJobs').map(toJob),
    next: next === undefined ? undefined : () => page({ context, send, id }, next),
  }
}

const retrieve = async ({ context, id, send }: TuningCall): Promise<TunedJob> =>
  toJob(await (await send({ method: 'GET', url: `${pathOf(context)}/${id}` })).json())

/** @param baseURL of its models: jobs are beside them */
export const fineTuningAt = (baseURL: string) =>
  fineTuningBy({
    baseURL: controlURL(baseURL),
    takes: ['validation_file', 'suffix', 'job_name', ...OWN],
    numbers: ['epochs', 'batchSize'],
    create: async (asked, call) =>
      toJob(
        await (await call.send({ method: 'POST', url: pathOf(call.context), body: requestOf(asked, call) })).json(),
      ),
    retrieve,
    async cancel(call) {
      const { context, id, send } = call
      await send({ method: 'POST', url: `${pathOf(context)}/${id}:cancel`, body: {} })
      return retrieve(call)
    },
    list: (query, call) => partOfPages(page(call), query),
  })
