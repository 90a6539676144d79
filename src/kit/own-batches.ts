import type { FoundKey } from './plugin.ts'

export type BatchStatus =
  | 'validating'
  | 'failed'
  | 'in_progress'
  | 'finalizing'
  | 'completed'
  | 'expired'
  | 'cancelling'
  | 'cancelled'

/** What is wrong with a batch or a line of it. */
export interface BatchError {
  readonly code: string
  readonly message: string
  readonly param?: string | null
  /** Of the input file, from 1. */
  readonly line?: number | null
}

/** A batch as clients see it: OpenAI's object, its times in seconds since 1970, null where there is nothing to say. */
export interface BatchObject {
  readonly id: string
  readonly object: 'batch'
  readonly endpoint: string
  readonly input_file_id: string
  readonly completion_window: string
  readonly status: BatchStatus
  readonly output_file_id: string | null
  readonly error_file_id: string | null
  readonly created_at: number
  readonly in_progress_at: number | null
  readonly expires_at: number | null
  readonly finalizing_at: number | null
  readonly completed_at: number | null
  readonly failed_at: number | null
  readonly expired_at: number | null
  readonly cancelling_at: number | null
  readonly cancelled_at: number | null
  readonly request_counts: { readonly total: number; readonly completed: number; readonly failed: number }
  readonly errors: { readonly object: 'list'; readonly data: readonly BatchError[] } | null
  readonly metadata: Readonly<Record<string, string>> | null
  readonly [more: string]: unknown
}

/** A batch that Weir shall run. */
export interface NewBatch {
  /** Who asks for it. Its lines are asked for by the same key, which is looked up again for them. */
  readonly caller: FoundKey
  readonly inputFileId: string
  /** Path that all of its lines name: `/v1/chat/completions`. */
  readonly endpoint: string
  readonly completionWindow: 'immediate' | '24h'
  readonly metadata: Readonly<Record<string, string>> | null
  /** What every line is asked with: provider, config, provider key, metadata. Kept sealed. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Fields of lines that have them not: `model`. */
  readonly defaults?: Readonly<Record<string, unknown>> | undefined
  /** Of the files that it makes. */
  readonly outputExpiresAfterSeconds?: number | undefined
}

/** Batches that Weir runs itself, by workspace. */
export interface OwnBatches {
  /** Kept and on its way once this settles. @throws StoreUnavailable (503), and a catalogue error for too many at once */
  create(batch: NewBatch): Promise<BatchObject>
  /** @throws StoreUnavailable (503) */
  find(workspaceId: string, id: string): Promise<BatchObject | undefined>
  /** The newest first. @param query.after id of the one that the list goes on behind @throws StoreUnavailable (503) */
  list(
    workspaceId: string,
    query: { readonly after?: string | undefined; readonly limit: number },
  ): Promise<{ readonly batches: readonly BatchObject[]; readonly hasMore: boolean }>
  /** One that has ended stays as it is. @throws StoreUnavailable (503) */
  cancel(workspaceId: string, id: string): Promise<BatchObject | undefined>
}
