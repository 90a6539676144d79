import type { Database } from 'bun:sqlite'
import type { CallRecord, FeedbackRecord, SealedBodies } from '../../core/records.ts'
import { COLUMN_NAMES, type StoredRow, toRecord } from '../columns.ts'
import { type FeedbackRow, toFeedback } from '../feedback-row.ts'
import type { Statement } from '../query/dialect.ts'

const COLUMNS = COLUMN_NAMES.map((name) => `c.${name}`).join(', ')

/** Runs a statement whose text is not often the same. */
export const run = <Row>(database: Database, { text, values }: Statement): Row[] => {
  using statement = database.prepare<Row, (string | number | boolean | null)[]>(text)
  return statement.all(...values)
}

/** The records of a call in one file. */
export const callIn = (database: Database, organisationId: string, callId: string): CallRecord[] =>
  database
    .query<StoredRow, [string, string]>(
      `select ${COLUMNS} from calls c where c.id = ?1 and c.call_id = ?1 and c.organisation_id = ?2 union all select ${COLUMNS} from calls c where c.call_id = ?1 and c.attempt > 0 and c.organisation_id = ?2`,
    )
    .all(callId, organisationId)
    .map(toRecord)

/** Records of one file that came in behind a place. @returns each with its place */
export const arrivedIn = (
  database: Database,
  since: number,
  limit: number,
): { readonly seq: number; readonly record: CallRecord }[] =>
  database
    .query<StoredRow & { seq: number }, [number, number]>(
      `select c.seq, ${COLUMNS} from calls c where c.seq > ?1 order by c.seq limit ?2`,
    )
    .all(since, limit)
    .map((row) => ({ seq: row.seq, record: toRecord(row) }))

/** Place of the last record of a file. */
export const lastIn = (database: Database): number =>
  database.query<{ last: number }, []>('select coalesce(max(seq), 0) as last from calls').get()?.last ?? 0

export const bodiesIn = (database: Database, ids: readonly string[]): SealedBodies[] => {
  const statement = database.query<
    { record_id: string; organisation_id: string; workspace_id: string; time: number; sealed: Uint8Array },
    [string]
  >('select record_id, organisation_id, workspace_id, time, sealed from bodies where record_id = ?')
  return ids.flatMap((id) => {
    const row = statement.get(id)
    if (row === null) return []
    const { record_id: recordId, organisation_id: organisationId, workspace_id: workspaceId, time, sealed } = row
    return { recordId, organisationId, workspaceId, time, sealed }
  })
}

/** Metadata is a text of JSON. */
type WrittenFeedback = Omit<FeedbackRow, 'metadata'> & { readonly metadata: string }

/** The last row of an id. */
export const feedbackIn = (database: Database, organisationId: string, id: string): FeedbackRecord | undefined => {
  const row = database
    .query<WrittenFeedback, [string, string]>('select * from feedback where id = ? and organisation_id = ?')
    .get(id, organisationId)
  return row === null ? undefined : toFeedback({ ...row, metadata: JSON.parse(row.metadata) as Record<string, string> })
}
