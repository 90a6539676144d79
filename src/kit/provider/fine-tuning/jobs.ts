import { isRecord } from '../../../core/json/record.ts'
import { InvalidRequest } from '../../../errors/gateway-error.ts'

type Fields = Readonly<Record<string, unknown>>

/** Words of OpenAI for how far a job is. */
export type TuningStatus = 'validating_files' | 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'

/** What a provider says of a job, as far as it says it. Times are seconds since 1970. */
export interface TunedJob {
  readonly id: string
  readonly model: string
  readonly status: TuningStatus
  readonly createdAt: number
  readonly finishedAt?: number | undefined
  /** Name of what came of it. */
  readonly tunedModel?: string | undefined
  readonly trainingFile?: string | undefined
  readonly validationFile?: string | undefined
  readonly hyperparameters?: Fields | undefined
  readonly method?: 'supervised' | 'dpo' | 'reinforcement' | undefined
  readonly trainedTokens?: number | undefined
  readonly seed?: number | undefined
  readonly suffix?: string | undefined
  /** Where it writes what it made. */
  readonly resultFiles?: readonly string[] | undefined
  readonly metadata?: Fields | undefined
  /** Why it failed. */
  readonly failure?: string | undefined
}

/** Something that happened in a job. */
export interface TuningEvent {
  readonly createdAt: number
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
  readonly data?: unknown
}

export interface TuningCheckpoint {
  readonly createdAt: number
  readonly step: number
  /** What it is called by. */
  readonly model: string
  readonly metrics?: Fields | undefined
}

/** A job in the reference form: `FineTuningJob` of openai-node 7.55.0 (resources/fine-tuning/jobs), read 2026-11-24. */
export const showJob = (job: TunedJob): Fields => ({
  id: job.id,
  object: 'fine_tuning.job',
  model: job.model,
  created_at: job.createdAt,
  finished_at: job.finishedAt ?? null,
  estimated_finish: null,
  fine_tuned_model: job.tunedModel ?? null,
  organization_id: '',
  result_files: job.resultFiles ?? [],
  status: job.status,
  training_file: job.trainingFile ?? '',
  validation_file: job.validationFile ?? null,
  hyperparameters: job.hyperparameters ?? {},
  trained_tokens: job.trainedTokens ?? null,
  error: job.failure === undefined ? null : { code: 'job_failed', message: job.failure, param: null },
  integrations: [],
  seed: job.seed ?? 0,
  metadata: job.metadata ?? null,
  method: methodOf(job),
  suffix: job.suffix ?? null,
})

const methodOf = ({ method = 'supervised', hyperparameters = {} }: TunedJob): Fields => ({
  type: method,
  [method]: { hyperparameters },
})

/** Events of a job, each with an id that it keeps: its place behind the first. @param events the oldest first */
export const showEvents = (jobId: string, events: readonly TuningEvent[]): readonly Fields[] =>
  events.map(({ createdAt, level, message, data = null }, index) => ({
    id: `ftevent-${jobId}-${index}`,
    object: 'fine_tuning.job.event',
    created_at: createdAt,
    level,
    message,
    type: 'message',
    data,
  }))

/** @param checkpoints the oldest first */
export const showCheckpoints = (jobId: string, checkpoints: readonly TuningCheckpoint[]): readonly Fields[] =>
  checkpoints.map(({ createdAt, step, model, metrics = {} }) => ({
    id: `ftckpt-${jobId}-${step}`,
    object: 'fine_tuning.job.checkpoint',
    created_at: createdAt,
    fine_tuned_model_checkpoint: model,
    fine_tuning_job_id: jobId,
    step_number: step,
    metrics: { step, ...metrics },
  }))

/** Which part of a list a call asks for. */
export interface TuningQuery {
  /** Id of the item that the part begins behind. */
  readonly after?: string | undefined
  readonly limit: number
}

/** Most items of a list in one answer. */
const MOST = 100

/** @throws InvalidRequest naming the parameter */
export const readTuningQuery = (search: string, usual: number): TuningQuery => {
  const query = new URLSearchParams(search)
  const text = query.get('limit') || String(usual)
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > MOST) {
    throw new InvalidRequest(`\`limit\` must be a whole number from 1 to ${MOST}.`, { param: 'limit' })
  }
  return { after: query.get('after') || undefined, limit }
}

/** A part of a list that is at hand, the newest first. @throws InvalidRequest for an `after` that is not in it */
export const partOf = (items: readonly Fields[], { after, limit }: TuningQuery): Fields => {
  const place = after === undefined ? -1 : items.findIndex(({ id }) => id === after)
  if (after !== undefined && place === -1) {
    throw new InvalidRequest('`after` names nothing of this list.', { param: 'after' })
  }
  const rest = items.slice(place + 1)
  return showPart(rest.slice(0, limit), rest.length > limit)
}

export const showPart = (data: readonly Fields[], hasMore: boolean): Fields => ({
  object: 'list',
  data,
  first_id: data[0]?.id ?? null,
  last_id: data.at(-1)?.id ?? null,
  has_more: hasMore,
})

/** What OpenAI calls the numbers of a training; `auto` says nothing. */
export interface TuningNumbers {
  readonly epochs?: number | undefined
  readonly batchSize?: number | undefined
  readonly learningRateMultiplier?: number | undefined
  /** Of `dpo`. */
  readonly beta?: number | undefined
}

/** The numbers that a request names, in the place of its method or in the older one. */
export const tuningNumbers = ({ method, hyperparameters }: Fields): TuningNumbers => {
  const type = isRecord(method) ? method.type : undefined
  const own = isRecord(method) && typeof type === 'string' ? method[type] : undefined
  const said = { ...fieldsOf(hyperparameters), ...(isRecord(own) ? fieldsOf(own.hyperparameters) : {}) }
  return {
    epochs: numberOf(said.n_epochs),
    batchSize: numberOf(said.batch_size),
    learningRateMultiplier: numberOf(said.learning_rate_multiplier),
    beta: numberOf(said.beta),
  }
}

/** The method of a request. @throws InvalidRequest for one that the provider does not have */
export const tuningMethod = <Method extends string>(
  { method }: Fields,
  known: readonly Method[],
): Method | undefined => {
  const type = isRecord(method) ? method.type : undefined
  if (type === undefined) return undefined
  const found = known.find((each) => each === type)
  if (found !== undefined) return found
  throw new InvalidRequest(`\`method.type\` must be one of: ${known.join(', ')}.`, { param: 'method.type' })
}

const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {})

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

/** Seconds since 1970 of a time in ISO 8601, or of one that is in seconds already; undefined for anything else. */
export const secondsOf = (time: unknown): number | undefined => {
  if (typeof time === 'number') return Math.floor(time)
  const ms = typeof time === 'string' ? Date.parse(time) : Number.NaN
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000)
}

/** A text that says something. */
export const wordOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
