import { textIn } from '../../core/bodies/bytes.ts'
import type { CallRecord, FeedbackRecord, SealedBodies } from '../../core/records.ts'
import { columnName, RECORD_COLUMNS, REQUIRED_COLUMNS, type StoredColumn, storedValue } from '../columns.ts'
import { BatchRefused, type Placed } from '../store.ts'

/** A row as `JSONEachRow` takes it. */
export type JsonRow = Readonly<Record<string, unknown>>

const COLUMNS = (Object.keys(RECORD_COLUMNS) as StoredColumn[]).map((column) => [column, columnName(column)] as const)

export const callRow = ({ position, row }: Placed<CallRecord>, spool: string): JsonRow => {
  const out: Record<string, unknown> = { spool, position }
  for (const [column, name] of COLUMNS) {
    const value = storedValue(row, column)
    if (value !== undefined) out[name] = toColumn(column, value)
    else if (REQUIRED_COLUMNS.has(column)) throw new BatchRefused(`A record has no ${column}.`)
  }
  return out
}

export const bodyRow = ({ row }: Placed<SealedBodies>): JsonRow => ({
  record_id: row.recordId,
  time: row.time,
  organisation_id: row.organisationId,
  workspace_id: row.workspaceId,
  sealed: textIn(row.sealed, 'base64'),
})

export const feedbackRow = ({ position, row }: Placed<FeedbackRecord>, spool: string): JsonRow => ({
  id: row.id,
  time: row.time,
  organisation_id: row.organisationId,
  workspace_id: row.workspaceId,
  trace_id: wellFormed(row.traceId),
  value: row.value,
  weight: row.weight,
  metadata: wellFormedMap(row.metadata),
  api_key_id: row.apiKeyId ?? null,
  spool,
  position,
})

const toColumn = (column: StoredColumn, value: unknown): unknown => {
  if (typeof value === 'string') return wellFormed(value)
  // The server would take zero for what JSON has no number for.
  if (RECORD_COLUMNS[column] === 'integer' && !Number.isSafeInteger(value)) {
    throw new BatchRefused(`The ${column} of a record is not a whole number.`)
  }
  if (column === 'metadata') return wellFormedMap(value as CallRecord['metadata'])
  return typeof value === 'object' ? JSON.stringify(value) : value
}

/** ClickHouse takes no half of a surrogate pair: each becomes U+FFFD. */
const wellFormed = (text: string): string => (text.isWellFormed() ? text : text.toWellFormed())

const wellFormedMap = (map: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [wellFormed(key), wellFormed(value)]))
