/**
 * Jobs of model customization at Amazon Bedrock (`CreateModelCustomizationJob` and its like of "Amazon Bedrock", as botocore 1.44.5
 * publishes it, read 2026-11-24). Files are in S3, by their URIs; what a job makes is written there. It tells of no events and no
 * checkpoints. A job is called by its name: an ARN has slashes, which some servers take for parts of a path.
 */
import { defined, InvalidRequest, isRecord, UpstreamInvalid } from '#kit'
import {
  type AdapterContext,
  fineTuningBy,
  objectsIn,
  type Provider,
  secondsOf,
  type TunedJob,
  type TuningCall,
  type TuningStatus,
  tuningMethod,
  tuningNumbers,
  uriOfFile,
  wordOf,
} from '#kit/provider'

type Fields = Readonly<Record<string, unknown>>

const PATH = '/model-customization-jobs'

const STATUSES: Readonly<Record<string, TuningStatus>> = {
  InProgress: 'running',
  Stopping: 'running',
  Completed: 'succeeded',
  Failed: 'failed',
  Stopped: 'cancelled',
}

/** Fields of its own. */
const OWN = [
  'customModelName',
  'customModelKmsKeyId',
  'jobTags',
  'customModelTags',
  'vpcConfig',
  'customizationConfig',
] as const

/** A file of the bucket that the call names, where it is no URI. @throws InvalidRequest for one that is nowhere */
const uriOf = (file: unknown, param: string, { settings }: AdapterContext): string | undefined => {
  const given = wordOf(file)
  if (given === undefined) return undefined
  const name = uriOfFile('s3', given)
  if (name.startsWith('s3://')) return name
  const { aws_s3_bucket: bucket = '' } = settings
  if (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) return `s3://${bucket}/${name}`
  throw new InvalidRequest(
    `\`${param}\` must be a URI such as \`s3://bucket/file.jsonl\`, or a file of the bucket that \`x-gateway-aws-s3-bucket\` names.`,
    { param },
  )
}

/** @throws InvalidRequest naming what is missing */
const needed = (value: string | undefined, param: string): string => {
  if (value !== undefined) return value
  throw new InvalidRequest(`\`${param}\` is needed for fine-tuning at Bedrock.`, { param })
}

const requestOf = (asked: Fields, { context }: TuningCall): Fields => {
  tuningMethod(asked, ['supervised'])
  const jobName = wordOf(asked.job_name) ?? `weir-${context.callId}`
  const validation = uriOf(asked.validation_file, 'validation_file', context)
  return defined({
    jobName,
    customModelName: wordOf(asked.suffix) ?? jobName,
    roleArn: needed(wordOf(asked.role_arn), 'role_arn'),
    clientRequestToken: context.callId,
    baseModelIdentifier: asked.model,
    customizationType: 'FINE_TUNING',
    trainingDataConfig: { s3Uri: uriOf(asked.training_file, 'training_file', context) },
    validationDataConfig: validation === undefined ? undefined : { validators: [{ s3Uri: validation }] },
    outputDataConfig: {
      s3Uri: needed(uriOf(asked.output_file ?? besides(context), 'output_file', context), 'output_file'),
    },
    hyperParameters: numbersOf(asked),
    ...Object.fromEntries(OWN.flatMap((name) => (asked[name] === undefined ? [] : [[name, asked[name]]]))),
  })
}

/** Where the output goes that no call names: into its bucket. */
const besides = ({ settings }: AdapterContext): string | undefined =>
  (settings.aws_s3_bucket ?? '') === '' ? undefined : 'fine-tuning'

/** Numbers are texts there; what they are called is the same for Titan, Nova, Llama and Claude ("Custom model
 * hyperparameters" of the user guide, read 2026-11-24). */
const numbersOf = (asked: Fields): Fields | undefined => {
  const { epochs, batchSize, learningRateMultiplier } = tuningNumbers(asked)
  const own = isRecord(asked.hyperParameters) ? asked.hyperParameters : {}
  const all = { ...defined({ epochCount: epochs, batchSize, learningRateMultiplier }), ...own }
  const texts = Object.entries(all).map(([name, value]) => [name, String(value)])
  return texts.length === 0 ? undefined : Object.fromEntries(texts)
}

const inS3 = (config: unknown): string | undefined => (isRecord(config) ? wordOf(config.s3Uri) : undefined)

/** A job as it is shown, or as it stands in a list, where less is said of it. */
const toJob = (job: Fields): TunedJob => {
  const status = STATUSES[String(job.status)] ?? 'running'
  const { validators } = isRecord(job.validationDataConfig) ? job.validationDataConfig : {}
  const output = inS3(job.outputDataConfig)
  return {
    id: String(job.jobName),
    model: String(job.baseModelArn ?? ''),
    status,
    createdAt: secondsOf(job.creationTime) ?? 0,
    finishedAt: secondsOf(job.endTime),
    tunedModel: status === 'succeeded' ? wordOf(job.outputModelArn ?? job.customModelArn) : undefined,
    trainingFile: inS3(job.trainingDataConfig),
    validationFile: Array.isArray(validators) ? inS3(validators[0]) : undefined,
    hyperparameters: isRecord(job.hyperParameters) ? renamed(job.hyperParameters) : undefined,
    suffix: wordOf(job.outputModelName ?? job.customModelName),
    resultFiles: output === undefined ? [] : [output],
    failure: status === 'failed' ? (wordOf(job.failureMessage) ?? 'The job failed.') : undefined,
  }
}

const NAMES: Readonly<Record<string, string>> = {
  epochCount: 'n_epochs',
  batchSize: 'batch_size',
  learningRateMultiplier: 'learning_rate_multiplier',
}

const renamed = (numbers: Fields): Fields =>
  Object.fromEntries(
    Object.entries(numbers).map(([name, value]) => {
      const number = Number(value)
      return [NAMES[name] ?? name, Number.isFinite(number) ? number : value]
    }),
  )

const shown = async (send: TuningCall['send'], id: string): Promise<Fields> =>
  (await send({ method: 'GET', url: `${PATH}/${id}` })).json()

/** @param baseURL of the control plane, where models are listed too */
export const fineTuningAt = ({ baseURL }: { readonly baseURL?: Provider['baseURL'] }) =>
  fineTuningBy({
    ...(baseURL === undefined ? {} : { baseURL }),
    takes: ['validation_file', 'suffix', 'job_name', 'role_arn', 'output_file', 'hyperParameters', ...OWN],
    numbers: ['epochs', 'batchSize', 'learningRateMultiplier'],
    async create(asked, call) {
      const { jobArn } = await (await call.send({ method: 'POST', url: PATH, body: requestOf(asked, call) })).json()
      if (typeof jobArn !== 'string') throw new UpstreamInvalid('The provider answered without a job.')
      return toJob(await shown(call.send, encodeURIComponent(jobArn)))
    },
    retrieve: async ({ id, send }) => toJob(await shown(send, id)),
    async cancel({ id, send }) {
      await send({ method: 'POST', url: `${PATH}/${id}/stop` })
      return toJob(await shown(send, id))
    },
    async list({ after, limit }, { send }) {
      const query = new URLSearchParams({
        maxResults: String(limit),
        sortBy: 'CreationTime',
        sortOrder: 'Descending',
      })
      if (after !== undefined) {
        // Its pages go by tokens that only an answer has: what is behind a job was made before it.
        const { creationTime } = await shown(send, encodeURIComponent(after))
        query.set('creationTimeBefore', isoOf(creationTime))
      }
      const answer = await (await send({ method: 'GET', url: `${PATH}?${query}` })).json()
      return {
        jobs: objectsIn(answer, 'modelCustomizationJobSummaries').map(toJob),
        hasMore: wordOf(answer.nextToken) !== undefined,
      }
    },
  })

/** @throws UpstreamInvalid for a job without a time */
const isoOf = (time: unknown): string => {
  const seconds = secondsOf(time)
  if (seconds === undefined) throw new UpstreamInvalid('The provider answered with a job without a time.')
  return typeof time === 'string' ? time : new Date(seconds * 1000).toISOString()
}
