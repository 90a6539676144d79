import type { Sql } from 'postgres'
import type { FeedbackRecord } from '../../core/records.ts'
import { type FeedbackRow, toFeedback } from '../feedback-row.ts'
import { SCHEMA } from './names.ts'

/** Rows of feedback, the last one of each id alone. Conditions on the organisation reach into it. */
export const LAST_FEEDBACK = `(select distinct on (organisation_id, id) id, time, organisation_id, workspace_id, trace_id, value, weight
  from ${SCHEMA}.feedback order by organisation_id, id, time desc, batch desc, position desc)`

/** The last row of an id. */
export const readFeedback = async (
  sql: Sql,
  organisationId: string,
  id: string,
): Promise<FeedbackRecord | undefined> => {
  const [row] = await sql.unsafe<FeedbackRow[]>(
    `select id, time, organisation_id, workspace_id, trace_id, value, weight, metadata, api_key_id
     from ${SCHEMA}.feedback where id = $1 and organisation_id = $2 order by time desc, batch desc, position desc limit 1`,
    [id, organisationId],
  )
  return row && toFeedback(row)
}
