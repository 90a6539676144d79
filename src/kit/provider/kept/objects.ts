import type { BatchError, BatchStatus } from '../../own-batches.ts'

type Fields = Readonly<Record<string, unknown>>

/** What a provider says of a file, as far as it says it. Times are seconds since 1970. */
export interface KeptFile {
  readonly id: string
  readonly bytes: number
  readonly createdAt: number
  readonly filename: string
  /** In the words of the reference: `batch`, `fine-tune`, `user_data`. */
  readonly purpose: string
  /** Default: it can be used. */
  readonly status?: 'uploaded' | 'processed' | 'error' | undefined
  readonly expiresAt?: number | undefined
  /** What there is to say of it. */
  readonly details?: string | undefined
}

/** What a provider says of a batch, as far as it says it. Times are seconds since 1970. */
export interface KeptBatch {
  readonly id: string
  /** Path of the calls that its lines are: `/v1/chat/completions`. */
  readonly endpoint: string
  readonly status: BatchStatus
  readonly createdAt: number
  readonly inputFile?: string | undefined
  readonly outputFile?: string | undefined
  readonly errorFile?: string | undefined
  readonly startedAt?: number | undefined
  readonly expiresAt?: number | undefined
  readonly cancellingAt?: number | undefined
  /** When it came to the end that its status says. */
  readonly endedAt?: number | undefined
  readonly counts?: { readonly total: number; readonly completed: number; readonly failed: number } | undefined
  readonly errors?: readonly BatchError[] | undefined
  readonly metadata?: Fields | null | undefined
  readonly model?: string | undefined
}

/** A file in the reference form: `FileObject` of openai-node 7.55.0 (resources/files), read 2026-11-24. */
export const showFile = (file: KeptFile): Fields => ({
  id: file.id,
  object: 'file',
  bytes: file.bytes,
  created_at: file.createdAt,
  expires_at: file.expiresAt ?? null,
  filename: file.filename,
  purpose: file.purpose,
  status: file.status ?? 'processed',
  status_details: file.details ?? null,
})

/** A batch in the reference form: `Batch` of openai-node 7.55.0 (resources/batches), read 2026-11-24. */
export const showBatch = (batch: KeptBatch): Fields => {
  const { status, endedAt = null, errors = [] } = batch
  const when = (ends: BatchStatus): number | null => (status === ends ? endedAt : null)
  return {
    id: batch.id,
    object: 'batch',
    endpoint: batch.endpoint,
    model: batch.model ?? null,
    errors: errors.length === 0 ? null : { object: 'list', data: errors },
    input_file_id: batch.inputFile ?? '',
    completion_window: '24h',
    status,
    output_file_id: batch.outputFile ?? null,
    error_file_id: batch.errorFile ?? null,
    created_at: batch.createdAt,
    in_progress_at: batch.startedAt ?? null,
    expires_at: batch.expiresAt ?? null,
    finalizing_at: null,
    completed_at: when('completed'),
    failed_at: when('failed'),
    expired_at: when('expired'),
    cancelling_at: batch.cancellingAt ?? null,
    cancelled_at: when('cancelled'),
    request_counts: batch.counts ?? { total: 0, completed: 0, failed: 0 },
    metadata: batch.metadata ?? null,
  }
}
