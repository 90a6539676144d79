import { defined } from '../core/defined.ts'
import { ownBatchId } from '../core/own-ids.ts'
import { BatchQuotaExceeded, StoreUnavailable } from '../errors/gateway-error.ts'
import type { BatchObject, OwnBatches } from '../kit/own-batches.ts'
import { StoreUnavailable as StoreAway } from '../store/errors.ts'
import { takeWorkspaceLock } from '../store/locks.ts'
import {
  cancelBatch,
  countLines,
  countRunningBatches,
  findBatch,
  insertBatch,
  type LineCounts,
  listBatches,
  type OwnBatchRow,
} from '../store/objects/own-batches.ts'
import { type BatchesContext, sealAsked } from './context.ts'

/** Milliseconds that a batch has, whatever its window is called. */
const WINDOW_MS = 24 * 60 * 60 * 1000

/** Batches that Weir runs itself. @param wake says to who runs them that there is something to do */
export const createOwnBatches = (
  context: Pick<BatchesContext, 'store' | 'secretBox' | 'randomId'> & {
    readonly bounds: Pick<BatchesContext['bounds'], 'workspaceBatches'>
  },
  wake: () => void,
): OwnBatches => {
  const { store, bounds, randomId } = context
  const { db } = store

  const show = async (rows: readonly OwnBatchRow[]): Promise<readonly BatchObject[]> => {
    const running = rows.filter(({ status }) => status !== 'failed' && endOf(status) === undefined)
    const counts = await countLines(
      db,
      running.map(({ id }) => id),
    )
    return rows.map((row) => toObject(row, counts.get(row.id) ?? row))
  }
  const showOne = async (row: OwnBatchRow | undefined): Promise<BatchObject | undefined> =>
    row === undefined ? undefined : (await show([row]))[0]

  return {
    create: (batch) =>
      asked(async () => {
        const { organisationId, workspaceId, keyId } = batch.caller.principal
        if (workspaceId === undefined) throw new Error('a batch of no workspace came through')
        const id = ownBatchId(randomId())
        const row = await db.transaction(async (transaction) => {
          await takeWorkspaceLock(transaction, 'batches', workspaceId)
          const running = await countRunningBatches(transaction, workspaceId)
          if (running >= bounds.workspaceBatches) {
            throw new BatchQuotaExceeded(
              `The workspace runs ${running} batches and may run ${bounds.workspaceBatches}: wait until one has ended.`,
            )
          }
          const what = { headers: batch.headers, defaults: batch.defaults ?? {} }
          return await insertBatch(
            transaction,
            {
              ...{ id, organisationId, workspaceId, apiKeyId: keyId },
              asked: await sealAsked(context, transaction, { id, organisationId }, what),
              inputFileId: batch.inputFileId,
              endpoint: batch.endpoint,
              completionWindow: batch.completionWindow,
              metadata: batch.metadata,
              outputExpiresAfterSeconds: batch.outputExpiresAfterSeconds ?? null,
            },
            WINDOW_MS,
          )
        })
        wake()
        return toObject(row, row)
      }),
    find: (workspaceId, id) => asked(async () => showOne(await findBatch(db, workspaceId, id))),
    list: (workspaceId, { after, limit }) =>
      asked(async () => {
        const rows = await listBatches(db, workspaceId, { ...defined({ after }), limit: limit + 1 })
        return { batches: await show(rows.slice(0, limit)), hasMore: rows.length > limit }
      }),
    cancel: (workspaceId, id) =>
      asked(async () => {
        const row = await cancelBatch(db, workspaceId, id)
        wake()
        return showOne(row)
      }),
  }
}

const asked = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof StoreAway) throw new StoreUnavailable('The database cannot be reached now.', { cause })
    throw cause
  }
}

const endOf = (status: OwnBatchRow['status']): keyof OwnBatchRow | undefined =>
  status === 'completed' || status === 'expired' || status === 'cancelled' ? `${status}At` : undefined

const seconds = (time: Date | null): number | null => (time === null ? null : Math.floor(time.getTime() / 1000))

/** `Batch` of OpenAI's reference, read 2026-11-22. */
const toObject = (row: OwnBatchRow, { total, completed, failed }: LineCounts): BatchObject => {
  const hasFiles = endOf(row.status) !== undefined
  return {
    id: row.id,
    object: 'batch',
    endpoint: row.endpoint,
    input_file_id: row.inputFileId,
    completion_window: row.completionWindow,
    status: row.status,
    output_file_id: hasFiles ? row.outputFileId : null,
    error_file_id: hasFiles ? row.errorFileId : null,
    created_at: Math.floor(row.createdAt.getTime() / 1000),
    in_progress_at: seconds(row.inProgressAt),
    expires_at: seconds(row.expiresAt),
    finalizing_at: seconds(row.finalizingAt),
    completed_at: seconds(row.completedAt),
    failed_at: seconds(row.failedAt),
    expired_at: seconds(row.expiredAt),
    cancelling_at: seconds(row.cancellingAt),
    cancelled_at: seconds(row.cancelledAt),
    request_counts: { total, completed, failed },
    errors: row.errors === null ? null : { object: 'list', data: row.errors },
    metadata: row.metadata,
  }
}
