import { columnName } from '../columns.ts'
import type { Condition } from '../question.ts'
import type { Asked, PartStatement } from './asked.ts'
import { createBinder, isFeedbackColumn, recordColumnName, type Scope } from './conditions.ts'
import type { Dialect, Sources, Statement } from './dialect.ts'
import type { AnyColumn, Part } from './parts.ts'
import { allOf, collectedSql, groupBy, groupSql, keptSql, meansSql, numberSql, ownerSql } from './sql.ts'

/**
 * The statements of a question about feedback. A row of feedback meets every call of its trace and counts once for each
 * group of those: first come the rows that differ, then what is made of them.
 */
export const compileFeedback = (asked: Asked, dialect: Dialect, sources: Sources): PartStatement[] => {
  const batches = new Map<string, { readonly where: readonly Condition[]; readonly parts: number[] }>()
  const collected: PartStatement[] = []
  asked.parts.forEach((part, index) => {
    if (part.of === 'histogram' || part.of === 'values') {
      const rows = part.of === 'histogram' ? 'buckets' : 'values'
      collected.push({ ...statementFor(part.where, [part], asked, dialect, sources), rows, parts: [index] })
      return
    }
    const name = JSON.stringify(part.where)
    const batch = batches.get(name) ?? { where: part.where, parts: [] }
    batches.set(name, batch)
    batch.parts.push(index)
  })
  const numbers = [...batches.values()].map(({ where, parts }): PartStatement => {
    const found = parts.flatMap((index) => asked.parts[index] ?? [])
    return { ...statementFor(where, found, asked, dialect, sources), rows: 'numbers', parts }
  })
  return [...numbers, ...collected]
}

/** Columns of feedback in the rows that differ. */
const KEPT = ['id', 'time', 'workspace_id', 'trace_id', 'value', 'weight'] as const

/** SQL of a column of feedback in the rows that differ. */
const keptColumn = (column: AnyColumn): string => {
  if (!isFeedbackColumn(column))
    throw new TypeError(`A measure of feedback cannot be about ${column}, which calls have`)
  return column === 'weighted' ? '(f.value * f.weight)' : `f.${columnName(column)}`
}

const statementFor = (
  conditions: readonly Condition[],
  parts: readonly Part[],
  { question, piece, cutoffs }: Asked,
  dialect: Dialect,
  sources: Sources,
): Statement => {
  const { filter, groups } = question
  const { bind, statement } = createBinder(dialect)
  let joinsCalls = false
  let joinsMeans = false
  const call = (sql: string): string => {
    joinsCalls = true
    return sql
  }
  const scope: Scope = {
    bind,
    column: (column) => {
      if (column === 'weighted') return '(f.value * f.weight)'
      return isFeedbackColumn(column) ? `f.${columnName(column)}` : call(`c.${recordColumnName(column)}`)
    },
    metadata: (key) => call(dialect.metadata('c.metadata', bind(key), key)),
    weighted: () => {
      joinsMeans = true
      return 'm.weighted'
    },
  }
  const kept = KEPT.map((column) => `f.${column} as ${column}`)
  const grouped = groups.map((group, index) => `${groupSql(group, scope, 'f.time')} as g${index}`)
  // What a part collects may be about the calls, and then a row counts once for each.
  const collecting = parts.flatMap((part) =>
    part.of === 'histogram' || part.of === 'values' ? `${collectedSql(part, scope, dialect)} as collected` : [],
  )
  const fitting = allOf([...filter.where, ...conditions], scope)
  const where = [
    ...ownerSql(filter, 'f', bind),
    ...keptSql(filter, cutoffs, piece.from, { workspace: 'f.workspace_id', time: 'f.time' }, bind),
    `f.time >= ${bind(piece.from)}`,
    `f.time < ${bind(piece.to)}`,
    ...(fitting === '' ? [] : [fitting]),
  ]
  const calls = joinsCalls
    ? ` left join ${sources.calls} c on c.organisation_id = f.organisation_id and c.workspace_id = f.workspace_id and c.trace_id = f.trace_id and c.kind <> ${bind('attempt')}`
    : ''
  const means = joinsMeans
    ? ` left join ${meansSql(sources, bind(filter.organisationId))} m on m.workspace_id = f.workspace_id and m.trace_id = f.trace_id`
    : ''
  const different = `select distinct ${[...kept, ...grouped, ...collecting].join(', ')} from ${sources.feedback} f${calls}${means} where ${where.join(' and ')}`
  const numbers = parts.flatMap((part) =>
    part.of === 'histogram' || part.of === 'values' ? [] : numberSql(part, '', { ...scope, column: keptColumn }),
  )
  const selected = [
    ...groups.map((_, index) => `f.g${index}`),
    ...(collecting.length > 0 ? ['f.collected'] : []),
    ...(parts.some(({ of }) => of === 'histogram') ? ['count(*)'] : []),
    ...numbers,
  ]
  return statement(`select ${selected.join(', ')} from (${different}) f${groupBy(groups.length + collecting.length)}`)
}
