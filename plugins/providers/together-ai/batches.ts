/**
 * Batches at Together AI: resources/batches.ts of together-ai 0.52.0 (npm), "Run a batch job" and "Manage batch jobs" of its docs, read
 * 2026-11-24. It says how far one is in per cent, and counts no lines. Lines of results have OpenAI's envelope (as inspect_ai reads them).
 */
import { defined, InvalidRequest, isRecord, UpstreamInvalid } from '#kit'
import {
  answersOf,
  type BatchHost,
  batchesBy,
  begunInTurn,
  type KeptBatch,
  type KeptCallOf,
  partOfItems,
  readResult,
  resultLines,
  secondsOf,
  wordOf,
} from '#kit/provider'
import { URLS } from './files.ts'

type Fields = Readonly<Record<string, unknown>>

const PATH = '/batches'

const STATUSES: Readonly<Record<string, KeptBatch['status']>> = {
  VALIDATING: 'validating',
  IN_PROGRESS: 'in_progress',
  COMPLETED: 'completed',
  FAILED: 'failed',
  EXPIRED: 'expired',
  CANCELLED: 'cancelled',
}

const toBatch = (job: Fields): KeptBatch => {
  const id = wordOf(job.id)
  if (id === undefined) throw new UpstreamInvalid('The provider answered with a batch without an id.')
  const error = wordOf(job.error)
  return {
    id,
    endpoint: String(job.endpoint ?? ''),
    status: STATUSES[String(job.status)] ?? 'in_progress',
    createdAt: secondsOf(job.created_at) ?? 0,
    inputFile: wordOf(job.input_file_id),
    outputFile: wordOf(job.output_file_id),
    errorFile: wordOf(job.error_file_id),
    expiresAt: secondsOf(job.job_deadline),
    endedAt: secondsOf(job.completed_at),
    errors: error === undefined ? [] : [{ code: 'batch_error', message: error }],
    model: wordOf(job.model_id),
  }
}

const create: BatchHost['create'] = async ({ asked, send }) => {
  const endpoint = URLS.find((url) => url === asked.endpoint)
  if (endpoint === undefined) {
    throw new InvalidRequest(`\`endpoint\` must be one of: ${URLS.join(', ')}.`, { param: 'endpoint' })
  }
  const body = defined({
    endpoint,
    input_file_id: asked.input_file_id,
    completion_window: asked.completion_window,
    model_id: wordOf(asked.model),
  })
  const { job } = await (await send({ method: 'POST', url: PATH, body })).json()
  if (!isRecord(job)) throw new UpstreamInvalid('The provider answered without a batch.')
  return toBatch(job)
}

/** All of them: a bare list. */
const all = async ({ send }: Pick<KeptCallOf, 'send'>): Promise<readonly KeptBatch[]> => {
  const text = await (await send({ method: 'GET', url: PATH })).text()
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch {
    // Told below.
  }
  if (!Array.isArray(found)) throw new UpstreamInvalid('The provider answered with something that is no list.')
  return found.filter(isRecord).map(toBatch)
}

export const batches = batchesBy({
  loses: ['metadata', 'output_expires_after'],
  create,
  read: async ({ send, segment }) => toBatch(await (await send({ method: 'GET', url: `${PATH}/${segment}` })).json()),
  cancel: async ({ send, segment }) =>
    toBatch(await (await send({ method: 'POST', url: `${PATH}/${segment}/cancel` })).json()),
  async list(query, call) {
    const items = (await all(call)).toSorted((one, other) => other.createdAt - one.createdAt)
    return partOfItems(Promise.resolve({ items }), query)
  },
  output: async (batch, { send, translate }) => {
    const open = async (file: string) =>
      (await send({ method: 'GET', url: `/files/${encodeURIComponent(file)}/content`, passes: true })).body
    const sources = [batch.outputFile, batch.errorFile].flatMap((id) => (id === undefined ? [] : [() => open(id)]))
    return resultLines(await begunInTurn(sources), readResult, answersOf(translate, batch))
  },
})
