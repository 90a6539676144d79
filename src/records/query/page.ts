import { COLUMN_NAMES, type StoredRow, toRecord } from '../columns.ts'
import type { RecordFilter } from '../question.ts'
import type { Cutoffs } from '../retention.ts'
import type { Cursor, RecordPage } from '../store.ts'
import { asksForKind, createBinder, recordColumnName, type Scope } from './conditions.ts'
import type { Dialect, Sources, Statement } from './dialect.ts'
import { allOf, keptSql, meansSql, ownerSql } from './sql.ts'

export interface PageOptions {
  readonly limit: number
  readonly after?: Cursor | undefined
  readonly order: 'newest' | 'oldest'
}

/** Finds one record more than there are on a page: where it is there, so is a next page. */
export const compilePage = (
  filter: RecordFilter,
  { limit, after, order }: PageOptions,
  cutoffs: Cutoffs | undefined,
  dialect: Dialect,
  sources: Sources,
): Statement => {
  const { bind, statement } = createBinder(dialect)
  let joinsMeans = false
  const scope: Scope = {
    bind,
    column: (column) => (column === 'weighted' ? scope.weighted() : `c.${recordColumnName(column)}`),
    metadata: (key) => dialect.metadata('c.metadata', bind(key), key),
    weighted: () => {
      joinsMeans = true
      return 'm.weighted'
    },
  }
  const fitting = allOf(filter.where, scope)
  const where = [
    ...ownerSql(filter, 'c', bind),
    ...keptSql(filter, cutoffs, filter.from, { workspace: 'c.workspace_id', time: 'c.time' }, bind),
    `c.time >= ${bind(filter.from)}`,
    `c.time < ${bind(filter.to)}`,
    ...(asksForKind(filter.where) ? [] : [`c.kind <> ${bind('attempt')}`]),
    ...(fitting === '' ? [] : [fitting]),
    ...(after === undefined
      ? []
      : // The times alone as well: they say where in the table to begin.
        [
          `c.time ${order === 'newest' ? '<=' : '>='} ${bind(after.time)}`,
          `(c.time, c.id) ${order === 'newest' ? '<' : '>'} (${bind(after.time)}, ${bind(after.id)})`,
        ]),
  ]
  const means = joinsMeans
    ? ` left join ${meansSql(sources, bind(filter.organisationId))} m on m.workspace_id = c.workspace_id and m.trace_id = c.trace_id`
    : ''
  const direction = order === 'newest' ? ' desc' : ''
  const columns = COLUMN_NAMES.map((name) => `c.${name} as ${name}`).join(', ')
  return statement(
    `select ${columns} from ${sources.calls} c${means} where ${where.join(' and ')} order by c.time${direction}, c.id${direction} limit ${bind(limit + 1)}`,
  )
}

/** Rows of the statement as a page. */
export const toPage = (rows: readonly StoredRow[], limit: number): RecordPage => {
  const records = rows.slice(0, limit).map(toRecord)
  const last = records.at(-1)
  return { records, ...(rows.length > limit && last !== undefined && { next: { time: last.time, id: last.id } }) }
}
