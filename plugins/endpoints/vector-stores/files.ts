import { type Endpoint, t } from '#kit'
import { deleted, keptObject, listOf, shown } from '../kept-objects.ts'

const PATH = '/vector_stores/:vector_store_id/files'

/** How files are cut, and what is known of them. */
export const FILE_FIELDS = {
  chunking_strategy: t.Optional(t.Object({ type: t.String() })),
  attributes: t.Optional(t.Object({})),
}

export const files: readonly Endpoint[] = [
  keptObject({
    id: 'vector-store-file-list',
    at: `GET ${PATH}`,
    operationId: 'listVectorStoreFiles',
    summary: 'List the files of a vector store.',
    answered: listOf('vector_store.file'),
  }),
  keptObject({
    id: 'vector-store-file-create',
    at: `POST ${PATH}`,
    operationId: 'createVectorStoreFile',
    summary: 'Add a file to a vector store.',
    sent: t.Object({ file_id: t.String(), ...FILE_FIELDS }),
    answered: shown('vector_store.file'),
  }),
  keptObject({
    id: 'vector-store-file-retrieve',
    at: `GET ${PATH}/:file_id`,
    operationId: 'getVectorStoreFile',
    summary: 'Show a file of a vector store.',
    answered: shown('vector_store.file'),
  }),
  keptObject({
    id: 'vector-store-file-delete',
    at: `DELETE ${PATH}/:file_id`,
    operationId: 'deleteVectorStoreFile',
    summary: 'Take a file out of a vector store.',
    answered: deleted('vector_store.file.deleted'),
  }),
]
