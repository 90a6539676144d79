import { begun, jsonAnswer, limitOf, workspaceOf } from '#calls/kept-call'
import { HeaderList } from '#core/header-fields'
import { type Answer, BatchConflict, BatchNotFound, type Call, FileNotFound } from '#kit'
import type { BatchObject, OwnBatches } from '#kit/own-batches'
import type { OwnFiles } from '#kit/own-files'
import { batchOutput, cancelBatch, createBatch, listBatches, readBatch } from './endpoints.ts'
import { readNewBatch } from './new-batch.ts'

export interface OwnKept {
  readonly batches: OwnBatches
  readonly files: OwnFiles
}

type OwnAnswer = (call: Call, kept: OwnKept) => Promise<Answer>

/** Batches of a list, where the call says nothing, and at most. */
const LISTED = 20
const MOST_LISTED = 100

const create: OwnAnswer = async (call, { batches, files }) =>
  jsonAnswer(await batches.create(await readNewBatch(call, files)))

const list: OwnAnswer = async (call, { batches }) => {
  const { query } = call.request
  const after = query.get('after') || undefined
  const found = await batches.list(workspaceOf(call), { after, limit: limitOf(query, LISTED, MOST_LISTED) })
  return jsonAnswer({
    object: 'list',
    data: found.batches,
    first_id: found.batches[0]?.id ?? null,
    last_id: found.batches.at(-1)?.id ?? null,
    has_more: found.hasMore,
  })
}

const idOf = ({ request: { params } }: Call): string => params.batch_id ?? ''

/** An id is the client's own word: a sentence of an error shall not be longer for it. */
const MAX_ID_CHARACTERS = 100

const notFound = (call: Call): BatchNotFound =>
  new BatchNotFound(`No such Batch object: ${idOf(call).slice(0, MAX_ID_CHARACTERS)}`, { param: 'id' })

const find = async (call: Call, { batches }: OwnKept): Promise<BatchObject> => {
  const batch = await batches.find(workspaceOf(call), idOf(call))
  if (batch === undefined) throw notFound(call)
  return batch
}

const read: OwnAnswer = async (call, kept) => jsonAnswer(await find(call, kept))

const cancel: OwnAnswer = async (call, { batches }) => {
  const batch = await batches.cancel(workspaceOf(call), idOf(call))
  if (batch === undefined) throw notFound(call)
  if (batch.status === 'cancelling' || batch.status === 'cancelled') return jsonAnswer(batch)
  throw new BatchConflict(`Cannot cancel a batch with status '${batch.status}'.`)
}

const output: OwnAnswer = async (call, kept) => {
  const { status, output_file_id: id } = await find(call, kept)
  if (!HAS_ENDED.has(status)) throw new BatchConflict(`The batch has no output yet: it is '${status}'.`)
  const file = id === null ? undefined : await kept.files.find(workspaceOf(call), id)
  if (file === undefined)
    throw new FileNotFound('The batch has no output: no request of it succeeded, or it was deleted.')
  const headers = new HeaderList()
  headers.set('content-type', 'application/octet-stream')
  headers.set('x-content-type-options', 'nosniff')
  return { status: 200, headers, verbatim: true, opaque: true, body: await begun(kept.files.open(file)) }
}

const HAS_ENDED: ReadonlySet<BatchObject['status']> = new Set(['failed', 'completed', 'expired', 'cancelled'])

/** By id of the endpoint. */
export const OWN_ANSWERS: ReadonlyMap<string, OwnAnswer> = new Map([
  [createBatch.id, create],
  [listBatches.id, list],
  [readBatch.id, read],
  [cancelBatch.id, cancel],
  [batchOutput.id, output],
])
