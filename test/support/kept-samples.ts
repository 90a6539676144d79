import type { RouteSample } from './route-sample.ts'

/** What is at a provider alone. The mock of a walk has none of it: what is about one object is not found there. */
const PLACES: readonly (readonly [place: string, endpoint: string, status: number, body?: object])[] = [
  ['GET /assistants', 'assistant-list', 200],
  ['POST /assistants', 'assistant-create', 200, { model: 'mock' }],
  ['GET /assistants/:assistant_id', 'assistant-retrieve', 404],
  ['POST /assistants/:assistant_id', 'assistant-modify', 404, { name: 'Other' }],
  ['DELETE /assistants/:assistant_id', 'assistant-delete', 404],
  ['POST /threads', 'thread-create', 200],
  ['GET /threads/:thread_id', 'thread-retrieve', 404],
  ['POST /threads/:thread_id', 'thread-modify', 404, {}],
  ['DELETE /threads/:thread_id', 'thread-delete', 404],
  ['GET /threads/:thread_id/messages', 'thread-message-list', 404],
  ['POST /threads/:thread_id/messages', 'thread-message-create', 404, { role: 'user', content: 'Hello' }],
  ['GET /threads/:thread_id/messages/:message_id', 'thread-message-retrieve', 404],
  ['POST /threads/:thread_id/messages/:message_id', 'thread-message-modify', 404, {}],
  ['DELETE /threads/:thread_id/messages/:message_id', 'thread-message-delete', 404],
  ['POST /threads/runs', 'thread-and-run-create', 404, { assistant_id: 'asst_1', model: 'other' }],
  ['GET /threads/:thread_id/runs', 'run-list', 404],
  ['POST /threads/:thread_id/runs', 'run-create', 404, { assistant_id: 'asst_1', stream: true }],
  ['GET /threads/:thread_id/runs/:run_id', 'run-retrieve', 404],
  ['POST /threads/:thread_id/runs/:run_id', 'run-modify', 404, {}],
  ['POST /threads/:thread_id/runs/:run_id/submit_tool_outputs', 'run-submit-tool-outputs', 404, { tool_outputs: [] }],
  ['POST /threads/:thread_id/runs/:run_id/cancel', 'run-cancel', 404],
  ['GET /threads/:thread_id/runs/:run_id/steps', 'run-step-list', 404],
  ['GET /threads/:thread_id/runs/:run_id/steps/:step_id', 'run-step-retrieve', 404],
  ['GET /vector_stores', 'vector-store-list', 200],
  ['POST /vector_stores', 'vector-store-create', 200, { name: 'Papers' }],
  ['GET /vector_stores/:vector_store_id', 'vector-store-retrieve', 404],
  ['POST /vector_stores/:vector_store_id', 'vector-store-modify', 404, {}],
  ['DELETE /vector_stores/:vector_store_id', 'vector-store-delete', 404],
  ['GET /vector_stores/:vector_store_id/files', 'vector-store-file-list', 404],
  ['POST /vector_stores/:vector_store_id/files', 'vector-store-file-create', 404, { file_id: 'file-1' }],
  ['GET /vector_stores/:vector_store_id/files/:file_id', 'vector-store-file-retrieve', 404],
  ['DELETE /vector_stores/:vector_store_id/files/:file_id', 'vector-store-file-delete', 404],
  [
    'POST /vector_stores/:vector_store_id/file_batches',
    'vector-store-file-batch-create',
    404,
    { file_ids: ['file-1'] },
  ],
  ['GET /vector_stores/:vector_store_id/file_batches/:batch_id', 'vector-store-file-batch-retrieve', 404],
  ['POST /vector_stores/:vector_store_id/file_batches/:batch_id/cancel', 'vector-store-file-batch-cancel', 404],
  ['GET /vector_stores/:vector_store_id/file_batches/:batch_id/files', 'vector-store-file-batch-files', 404],
  ['POST /fine_tuning/jobs', 'fine-tuning-create', 200, { model: 'mock', training_file: 'file-1' }],
  ['GET /fine_tuning/jobs', 'fine-tuning-list', 200],
  ['GET /fine_tuning/jobs/:fine_tuning_job_id', 'fine-tuning-retrieve', 404],
  ['GET /fine_tuning/jobs/:fine_tuning_job_id/events', 'fine-tuning-events', 404],
  ['GET /fine_tuning/jobs/:fine_tuning_job_id/checkpoints', 'fine-tuning-checkpoints', 404],
  ['POST /fine_tuning/jobs/:fine_tuning_job_id/cancel', 'fine-tuning-cancel', 404],
]

/** By `METHOD path` of the route. */
export const keptAt = (root: string): Readonly<Record<string, readonly RouteSample[]>> =>
  Object.fromEntries(
    PLACES.map(([place, endpoint, status, body]) => {
      const [method = '', path = ''] = place.split(' ')
      const sample: RouteSample = {
        method: method as RouteSample['method'],
        path: `${root}${path.replaceAll(/:([a-z_]+)_id/g, '$1_0')}`,
        endpoint,
        status,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }
      return [`${method} ${root}${path}`, [sample]]
    }),
  )
