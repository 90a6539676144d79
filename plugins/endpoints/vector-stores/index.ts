import { type Endpoint, t } from '#kit'
import { deleted, keptObject, listOf, Metadata, shown } from '../kept-objects.ts'
import { batches } from './file-batches.ts'
import { files } from './files.ts'

const PATH = '/vector_stores/:vector_store_id'

/** "Vector stores" of OpenAI's API reference, as types of openai-node 7.55.0 say it (resources/vector-stores), read 2026-11-24. */
const FIELDS = {
  name: t.Optional(t.String()),
  expires_after: t.Optional(t.Object({ anchor: t.String(), days: t.Integer({ minimum: 1, maximum: 365 }) })),
  metadata: t.Optional(Metadata),
}

/** Stores of files that are searched by their meaning. */
export const vectorStoreEndpoints: readonly Endpoint[] = [
  keptObject({
    id: 'vector-store-list',
    at: 'GET /vector_stores',
    operationId: 'listVectorStores',
    summary: 'List vector stores.',
    answered: listOf('vector_store'),
  }),
  keptObject({
    id: 'vector-store-create',
    at: 'POST /vector_stores',
    operationId: 'createVectorStore',
    summary: 'Make a vector store.',
    sent: t.Object({
      ...FIELDS,
      file_ids: t.Optional(t.Array(t.String(), { maxItems: 500 })),
      chunking_strategy: t.Optional(t.Object({ type: t.String() })),
    }),
    answered: shown('vector_store'),
  }),
  keptObject({
    id: 'vector-store-retrieve',
    at: `GET ${PATH}`,
    operationId: 'getVectorStore',
    summary: 'Show a vector store.',
    answered: shown('vector_store'),
  }),
  keptObject({
    id: 'vector-store-modify',
    at: `POST ${PATH}`,
    operationId: 'modifyVectorStore',
    summary: 'Change a vector store.',
    sent: t.Object(FIELDS),
    answered: shown('vector_store'),
  }),
  keptObject({
    id: 'vector-store-delete',
    at: `DELETE ${PATH}`,
    operationId: 'deleteVectorStore',
    summary: 'Delete a vector store.',
    answered: deleted('vector_store.deleted'),
  }),
  ...files,
  ...batches,
]
