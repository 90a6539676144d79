import type { CallRecord } from '../../core/records.ts'
import type { RecordReader } from '../../records/store.ts'
import { slugsOfWorkspaces } from '../../store/objects/workspaces.ts'
import type { Db } from '../../store/types.ts'
import { toShown } from './fields.ts'
import type { LogRow } from './model.ts'

/** Most votes that a page shows, of all its traces. */
const MAX_FEEDBACK = 5_000
const DAY_US = 86_400_000_000

/** Records of one organisation as a list shows them: with the slugs of their workspaces, and what people thought of them. */
export const toRows = async (
  db: Db,
  reader: Pick<RecordReader, 'ask'>,
  organisationId: string,
  records: readonly CallRecord[],
  nowMs: number,
): Promise<readonly LogRow[]> => {
  if (records.length === 0) return []
  const workspaceIds = [...new Set(records.map(({ workspaceId }) => workspaceId))]
  const [slugs, feedback] = await Promise.all([
    slugsOfWorkspaces(db, organisationId, workspaceIds),
    feedbackOf(reader, organisationId, workspaceIds, records, nowMs),
  ])
  return records.map((record) => toRow(record, slugs.get(record.workspaceId), feedback.get(record.traceId)))
}

export const toRow = (
  record: CallRecord,
  workspaceSlug: string | undefined,
  feedback: LogRow['feedback'] = [],
): LogRow => ({ ...toShown(record), workspace_slug: workspaceSlug ?? null, feedback })

const feedbackOf = async (
  reader: Pick<RecordReader, 'ask'>,
  organisationId: string,
  workspaceIds: readonly string[],
  records: readonly CallRecord[],
  nowMs: number,
): Promise<ReadonlyMap<string, LogRow['feedback']>> => {
  const traces = [...new Set(records.map(({ traceId }) => traceId))]
  const from = Math.min(...records.map(({ time }) => time))
  const { rows } = await reader.ask({
    from: 'feedback',
    filter: {
      organisationId,
      workspaceIds,
      from,
      to: Math.max(nowMs * 1000, from) + DAY_US,
      where: [{ column: 'traceId', in: traces }],
    },
    groups: [
      { as: 'trace', column: 'traceId' },
      { as: 'id', column: 'id' },
      { as: 'value', column: 'value' },
      { as: 'weight', column: 'weight' },
    ],
    measures: [{ as: 'rows', count: true }],
    limit: MAX_FEEDBACK,
  })
  const found = new Map<string, LogRow['feedback']>()
  for (const { trace, id, value, weight } of rows) {
    const known = found.get(String(trace)) ?? []
    known.push({ id: String(id), value: Number(value), weight: Number(weight) })
    found.set(String(trace), known)
  }
  return found
}
