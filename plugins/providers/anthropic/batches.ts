/**
 * Message batches: resources/messages/batches of @anthropic-ai/sdk 1.12.0 (npm) and "Retrieve Message Batch results" of the API
 * reference, read 2026-11-24. A batch is made of its requests, at most 256 MB of them, and knows neither a file nor metadata.
 */
import { BatchConflict, FileNotFound, InvalidRequest, isRecord, UpstreamInvalid } from '#kit'
import {
  ANTHROPIC_ERROR_STATUS,
  answersOf,
  type BatchHost,
  type BatchResult,
  batchesBy,
  type KeptBatch,
  type KeptCallOf,
  objectsIn,
  resultLines,
  secondsOf,
  translatedInput,
  translateLine,
  wordOf,
} from '#kit/provider'

type Fields = Readonly<Record<string, unknown>>

const PATH = '/messages/batches'

/** Kinds of call that its batches are made of. */
export const INLINE_BATCHES = ['/v1/chat/completions'] as const
const [ENDPOINT] = INLINE_BATCHES

export const isBatchId = (id: string): boolean => id.startsWith('msgbatch_')

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

const statusOf = (batch: Fields, expired: number): KeptBatch['status'] => {
  if (batch.processing_status === 'canceling') return 'cancelling'
  if (batch.processing_status !== 'ended') return 'in_progress'
  if (typeof batch.cancel_initiated_at === 'string') return 'cancelled'
  return expired > 0 ? 'expired' : 'completed'
}

const toBatch = (batch: Fields): KeptBatch => {
  const id = wordOf(batch.id)
  if (id === undefined) throw new UpstreamInvalid('The provider answered with a batch without an id.')
  const counts = isRecord(batch.request_counts) ? batch.request_counts : {}
  const [succeeded, expired] = [numberOf(counts.succeeded), numberOf(counts.expired)]
  const failed = numberOf(counts.errored) + numberOf(counts.canceled) + expired
  return {
    id,
    endpoint: ENDPOINT,
    status: statusOf(batch, expired),
    createdAt: secondsOf(batch.created_at) ?? 0,
    // They are archived after a while.
    outputFile: wordOf(batch.results_url) === undefined ? undefined : id,
    startedAt: secondsOf(batch.created_at),
    expiresAt: secondsOf(batch.expires_at),
    cancellingAt: secondsOf(batch.cancel_initiated_at),
    endedAt: secondsOf(batch.ended_at),
    counts: { total: numberOf(counts.processing) + succeeded + failed, completed: succeeded, failed },
  }
}

const create: BatchHost['create'] = async ({ asked, ownFiles, send, translate }) => {
  if (asked.endpoint !== ENDPOINT)
    throw new InvalidRequest(`\`endpoint\` must be \`${ENDPOINT}\`.`, { param: 'endpoint' })
  if (asked.completion_window !== '24h') {
    throw new InvalidRequest('`completion_window` must be `24h` or `immediate`.', { param: 'completion_window' })
  }
  const file = ownFiles.get(String(asked.input_file_id))
  if (file === undefined) {
    throw new FileNotFound('The input is no file of this workspace: upload it with the purpose `batch`.', {
      param: 'input_file_id',
    })
  }
  const more = isRecord(asked.provider_options) ? asked.provider_options.model : undefined
  const model = wordOf(asked.model) ?? wordOf(more)
  const input = await translatedInput(() => file.open(), {
    param: 'input_file_id',
    frame: { head: '{"requests":[', between: ',', tail: ']}' },
    make(line) {
      const body = model === undefined || line.body.model !== undefined ? line.body : { ...line.body, model }
      const made = translateLine({ ...line, body }, { translate, urls: INLINE_BATCHES, param: 'input_file_id' })
      return { custom_id: line.customId, params: made.body }
    },
  })
  const headers = { 'content-type': 'application/json' }
  return toBatch(await (await send({ method: 'POST', url: PATH, headers, body: input.open() })).json())
}

/** The batch that the path of a call names. */
export const readBatch = async ({ send, segment }: Pick<KeptCallOf, 'send' | 'segment'>): Promise<KeptBatch> =>
  toBatch(await (await send({ method: 'GET', url: `${PATH}/${segment}` })).json())

const toResult = ({ custom_id: customId, result }: Fields): BatchResult => {
  const { type, message, error } = isRecord(result) ? result : ({} as Fields)
  const of = { customId: String(customId ?? '') }
  if (type === 'succeeded') return { ...of, status: 200, body: message }
  if (type === 'canceled') return { ...of, error: { code: 'batch_cancelled', message: 'The batch was cancelled.' } }
  if (type === 'expired') return { ...of, error: { code: 'batch_expired', message: 'The batch has expired.' } }
  const { error: said, request_id: requestId } = isRecord(error) ? error : ({} as Fields)
  const { type: kind = 'api_error', message: words = 'The request failed.' } = isRecord(said) ? said : ({} as Fields)
  return {
    ...of,
    requestId: wordOf(requestId),
    status: ANTHROPIC_ERROR_STATUS[String(kind)] ?? 500,
    body: { error: { message: words, type: kind, param: null, code: null } },
  }
}

/** Results of a batch, in the reference form. @throws BatchConflict, FileNotFound while there are none, or no more */
export const outputOf: BatchHost['output'] = async (batch, { send, translate }) => {
  const { id, status, outputFile } = batch
  if (outputFile === undefined) {
    if (status === 'in_progress' || status === 'cancelling')
      throw new BatchConflict(`The batch has no output yet: it is '${status}'.`)
    throw new FileNotFound('The provider keeps the results of this batch no more.')
  }
  const url = `${PATH}/${encodeURIComponent(id)}/results`
  const { body } = await send({ method: 'GET', url, passes: true })
  return resultLines(body, toResult, answersOf(translate, batch))
}

export const batches = batchesBy({
  loses: ['metadata', 'output_expires_after'],
  create,
  read: readBatch,
  cancel: async ({ send, segment }) =>
    toBatch(await (await send({ method: 'POST', url: `${PATH}/${segment}/cancel` })).json()),
  async list({ limit, after }, { send }) {
    const behind = after === undefined ? '' : `&after_id=${encodeURIComponent(after)}`
    const answer = await (await send({ method: 'GET', url: `${PATH}?limit=${limit}${behind}` })).json()
    return { items: objectsIn(answer, 'data').map(toBatch), hasMore: answer.has_more === true }
  },
  output: outputOf,
})
