import type { AnswerRow, Measure, Question, RecordFilter } from '../../records/question.ts'
import type { RecordReader } from '../../records/store.ts'
import { invalidField } from '../invalid-field.ts'
import { valuesOf } from './fields.ts'
import type { GroupTable } from './groups.ts'
import type { GroupQuery } from './query.ts'

export interface GroupsAnswer {
  readonly object: 'list'
  readonly total?: number
  readonly data: readonly Readonly<Record<string, unknown>>[]
}

/**
 * A page of a table, in one question; in two where it has columns that only a few records have.
 * @throws ManagementInvalid for columns or an order that the table does not have; StoreUnavailable
 */
export const answerGroups = async (
  reader: Reader,
  table: GroupTable,
  filter: RecordFilter,
  query: GroupQuery,
): Promise<GroupsAnswer> => {
  const { keys } = table
  const columns = columnsOf(table, query.columns)
  const order = orderOf(table, query)
  const later = columns.filter((name) => isLater(table, name, order))
  const now = columns.filter((name) => !later.includes(name))
  const isCounted = query.include_total !== false
  const { rows, total } = await reader.ask({
    ...questionOf(table, filter, [...now, ...order.columns]),
    order: [...order.by, ...keys.map(({ field }) => ({ by: field }))],
    limit: query.page_size,
    offset: query.current_page * query.page_size,
    total: isCounted,
  })
  const whole = later.length === 0 ? rows : await withLater(reader, table, filter, later, rows)
  const shown = Object.fromEntries(
    Object.entries(table.columns).flatMap(([name, { field }]) => (columns.includes(name) ? [[name, field]] : [])),
  )
  const data = whole.map((row) => ({
    ...Object.fromEntries(keys.map(({ field }) => [field, row[field]])),
    ...valuesOf(shown, { row, rows: [], soFar: row }),
    object: 'analytics-group',
  }))
  return { object: 'list', ...(isCounted ? { total: total ?? rows.length } : {}), data }
}

type Reader = Pick<RecordReader, 'ask'>

const isLater = ({ columns }: GroupTable, name: string, order: Order): boolean =>
  columns[name]?.isJoined === true && !order.columns.includes(name)

const questionOf = (
  { keys, columns }: GroupTable,
  filter: RecordFilter,
  names: readonly string[],
): Pick<Question, 'from' | 'filter' | 'groups' | 'measures'> => {
  const measures = new Map<string, Measure>()
  for (const name of names) for (const measure of columns[name]?.measures ?? []) measures.set(measure.as, measure)
  return {
    from: 'calls',
    filter: { ...filter, where: [...filter.where, ...keys.map(({ known }) => known)] },
    groups: keys.map(({ group }) => group),
    measures: [...measures.values()],
  }
}

/** The rows of a page with further columns, which only records have that are about feedback. */
const withLater = async (
  reader: Reader,
  table: GroupTable,
  filter: RecordFilter,
  names: readonly string[],
  rows: readonly AnswerRow[],
): Promise<readonly AnswerRow[]> => {
  if (rows.length === 0) return rows
  const nameOf = (row: AnswerRow): string => JSON.stringify(table.keys.map(({ field }) => row[field]))
  const where = [...filter.where, { weightedFeedback: {} }]
  const found = await reader.ask(questionOf(table, { ...filter, where }, names))
  const byName = new Map(found.rows.map((row) => [nameOf(row), row]))
  return rows.map((row) => ({ ...byName.get(nameOf(row)), ...row }))
}

const columnsOf = ({ columns, shown }: GroupTable, chosen: string | undefined): readonly string[] => {
  const known = Object.keys(columns)
  if (shown === undefined || chosen === undefined) return shown ?? known
  const names = [...new Set(chosen.split(',').map((name) => name.trim()))].filter((name) => name !== '')
  const stranger = names.find((name) => !known.includes(name))
  if (stranger !== undefined) {
    throw invalidField('columns', `has '${stranger.slice(0, 100)}', which is none of: ${known.join(', ')}`)
  }
  if (names.length === 0) throw invalidField('columns', 'has no value')
  return names
}

interface Order {
  readonly by: readonly { readonly by: string; readonly desc: boolean }[]
  /** Columns that it needs. */
  readonly columns: readonly string[]
}

/** The most requests first, unless the client wants another order. */
const orderOf = ({ keys, columns }: GroupTable, query: GroupQuery): Order => {
  const { order_by: name = 'requests', order_by_type: direction = 'desc' } = query
  const desc = direction.toLowerCase() === 'desc'
  if (keys.some(({ field }) => field === name)) return { by: [{ by: name, desc }], columns: [] }
  const measure = columns[name]?.orderBy
  if (measure !== undefined) return { by: [{ by: measure, desc }], columns: [name] }
  const known = Object.entries(columns).flatMap(([each, { orderBy }]) => (orderBy === undefined ? [] : [each]))
  throw invalidField('order_by', `must be one of: ${[...keys.map(({ field }) => field), ...known].join(', ')}`)
}
