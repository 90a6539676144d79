import { columnName } from '../columns.ts'
import type { Condition } from '../question.ts'
import type { Asked, PartStatement } from './asked.ts'
import { asksForKind, createBinder, flatConditions, recordColumnName, type Scope } from './conditions.ts'
import type { Dialect, Sources, Statement } from './dialect.ts'
import {
  allOf,
  collectedSql,
  groupBy,
  groupSql,
  keptSql,
  meansSql,
  type NumberPart,
  numberSql,
  ownerSql,
  rolledUpSql,
} from './sql.ts'

/** Parts that one statement finds. */
interface PartGroup {
  readonly rows: PartStatement['rows']
  readonly parts: readonly number[]
  /** All its rows fit. */
  readonly where: readonly Condition[]
  /** What stands behind the groups; the first ones belong to the groups too. */
  columns(scope: Scope): readonly string[]
  readonly groupedColumns: number
}

/** The statements of a question about calls. */
export const compileCalls = (asked: Asked, dialect: Dialect, sources: Sources): PartStatement[] =>
  partGroups(asked, dialect).map((group) => ({
    ...statementFor(group, asked, dialect, sources),
    rows: group.rows,
    parts: group.parts,
  }))

const isAboutFeedback = (conditions: readonly Condition[]): boolean =>
  flatConditions(conditions).some(
    (condition) => 'weightedFeedback' in condition || ('column' in condition && condition.column === 'weighted'),
  )

const partGroups = ({ parts, facet }: Asked, dialect: Dialect): PartGroup[] => {
  const together: number[] = []
  const apart: PartGroup[] = []
  const number = (part: NumberPart, condition: string, scope: Scope): string =>
    facet === undefined ? numberSql(part, condition, scope) : rolledUpSql(part, condition)
  parts.forEach((part, index) => {
    const { where } = part
    if (part.of === 'histogram' && facet !== undefined) {
      const columns = (): string[] => [`c.histogram_${columnName(part.column)}`]
      apart.push({ rows: 'packed', parts: [index], where, columns, groupedColumns: 0 })
    } else if (part.of === 'histogram' || part.of === 'values') {
      const isHistogram = part.of === 'histogram'
      apart.push({
        rows: isHistogram ? 'buckets' : 'values',
        parts: [index],
        where,
        columns: (scope) => [collectedSql(part, scope, dialect), ...(isHistogram ? ['count(*)'] : [])],
        groupedColumns: 1,
      })
    } else if (isAboutFeedback(where) || ('column' in part && part.column === 'weighted')) {
      // Few traces have feedback: a store that is asked for them alone begins there.
      const columns = (scope: Scope): string[] => [number(part, '', scope)]
      apart.push({
        rows: 'numbers',
        parts: [index],
        where: [...where, { weightedFeedback: {} }],
        columns,
        groupedColumns: 0,
      })
    } else together.push(index)
  })
  const columns = (scope: Scope): string[] =>
    together.flatMap((index) => {
      const part = parts[index]
      if (part === undefined || part.of === 'histogram' || part.of === 'values') return []
      return number(part, allOf(part.where, scope), scope)
    })
  return [{ rows: 'numbers', parts: together, where: [], columns, groupedColumns: 0 }, ...apart]
}

const statementFor = (group: PartGroup, asked: Asked, dialect: Dialect, sources: Sources): Statement => {
  const { question, piece, facet, cutoffs } = asked
  const { filter, groups } = question
  const { bind, statement } = createBinder(dialect)
  let joinsFeedback = false
  const scope: Scope = {
    bind,
    column: (column) => (column === 'weighted' ? scope.weighted() : `c.${recordColumnName(column)}`),
    metadata: (key) => (facet === undefined ? dialect.metadata('c.metadata', bind(key), key) : 'c.value'),
    weighted: () => {
      joinsFeedback = true
      return 'm.weighted'
    },
  }
  const time = facet === undefined ? 'c.time' : 'c.bucket'
  const selected = [...groups.map((each) => groupSql(each, scope, time)), ...group.columns(scope)]
  const conditions = allOf([...filter.where, ...group.where], scope)
  const where = [
    ...ownerSql(filter, 'c', bind),
    ...keptSql(filter, cutoffs, piece.from, { workspace: 'c.workspace_id', time }, bind),
    ...(facet === undefined ? [] : [`c.facet = ${bind(facet)}`, `c.width = ${bind(piece.width ?? null)}`]),
    `${time} >= ${bind(piece.from)}`,
    `${time} < ${bind(piece.to)}`,
    ...(facet === undefined && !asksForKind(filter.where) ? [`c.kind <> ${bind('attempt')}`] : []),
    ...(conditions === '' ? [] : [conditions]),
  ]
  const join = joinsFeedback
    ? ` left join ${meansSql(sources, bind(filter.organisationId))} m on m.workspace_id = c.workspace_id and m.trace_id = c.trace_id`
    : ''
  const grouping = group.rows === 'packed' ? '' : groupBy(groups.length + group.groupedColumns)
  return statement(
    `select ${selected.join(', ')} from ${facet === undefined ? sources.calls : sources.rollups} c${join} where ${where.join(' and ')}${grouping}`,
  )
}
