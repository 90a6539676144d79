import { type Endpoint, t } from '#kit'
import { keptObject, listOf, shown } from '../kept-objects.ts'
import { FILE_FIELDS } from './files.ts'

const PATH = '/vector_stores/:vector_store_id/file_batches'
const BATCH = `${PATH}/:batch_id`

export const batches: readonly Endpoint[] = [
  keptObject({
    id: 'vector-store-file-batch-create',
    at: `POST ${PATH}`,
    operationId: 'createVectorStoreFileBatch',
    summary: 'Add several files to a vector store.',
    sent: t.Object({ file_ids: t.Array(t.String(), { minItems: 1, maxItems: 500 }), ...FILE_FIELDS }),
    answered: shown('vector_store.files_batch'),
  }),
  keptObject({
    id: 'vector-store-file-batch-retrieve',
    at: `GET ${BATCH}`,
    operationId: 'getVectorStoreFileBatch',
    summary: 'Show how far a batch of files is.',
    answered: shown('vector_store.files_batch'),
  }),
  keptObject({
    id: 'vector-store-file-batch-cancel',
    at: `POST ${BATCH}/cancel`,
    operationId: 'cancelVectorStoreFileBatch',
    summary: 'Stop a batch of files.',
    answered: shown('vector_store.files_batch'),
  }),
  keptObject({
    id: 'vector-store-file-batch-files',
    at: `GET ${BATCH}/files`,
    operationId: 'listFilesInVectorStoreBatch',
    summary: 'List the files of a batch.',
    answered: listOf('vector_store.file'),
  }),
]
