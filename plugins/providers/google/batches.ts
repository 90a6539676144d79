/**
 * Batches of the Gemini API in OpenAI's form. Sources, read 2026-11-24: @google/genai 2.32.0 (`batchGenerateContent`,
 * `asyncBatchEmbedContent`, `batches`, `tJobState`), the page "Batch API" of the API reference at ai.google.dev, and for `batchStats` and
 * `inputConfig` in answers the recordings in googleapis/python-genai issue 1323 and flachesis/gemini-rust pull request 13.
 */
import { FileNotFound, fromPieces, type ReadyStream } from '#kit'
import {
  answersOf,
  type BatchHost,
  type BatchResult,
  batchesBy,
  filesBy,
  type KeptBatch,
  type KeptCallOf,
  type ListPage,
  needSame,
  objectsIn,
  partOfItems,
  resultLines,
  secondsOf,
  wordOf,
} from '#kit/provider'
import { download, fileIdOf, fileNameOf, filesWith, linesOf, outputIdOf, readFile } from './files.ts'
import { type Fields, fieldsIn, refuse, unreadable, wholeOf } from './json.ts'
import { bareModel, modelPath } from './model.ts'

/** `batches/abc` is `batches-abc` to clients. */
const BATCH = /^batches-([a-zA-Z0-9-]{1,128})$/

const STATES: Readonly<Record<string, KeptBatch['status']>> = {
  BATCH_STATE_PENDING: 'validating',
  BATCH_STATE_RUNNING: 'in_progress',
  BATCH_STATE_SUCCEEDED: 'completed',
  BATCH_STATE_FAILED: 'failed',
  BATCH_STATE_CANCELLED: 'cancelled',
  BATCH_STATE_EXPIRED: 'expired',
}

/** Behind the name of a batch of completions, which are asked as chats: what its answers are to be made of. */
const OF_COMPLETIONS = ' [completions]'

const urlOf = (batch: Fields): string => {
  if (String(batch['@type'] ?? '').endsWith('EmbedContentBatch')) return '/v1/embeddings'
  const isOfCompletions = wordOf(batch.displayName)?.endsWith(OF_COMPLETIONS) === true
  return isOfCompletions ? '/v1/completions' : '/v1/chat/completions'
}

/** Stands in the batch, and in the answer of the operation. */
const outputOf = (operation: Fields): Fields => ({
  ...fieldsIn(fieldsIn(operation, 'metadata'), 'output'),
  ...fieldsIn(operation, 'response'),
})

/** A batch is an operation there, whose `metadata` is what is known of it. */
const toBatch = (operation: Fields): KeptBatch => {
  const [, own] = /^batches\/(.+)$/.exec(wordOf(operation.name) ?? '') ?? []
  if (own === undefined) throw unreadable('a batch has no name')
  const batch = fieldsIn(operation, 'metadata')
  const stats = fieldsIn(batch, 'batchStats')
  const status = STATES[String(batch.state)] ?? 'validating'
  const input = wordOf(fieldsIn(batch, 'inputConfig').fileName)
  const { code, message } = fieldsIn(operation, 'error')
  return {
    id: `batches-${own}`,
    endpoint: urlOf(batch),
    status,
    model: bareModel(wordOf(batch.model) ?? ''),
    createdAt: secondsOf(batch.createTime) ?? 0,
    endedAt: secondsOf(batch.endTime) ?? secondsOf(batch.updateTime),
    inputFile: input === undefined ? undefined : fileIdOf(input),
    outputFile: Object.keys(outputOf(operation)).some((name) => name !== '@type') ? outputIdOf(own) : undefined,
    counts: {
      total: wholeOf(stats.requestCount) ?? 0,
      completed: wholeOf(stats.successfulRequestCount) ?? 0,
      failed: wholeOf(stats.failedRequestCount) ?? 0,
    },
    errors:
      status === 'failed'
        ? [
            {
              code: String(code ?? 'batch_failed'),
              message: wordOf(message) ?? 'The batch failed.',
              param: null,
              line: null,
            },
          ]
        : undefined,
  }
}

const nameOf = (id: string): string => {
  const [, name] = BATCH.exec(id) ?? []
  if (name === undefined) throw refuse('batch_id', 'Batches of Gemini have ids such as `batches-abc123`.')
  return name
}

const shown = async ({ send }: Pick<KeptCallOf, 'send'>, name: string): Promise<Fields> =>
  (await send({ method: 'GET', url: `/batches/${name}` })).json()

const create: BatchHost['create'] = async (call) => {
  const { asked, context, send } = call
  const fileName = fileNameOf(String(asked.input_file_id), 'input_file_id')
  const { url, model } = linesOf(await readFile(call, fileName))
  if (url === undefined || model === undefined) {
    throw refuse('input_file_id', 'The input must be uploaded through this gateway, with the purpose `batch`.')
  }
  needSame(asked, { url, model })
  const name = wordOf(asked.job_name) ?? `weir-${context.callId}`
  const displayName = url === '/v1/completions' ? `${name}${OF_COMPLETIONS}` : name
  const method = url === '/v1/embeddings' ? 'asyncBatchEmbedContent' : 'batchGenerateContent'
  const body = { batch: { displayName, inputConfig: { fileName } } }
  const answer = await send({ method: 'POST', url: `${modelPath(model)}:${method}`, body })
  return { ...toBatch(await answer.json()), endpoint: url, inputFile: fileIdOf(fileName) }
}

const page = async ({ send }: Pick<KeptCallOf, 'send'>, token = ''): Promise<ListPage<KeptBatch>> => {
  const behind = token === '' ? '' : `&pageToken=${encodeURIComponent(token)}`
  const answer = await (await send({ method: 'GET', url: `/batches?pageSize=100${behind}` })).json()
  const next = wordOf(answer.nextPageToken)
  return {
    items: objectsIn(answer, 'operations').map(toBatch),
    next: next === undefined ? undefined : () => page({ send }, next),
  }
}

/** A line of the file of results, or one of those in the answer, whose key stands in its metadata. */
const toResult = (line: Fields): BatchResult => {
  const customId = wordOf(line.key) ?? wordOf(fieldsIn(line, 'metadata').key) ?? ''
  if (line.error !== undefined) {
    const { code, message, status } = fieldsIn(line, 'error')
    const error = {
      code: wordOf(status) ?? String(code ?? 'request_failed'),
      message: wordOf(message) ?? 'The request failed.',
    }
    return { customId, error }
  }
  const answer = fieldsIn(line, 'response')
  // Embeddings are asked one by one there, and answered as lists here.
  const body = answer.embedding === undefined ? answer : { ...answer, embeddings: [answer.embedding] }
  return { customId, status: 200, requestId: wordOf(answer.responseId), body }
}

const results = async (call: KeptCallOf, operation: Fields): Promise<ReadyStream> => {
  return resultLines(
    await linesOfResults(call, outputOf(operation)),
    toResult,
    answersOf(call.translate, toBatch(operation)),
  )
}

const linesOfResults = async (call: KeptCallOf, output: Fields): Promise<ReadyStream> => {
  const file = wordOf(output.responsesFile)
  if (file !== undefined) return await download(call, file)
  const lines = ['inlinedResponses', 'inlinedEmbedContentResponses'].flatMap((kind) =>
    objectsIn(fieldsIn(output, kind), 'inlinedResponses'),
  )
  if (lines.length === 0) throw new FileNotFound('The batch has no output.')
  return fromPieces([new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))])
}

export const files = filesBy(
  filesWith({
    open: async (call, name) => results(call, await shown(call, name)),
    async nameOf(call, name) {
      const file = wordOf(outputOf(await shown(call, name)).responsesFile)
      if (file === undefined) throw new FileNotFound('The batch has no file of results.')
      return file
    },
  }),
)

export const batches = batchesBy({
  create,
  list: (query, call) => partOfItems(page(call), query),
  read: async (call) => toBatch(await shown(call, nameOf(call.id))),
  async cancel(call) {
    const name = nameOf(call.id)
    await call.send({ method: 'POST', url: `/batches/${name}:cancel`, body: {} })
    const batch = toBatch(await shown(call, name))
    // It is told to stop: how far that has come is told later.
    const isStopping = batch.status === 'validating' || batch.status === 'in_progress'
    return isStopping ? { ...batch, status: 'cancelling' } : batch
  },
  output: async (_batch, call) => results(call, await shown(call, nameOf(call.id))),
})
