import type { FeedbackRecord } from '../core/records.ts'

/** Feedback as stores with SQL give it. */
export interface FeedbackRow {
  readonly id: string
  readonly time: number
  readonly organisation_id: string
  readonly workspace_id: string
  readonly trace_id: string
  readonly value: number
  readonly weight: number
  readonly metadata: Readonly<Record<string, string>>
  readonly api_key_id: string | null
}

export const toFeedback = (row: FeedbackRow): FeedbackRecord => ({
  id: row.id,
  time: row.time,
  organisationId: row.organisation_id,
  workspaceId: row.workspace_id,
  traceId: row.trace_id,
  value: row.value,
  weight: row.weight,
  metadata: row.metadata,
  ...(row.api_key_id !== null && { apiKeyId: row.api_key_id }),
})
