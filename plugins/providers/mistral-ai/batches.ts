/**
 * Batches at Mistral: jobs.py, createbatchjobrequest.py, batchjob.py and extra/batch/client.py (what lines of results say) of mistralai
 * 3.7.0 (PyPI), read 2026-11-24.
 */
import { defined, InvalidRequest, isRecord, UpstreamInvalid } from '#kit'
import {
  answersOf,
  type BatchHost,
  batchesBy,
  begunInTurn,
  firstLine,
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
import { URLS } from './files.ts'

type Fields = Readonly<Record<string, unknown>>

const PATH = '/batch/jobs'

const STATUSES: Readonly<Record<string, KeptBatch['status']>> = {
  QUEUED: 'validating',
  RUNNING: 'in_progress',
  SUCCESS: 'completed',
  FAILED: 'failed',
  TIMEOUT_EXCEEDED: 'expired',
  CANCELLATION_REQUESTED: 'cancelling',
  CANCELLED: 'cancelled',
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

const toBatch = (job: Fields): KeptBatch => {
  const id = wordOf(job.id)
  if (id === undefined) throw new UpstreamInvalid('The provider answered with a batch without an id.')
  const inputs: unknown = job.input_files
  return {
    id,
    endpoint: String(job.endpoint ?? ''),
    status: STATUSES[String(job.status)] ?? 'in_progress',
    createdAt: secondsOf(job.created_at) ?? 0,
    inputFile: Array.isArray(inputs) ? wordOf(inputs[0]) : undefined,
    outputFile: wordOf(job.output_file),
    errorFile: wordOf(job.error_file),
    startedAt: secondsOf(job.started_at),
    endedAt: secondsOf(job.completed_at),
    counts: {
      total: numberOf(job.total_requests),
      completed: numberOf(job.succeeded_requests),
      failed: numberOf(job.failed_requests),
    },
    errors: objectsIn(job, 'errors').map(({ message }) => ({ code: 'batch_error', message: String(message) })),
    metadata: isRecord(job.metadata) ? job.metadata : null,
    model: wordOf(job.model),
  }
}

/** Hours of `completion_window`. @throws InvalidRequest */
const hoursOf = (window: unknown): number => {
  const [, hours] = /^(\d{1,3})h$/.exec(String(window)) ?? []
  if (hours !== undefined && Number(hours) > 0) return Number(hours)
  throw new InvalidRequest('`completion_window` must be a number of hours: `24h`.', { param: 'completion_window' })
}

/** What the call says; else what the first line of its input does. */
const modelOf = async ({ asked, send }: KeptCallOf, file: string): Promise<string> => {
  const more = isRecord(asked.provider_options) ? asked.provider_options.model : undefined
  const said = wordOf(asked.model) ?? wordOf(more)
  if (said !== undefined) return said
  const url = `/files/${encodeURIComponent(file)}/content`
  const line = await firstLine((await send({ method: 'GET', url, passes: true })).body)
  const model = isRecord(line?.body) ? wordOf(line.body.model) : undefined
  if (model !== undefined) return model
  throw new InvalidRequest('Neither the call nor its first line says a `model`.', { param: 'model' })
}

const create: BatchHost['create'] = async (call) => {
  const { asked, send } = call
  const endpoint = URLS.find((url) => url === asked.endpoint)
  if (endpoint === undefined) {
    throw new InvalidRequest(`\`endpoint\` must be one of: ${URLS.join(', ')}.`, { param: 'endpoint' })
  }
  const file = String(asked.input_file_id)
  const body = defined({
    input_files: [file],
    endpoint,
    timeout_hours: hoursOf(asked.completion_window),
    metadata: isRecord(asked.metadata) ? asked.metadata : undefined,
    model: await modelOf(call, file),
  })
  return toBatch(await (await send({ method: 'POST', url: PATH, body })).json())
}

const PAGE = 100

const page = async ({ send }: Pick<KeptCallOf, 'send'>, number: number): Promise<ListPage<KeptBatch>> => {
  const url = `${PATH}?page=${number}&page_size=${PAGE}&order_by=-created`
  const items = objectsIn(await (await send({ method: 'GET', url })).json(), 'data').map(toBatch)
  return { items, next: items.length < PAGE ? undefined : () => page({ send }, number + 1) }
}

export const batches = batchesBy({
  loses: ['output_expires_after'],
  create,
  read: async ({ send, segment }) => toBatch(await (await send({ method: 'GET', url: `${PATH}/${segment}` })).json()),
  cancel: async ({ send, segment }) =>
    toBatch(await (await send({ method: 'POST', url: `${PATH}/${segment}/cancel` })).json()),
  list: (query, call) => partOfItems(page(call, 0), query),
  output: async (batch, { send, translate }) => {
    const open = async (file: string) =>
      (await send({ method: 'GET', url: `/files/${encodeURIComponent(file)}/content`, passes: true })).body
    const sources = [batch.outputFile, batch.errorFile].flatMap((id) => (id === undefined ? [] : [() => open(id)]))
    return resultLines(await begunInTurn(sources), readResult, answersOf(translate, batch))
  },
})
