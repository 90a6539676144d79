/**
 * Tuning jobs at Vertex AI: tunings.py and types.py of google-genai 3.4.0 (PyPI), read 2026-11-24. Files are in Cloud Storage, by their
 * URIs. It tells of no events; checkpoints stand in the tuned model.
 */
import { defined, InvalidRequest, isRecord, UpstreamInvalid } from '#kit'
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
  uriOfFile,
  wordOf,
} from '#kit/provider'
import { nameOf } from './model.ts'
import { projectPath } from './place.ts'

type Fields = Readonly<Record<string, unknown>>

const STATUSES: Readonly<Record<string, TuningStatus>> = {
  JOB_STATE_QUEUED: 'queued',
  JOB_STATE_PENDING: 'queued',
  JOB_STATE_RUNNING: 'running',
  JOB_STATE_PAUSED: 'running',
  JOB_STATE_UPDATING: 'running',
  JOB_STATE_CANCELLING: 'running',
  JOB_STATE_SUCCEEDED: 'succeeded',
  JOB_STATE_PARTIALLY_SUCCEEDED: 'succeeded',
  JOB_STATE_FAILED: 'failed',
  JOB_STATE_EXPIRED: 'failed',
  JOB_STATE_CANCELLED: 'cancelled',
}

/** What each method is called there. */
const SPECS = { supervised: 'supervisedTuningSpec', dpo: 'preferenceOptimizationSpec' } as const

/** Fields of its own. */
const OWN = ['description', 'labels', 'encryptionSpec', 'serviceAccount', 'customBaseModel', 'outputUri'] as const

const pathOf = ({ settings }: AdapterContext): string => `${projectPath('v1', settings)}/tuningJobs`

/** A file of the bucket that the call names, where it is no URI. @throws InvalidRequest for one that is nowhere */
const uriOf = (file: unknown, param: string, { settings }: AdapterContext): string | undefined => {
  const given = wordOf(file)
  if (given === undefined) return undefined
  const name = uriOfFile('gs', given)
  if (name.startsWith('gs://') || name.startsWith('projects/')) return name
  const { vertex_storage_bucket_name: bucket = '' } = settings
  if (/^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/.test(bucket)) return `gs://${bucket}/${name}`
  throw new InvalidRequest(
    `\`${param}\` must be a URI such as \`gs://bucket/file.jsonl\`, or a file of the bucket that \`x-gateway-vertex-storage-bucket-name\` names.`,
    { param },
  )
}

const requestOf = (asked: Fields, { context }: TuningCall): Fields => {
  const method = tuningMethod(asked, ['supervised', 'dpo']) ?? 'supervised'
  const { epochs, learningRateMultiplier, beta } = tuningNumbers(asked)
  const spec = defined({
    trainingDatasetUri: uriOf(asked.training_file, 'training_file', context),
    validationDatasetUri: uriOf(asked.validation_file, 'validation_file', context),
    hyperParameters: defined({
      epochCount: epochs,
      learningRateMultiplier,
      beta: method === 'dpo' ? beta : undefined,
      adapterSize: asked.adapterSize,
    }),
  })
  return defined({
    baseModel: nameOf(String(asked.model)),
    tunedModelDisplayName: wordOf(asked.suffix) ?? wordOf(asked.job_name),
    [SPECS[method]]: spec,
    ...Object.fromEntries(OWN.flatMap((name) => (asked[name] === undefined ? [] : [[name, asked[name]]]))),
  })
}

/** Whole numbers of 64 bits are texts in JSON of Google. */
const countOf = (value: unknown): number | undefined => {
  const number = typeof value === 'string' ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined
}

const fieldsIn = (holder: Fields, name: string): Fields => {
  const value = holder[name]
  return isRecord(value) ? value : {}
}

const toJob = (job: Fields): TunedJob => {
  if (typeof job.name !== 'string') throw new UpstreamInvalid('The provider answered with a job without a name.')
  const status = STATUSES[String(job.state)] ?? 'running'
  const method = isRecord(job.preferenceOptimizationSpec) ? 'dpo' : 'supervised'
  const spec = fieldsIn(job, SPECS[method])
  const { epochCount, learningRateMultiplier, ...numbers } = fieldsIn(spec, 'hyperParameters')
  const stats = fieldsIn(fieldsIn(job, 'tuningDataStats'), 'supervisedTuningDataStats')
  const failed = status === 'failed' ? (wordOf(fieldsIn(job, 'error').message) ?? 'The job failed.') : undefined
  return {
    id: job.name.split('/').at(-1) ?? '',
    model: String(job.baseModel ?? ''),
    status,
    createdAt: secondsOf(job.createTime) ?? 0,
    finishedAt: secondsOf(job.endTime),
    tunedModel: status === 'succeeded' ? wordOf(fieldsIn(job, 'tunedModel').endpoint) : undefined,
    trainingFile: wordOf(spec.trainingDatasetUri),
    validationFile: wordOf(spec.validationDatasetUri),
    hyperparameters: defined({
      n_epochs: countOf(epochCount),
      learning_rate_multiplier: learningRateMultiplier,
      ...numbers,
    }),
    method,
    trainedTokens: countOf(stats.totalBillableTokenCount),
    suffix: wordOf(job.tunedModelDisplayName),
    failure: failed,
  }
}

const shown = async ({ context, id, send }: TuningCall): Promise<Fields> =>
  (await send({ method: 'GET', url: `${pathOf(context)}/${id}` })).json()

const PAGE = 100

const page = async ({ context, send, id }: TuningCall, token = ''): Promise<TuningPage> => {
  const behind = token === '' ? '' : `&pageToken=${encodeURIComponent(token)}`
  const answer = await (await send({ method: 'GET', url: `${pathOf(context)}?pageSize=${PAGE}${behind}` })).json()
  const next = wordOf(answer.nextPageToken)
  const jobs = objectsIn(answer, 'tuningJobs').map(toJob)
  return {
    jobs: jobs.toSorted((one, other) => other.createdAt - one.createdAt),
    next: next === undefined ? undefined : () => page({ context, send, id }, next),
  }
}

export const fineTuning = fineTuningBy({
  takes: ['validation_file', 'suffix', 'job_name', 'adapterSize', ...OWN],
  numbers: ['epochs', 'learningRateMultiplier', 'beta'],
  create: async (asked, call) =>
    toJob(await (await call.send({ method: 'POST', url: pathOf(call.context), body: requestOf(asked, call) })).json()),
  retrieve: async (call) => toJob(await shown(call)),
  async cancel(call) {
    const { context, id, send } = call
    await send({ method: 'POST', url: `${pathOf(context)}/${id}:cancel`, body: {} })
    return toJob(await shown(call))
  },
  list: (query, call) => partOfPages(page(call), query),
  checkpoints: async (call) => {
    const job = await shown(call)
    const createdAt = secondsOf(job.endTime) ?? secondsOf(job.createTime) ?? 0
    return objectsIn(fieldsIn(job, 'tunedModel'), 'checkpoints').map(({ checkpointId, step, epoch, endpoint }) => ({
      createdAt,
      step: countOf(step) ?? 0,
      model: wordOf(endpoint) ?? String(checkpointId),
      metrics: defined({ epoch: countOf(epoch) }),
    }))
  },
})
