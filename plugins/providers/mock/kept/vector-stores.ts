import { MockRefusal } from '../refusal.ts'
import type { Fields, Kept, KeptObjects } from './objects.ts'
import { page } from './page.ts'
import { given, type KeptCall, type KeptRoute, required, textsIn } from './route.ts'

const ONE = '/vector_stores/:store'
const FILES = `${ONE}/files`
const BATCH = `${ONE}/file_batches/:batch`

const STATIC = { type: 'static', static: { max_chunk_size_tokens: 800, chunk_overlap_tokens: 400 } }

/** Files in each state: those of the mock are done as soon as they are there. */
const countsOf = (files: number) => ({ in_progress: 0, completed: files, failed: 0, cancelled: 0, total: files })

/** With its files counted. `VectorStore` of openai-node 7.55.0 (resources/vector-stores), read 2026-11-24. */
const showStore = (objects: KeptObjects, store: Kept): Kept => ({
  ...store,
  file_counts: countsOf(objects.list('storeFiles', { vector_store_id: store.id }).length),
})

const storeOf = ({ objects, ids }: KeptCall): Kept => objects.find('stores', ids.store ?? '')

const addFile = (objects: KeptObjects, store: Kept, id: string, more: Fields): Kept =>
  objects.make(
    'storeFiles',
    {
      vector_store_id: store.id,
      status: 'completed',
      usage_bytes: 0,
      last_error: null,
      attributes: {},
      chunking_strategy: STATIC,
      ...more,
    },
    id,
  )

const create = ({ objects, body }: KeptCall): object => {
  const fileIds = textsIn(body, 'file_ids')
  const store = objects.make('stores', {
    name: null,
    status: 'completed',
    usage_bytes: 0,
    metadata: {},
    last_active_at: null,
    expires_after: null,
    expires_at: null,
    ...given(body, ['name', 'metadata', 'expires_after']),
  })
  for (const id of fileIds) addFile(objects, store, id, {})
  return showStore(objects, store)
}

const createBatch = ({ objects, body, ...call }: KeptCall): object => {
  const store = storeOf({ objects, body, ...call })
  const fileIds = textsIn(body, 'file_ids')
  if (fileIds.length === 0) throw new MockRefusal(400, '`file_ids` must name a file.', 'file_ids')
  const batch = objects.make('storeBatches', {
    vector_store_id: store.id,
    status: 'completed',
    file_counts: countsOf(fileIds.length),
  })
  for (const id of fileIds) addFile(objects, store, id, { ...given(body, ['attributes']), batch_id: batch.id })
  return batch
}

const batchOf = ({ objects, ids }: KeptCall): Kept =>
  objects.find('storeBatches', ids.batch ?? '', { vector_store_id: ids.store })

/** A file without what only the mock wants to know of it. */
const showFile = ({ batch_id: _, ...file }: Kept & { readonly batch_id?: unknown }): Kept => file

const pageOfFiles = (call: KeptCall, where: Fields): object => {
  const status = call.query.get('filter')
  const files = call.objects.list('storeFiles', { ...where, ...(status === null ? {} : { status }) })
  return page(files.map(showFile), call.query)
}

const fileOf = ({ objects, ids }: KeptCall): Kept =>
  objects.find('storeFiles', ids.file ?? '', { vector_store_id: ids.store })

export const vectorStoreRoutes: readonly KeptRoute[] = [
  [
    'GET /vector_stores',
    ({ objects, query }) =>
      page(
        objects.list('stores').map((store) => showStore(objects, store)),
        query,
      ),
  ],
  ['POST /vector_stores', create],
  [`GET ${ONE}`, (call) => showStore(call.objects, storeOf(call))],
  [
    `POST ${ONE}`,
    (call) => {
      const changed = given(call.body, ['name', 'metadata', 'expires_after'])
      return showStore(call.objects, call.objects.change('stores', storeOf(call), changed))
    },
  ],
  [`DELETE ${ONE}`, (call) => call.objects.remove('stores', storeOf(call))],
  [`GET ${FILES}`, (call) => pageOfFiles(call, { vector_store_id: storeOf(call).id })],
  [
    `POST ${FILES}`,
    (call) => addFile(call.objects, storeOf(call), required(call.body, 'file_id'), given(call.body, ['attributes'])),
  ],
  [`GET ${FILES}/:file`, (call) => showFile(fileOf(call))],
  [`DELETE ${FILES}/:file`, (call) => call.objects.remove('storeFiles', fileOf(call))],
  [`POST ${ONE}/file_batches`, createBatch],
  [`GET ${BATCH}`, batchOf],
  // What is done cannot be stopped.
  [`POST ${BATCH}/cancel`, batchOf],
  [`GET ${BATCH}/files`, (call) => pageOfFiles(call, { vector_store_id: call.ids.store, batch_id: batchOf(call).id })],
]
