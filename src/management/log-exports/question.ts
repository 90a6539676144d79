import type { RecordFilter } from '../../records/question.ts'
import { toRecordFilter } from '../record-filter.ts'
import type { Place } from '../resolve-workspace.ts'
import type { LogExportsDeps } from './deps.ts'
import type { ExportFilters } from './model.ts'

/** What an export asks of the store of records. The same from its start to its end, whatever arrives meanwhile. */
export interface ExportQuestion {
  readonly filter: RecordFilter
  /** Rows that come before. */
  readonly skip: number
  /** Most rows. */
  readonly limit: number
}

/** @throws ManagementInvalid for filters that contradict each other, or times before what is kept */
export const toQuestion = (
  { now, retentionDays }: Pick<LogExportsDeps, 'now' | 'retentionDays'>,
  { organisationId, workspaceId }: Place,
  filters: ExportFilters,
): ExportQuestion => {
  const place = { organisationId, ...(workspaceId !== undefined && { workspaceId }) }
  const nowMs = now()
  const filter = toRecordFilter(place, filters, { nowMs, retentionDays: retentionDays(place), path: 'filters' })
  const { page_size: limit, current_page: page } = filters
  return { filter: { ...filter, to: Math.min(filter.to, nowMs * 1000) }, skip: page * limit, limit }
}

/** How many rows an export would have now. */
export const totalOf = async (
  { records }: Pick<LogExportsDeps, 'records'>,
  { filter, skip, limit }: ExportQuestion,
): Promise<number> => {
  const { rows } = await records.ask({ from: 'calls', filter, groups: [], measures: [{ as: 'count', count: true }] })
  return Math.min(Math.max(Number(rows[0]?.count ?? 0) - skip, 0), limit)
}
