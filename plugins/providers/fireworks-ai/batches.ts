/**
 * Batches at Fireworks: resources/batch_inference_jobs.py and types of fireworks-ai 1.2.30 (PyPI), "Batch inference" of
 * docs.fireworks.ai, read 2026-11-25; what answers and lines of results look like is recorded in a public research note of OpenRouter's
 * (2026-08-30). There is no way to stop a job but to delete it. What a failed line looks like nobody has shown: it is read as
 * `{custom_id, error}`.
 */
import { BatchConflict, defined, FileNotFound, InvalidRequest, isRecord, type ReadyStream, UpstreamInvalid } from '#kit'
import {
  answersOf,
  type BatchHost,
  type BatchResult,
  batchesBy,
  begunInTurn,
  filesBy,
  type KeptBatch,
  type KeptCallOf,
  type ListPage,
  objectsIn,
  partOfItems,
  readResult,
  resultLines,
  secondsOf,
  wordOf,
} from '#kit/provider'
import { controlURL, lastOf, modelOf } from './account.ts'
import { contentsOf, datasetId, download, filesWith, modelOfInput, placeOf, URL } from './files.ts'

type Fields = Readonly<Record<string, unknown>>

const STATUSES: Readonly<Record<string, KeptBatch['status']>> = {
  JOB_STATE_UNSPECIFIED: 'validating',
  JOB_STATE_VALIDATING: 'validating',
  JOB_STATE_WRITING_RESULTS: 'finalizing',
  JOB_STATE_COMPLETED: 'completed',
  JOB_STATE_FAILED: 'failed',
  JOB_STATE_EARLY_STOPPED: 'expired',
  JOB_STATE_EXPIRED: 'expired',
  JOB_STATE_CANCELLING: 'cancelling',
  JOB_STATE_CANCELLED: 'cancelled',
  JOB_STATE_DELETING: 'cancelled',
  JOB_STATE_DELETING_CLEANING_UP: 'cancelled',
}

/** Fields of its own (`BatchInferenceJobCreateParams`). */
const OWN = ['inferenceParameters', 'outputDatasetId', 'precision'] as const

const ENDS: ReadonlySet<string> = new Set(['completed', 'failed', 'expired', 'cancelled'])

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

const fieldsIn = (holder: Fields, name: string): Fields => {
  const value = holder[name]
  return isRecord(value) ? value : {}
}

const toBatch = (job: Fields): KeptBatch => {
  const name = wordOf(job.name)
  if (name === undefined) throw new UpstreamInvalid('The provider answered with a batch without a name.')
  const status = STATUSES[String(job.state)] ?? 'in_progress'
  const [progress, life] = [fieldsIn(job, 'jobProgress'), fieldsIn(job, 'lifecycle')]
  const output = status === 'completed' || status === 'expired' ? wordOf(job.outputDatasetId) : undefined
  const input = wordOf(job.inputDatasetId)
  const { code, message } = fieldsIn(job, 'status')
  return {
    id: lastOf(name),
    endpoint: URL,
    status,
    model: wordOf(job.model),
    createdAt: secondsOf(job.createTime) ?? 0,
    startedAt: secondsOf(life.runStartTime),
    expiresAt: secondsOf(job.expireTime),
    endedAt: ENDS.has(status) ? (secondsOf(life.endTime) ?? secondsOf(job.updateTime)) : undefined,
    inputFile: input === undefined ? undefined : lastOf(input),
    outputFile: output === undefined ? undefined : lastOf(output),
    counts: {
      // The first is what was said when the dataset was made, and nobody checks it.
      total: Math.max(numberOf(progress.totalInputRequests), numberOf(progress.totalProcessedRequests)),
      completed: numberOf(progress.successfullyProcessedRequests),
      failed: numberOf(progress.failedRequests),
    },
    errors:
      status === 'failed'
        ? [{ code: wordOf(code) ?? 'batch_failed', message: wordOf(message) ?? 'The batch failed.' }]
        : undefined,
  }
}

const create: BatchHost['create'] = async (call) => {
  const { asked, context, send } = call
  if (asked.endpoint !== URL) throw new InvalidRequest(`\`endpoint\` must be \`${URL}\`.`, { param: 'endpoint' })
  const input = datasetId(String(asked.input_file_id), 'input_file_id')
  const more = fieldsIn(asked, 'provider_options')
  const model = wordOf(asked.model) ?? wordOf(more.model) ?? (await modelOfInput(call, input))
  if (model === undefined) {
    throw new InvalidRequest('The input was not uploaded through this gateway: say its `model`.', { param: 'model' })
  }
  const place = placeOf(call)
  const body = defined({
    model: modelOf(model, context),
    inputDatasetId: `${place.slice(1)}/datasets/${input}`,
    displayName: wordOf(asked.job_name) ?? wordOf(more.job_name),
    ...Object.fromEntries(OWN.flatMap((name) => (more[name] === undefined ? [] : [[name, more[name]]]))),
  })
  return toBatch(await (await send({ method: 'POST', url: `${place}/batchInferenceJobs`, body })).json())
}

const shown = async (call: Pick<KeptCallOf, 'context' | 'send'>, id: string): Promise<KeptBatch> =>
  toBatch(
    await (
      await call.send({ method: 'GET', url: `${placeOf(call)}/batchInferenceJobs/${encodeURIComponent(id)}` })
    ).json(),
  )

const PAGE = 200

const page = async (call: Pick<KeptCallOf, 'context' | 'send'>, token = ''): Promise<ListPage<KeptBatch>> => {
  const behind = token === '' ? '' : `&pageToken=${encodeURIComponent(token)}`
  const order = encodeURIComponent('create_time desc')
  const url = `${placeOf(call)}/batchInferenceJobs?pageSize=${PAGE}&orderBy=${order}${behind}`
  const answer = await (await call.send({ method: 'GET', url })).json()
  const next = wordOf(answer.nextPageToken)
  return {
    items: objectsIn(answer, 'batchInferenceJobs').map(toBatch),
    next: next === undefined ? undefined : () => page(call, next),
  }
}

/** A success is the answer itself. */
const toResult = (line: Fields): BatchResult => {
  const { custom_id: customId, response } = line
  return isRecord(response) && response.status_code === undefined
    ? { customId: String(customId ?? ''), status: 200, requestId: wordOf(response.id), body: response }
    : readResult(line)
}

/** Results, and behind them what failed, which is a file of its own. */
const outputOf = async (batch: KeptBatch, call: KeptCallOf): Promise<ReadyStream> => {
  const files = batch.outputFile === undefined ? [] : await contentsOf(call, batch.outputFile)
  if (files.length === 0) throw new FileNotFound('The batch has no output.')
  const inOrder = files.toSorted((one, other) => Number(isOfErrors(one.name)) - Number(isOfErrors(other.name)))
  const lines = await begunInTurn(inOrder.map((file) => () => download(call, file)))
  return resultLines(lines, toResult, answersOf(call.translate, batch))
}

const isOfErrors = (name: string): boolean => name.includes('error')

/** @param baseURL of its models: files and batches are beside them */
export const keptAt = (baseURL: string) => ({
  ...filesBy({
    baseURL: controlURL(baseURL),
    ...filesWith(async (call, batch) => outputOf(await shown(call, batch), call)),
  }),
  ...batchesBy({
    baseURL: controlURL(baseURL),
    loses: ['metadata', 'output_expires_after'],
    create,
    list: (query, call) => partOfItems(page(call), query),
    read: (call) => shown(call, call.id),
    async cancel(call) {
      const batch = await shown(call, call.id)
      if (ENDS.has(batch.status)) throw new BatchConflict(`Cannot cancel a batch with status '${batch.status}'.`)
      await call.send({ method: 'DELETE', url: `${placeOf(call)}/batchInferenceJobs/${call.segment}` })
      return { ...batch, status: 'cancelling' }
    },
    output: outputOf,
  }),
})
