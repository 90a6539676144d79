import { columnName, RECORD_COLUMNS } from '../columns.ts'
import { type Condition, FEEDBACK_COLUMNS, type FeedbackColumn, type Scalar } from '../question.ts'
import type { Dialect, Statement } from './dialect.ts'
import type { AnyColumn } from './parts.ts'

/** Where columns are in a statement. */
export interface Scope {
  /** SQL of a column. */
  column(column: AnyColumn): string
  /** SQL of the text at a key of metadata. */
  metadata(key: string): string
  /** SQL of the mean weighted feedback of the trace. */
  weighted(): string
  /** Takes a value in. @returns what stands for it in the text */
  bind(value: Scalar): string
}

/** Takes values in for one statement. */
export const createBinder = (dialect: Dialect): { bind(value: Scalar): string; statement(text: string): Statement } => {
  const values: Scalar[] = []
  return {
    bind(value) {
      values.push(value)
      return dialect.parameter(values.length, value)
    },
    statement: (text) => ({ text, values }),
  }
}

export const isFeedbackColumn = (column: AnyColumn): column is FeedbackColumn =>
  FEEDBACK_COLUMNS.some((each) => each === column)

/** Name of a column in a table of records. @throws TypeError for one that records do not have */
export const recordColumnName = (column: AnyColumn): string => {
  if (!Object.hasOwn(RECORD_COLUMNS, column)) throw new TypeError(`Records have no column ${column}`)
  return columnName(column)
}

const NOTHING = '1 = 0'

const list = (scope: Scope, values: readonly Scalar[]): string => values.map((value) => scope.bind(value)).join(', ')

const inList = (scope: Scope, sql: string, values: readonly Scalar[]): string => {
  const known = values.filter((value) => value !== null)
  const either = [
    ...(known.length > 0 ? [`${sql} in (${list(scope, known)})`] : []),
    ...(known.length < values.length ? [`${sql} is null`] : []),
  ]
  return either.length === 0 ? NOTHING : `(${either.join(' or ')})`
}

const notInList = (scope: Scope, sql: string, values: readonly Scalar[]): string => {
  const known = values.filter((value) => value !== null)
  if (known.length < values.length) {
    return known.length === 0 ? `${sql} is not null` : `${sql} not in (${list(scope, known)})`
  }
  return known.length === 0 ? '1 = 1' : `(${sql} is null or ${sql} not in (${list(scope, known)}))`
}

const inRange = (scope: Scope, sql: string, range: { readonly min?: number; readonly max?: number }): string =>
  [
    `${sql} is not null`,
    ...(range.min === undefined ? [] : [`${sql} >= ${scope.bind(range.min)}`]),
    ...(range.max === undefined ? [] : [`${sql} <= ${scope.bind(range.max)}`]),
  ].join(' and ')

/** A condition as SQL, in brackets where it needs them. */
export const conditionSql = (condition: Condition, scope: Scope): string => {
  if ('any' in condition) {
    return condition.any.length === 0
      ? NOTHING
      : `(${condition.any.map((each) => conditionSql(each, scope)).join(' or ')})`
  }
  if ('weightedFeedback' in condition) return `(${inRange(scope, scope.weighted(), condition.weightedFeedback)})`
  if ('hasMetadata' in condition) return `${scope.metadata(condition.hasMetadata)} is not null`
  if ('models' in condition) {
    const [provider, model] = [scope.column('provider'), scope.column('model')]
    const pairs = condition.models.map(
      (pair) => `(${provider} = ${scope.bind(pair[0])} and ${model} = ${scope.bind(pair[1])})`,
    )
    return pairs.length === 0 ? NOTHING : `(${pairs.join(' or ')})`
  }
  if ('metadata' in condition) return inList(scope, scope.metadata(condition.metadata), condition.in)
  const sql = scope.column(condition.column)
  if ('in' in condition) return inList(scope, sql, condition.in)
  if ('notIn' in condition) return notInList(scope, sql, condition.notIn)
  return `(${inRange(scope, sql, condition)})`
}

/** Every condition in conditions, also those inside of others. */
export const flatConditions = (conditions: readonly Condition[]): Exclude<Condition, { readonly any: unknown }>[] =>
  conditions.flatMap((condition) => ('any' in condition ? flatConditions(condition.any) : [condition]))

/** Whether attempts are asked for too: a filter that is about kinds says which. */
export const asksForKind = (conditions: readonly Condition[]): boolean =>
  flatConditions(conditions).some((condition) => 'column' in condition && condition.column === 'kind')
