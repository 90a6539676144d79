import { columnName } from '../columns.ts'
import type { Condition, Group, RecordFilter } from '../question.ts'
import type { Cutoffs } from '../retention.ts'
import { BUCKETS_PER_DOUBLING, ZERO_BUCKET } from '../rollups/histogram.ts'
import { conditionSql, type Scope } from './conditions.ts'
import type { Dialect, Sources } from './dialect.ts'
import type { Part } from './parts.ts'

export type NumberPart = Exclude<Part, { readonly of: 'histogram' | 'values' }>

/** A value of those rows that fit; null of the others. */
const when = (condition: string, value: string): string =>
  condition === '' ? value : `case when ${condition} then ${value} end`

/** A number of rows with columns as records have them. */
export const numberSql = (part: NumberPart, condition: string, scope: Scope): string => {
  if (part.of === 'count') return condition === '' ? 'count(*)' : `count(${when(condition, '1')})`
  const value = when(condition, scope.column(part.column))
  return part.of === 'known' ? `count(${value})` : `${part.of}(${value})`
}

/** The same number of rows of rollups. */
export const rolledUpSql = (part: NumberPart, condition: string): string => {
  switch (part.of) {
    case 'count':
      return `sum(${when(condition, 'c.calls')})`
    case 'min':
      return `min(${when(condition, 'c.first_time')})`
    case 'max':
      return `max(${when(condition, 'c.last_time')})`
    case 'sum':
    case 'known':
      return `sum(${when(condition, `c.${part.of}_${columnName(part.column)}`)})`
  }
}

/** The bucket of a histogram that a value belongs to, as `bucketOf` says; null of null. */
export const bucketSql = (value: string, { log2, ceiling }: Dialect): string =>
  `case when ${value} is null then null when ${value} <= 0 then ${ZERO_BUCKET} else ${ceiling(`${log2(value)} * ${BUCKETS_PER_DOUBLING}`)} - 1 end`

export const allOf = (conditions: readonly Condition[], scope: Scope): string =>
  conditions.map((condition) => conditionSql(condition, scope)).join(' and ')

export const groupSql = (group: Group, scope: Scope, time: string): string => {
  if ('metadata' in group) return scope.metadata(group.metadata)
  if ('column' in group) return scope.column(group.column)
  return `${time} - ${time} % ${scope.bind(group.bucket)}`
}

/** Groups by the first columns. */
export const groupBy = (columns: number): string =>
  columns === 0 ? '' : ` group by ${Array.from({ length: columns }, (_, index) => index + 1).join(', ')}`

/** Whose rows. */
export const ownerSql = (
  { organisationId, workspaceIds }: RecordFilter,
  alias: string,
  bind: Scope['bind'],
): string[] => [
  `${alias}.organisation_id = ${bind(organisationId)}`,
  ...(workspaceIds === undefined
    ? []
    : [workspaceIds.length === 0 ? '1 = 0' : `${alias}.workspace_id in (${workspaceIds.map(bind).join(', ')})`]),
]

/** Leaves out what is past its retention, where a range reaches that far back. */
export const keptSql = (
  { workspaceIds }: RecordFilter,
  cutoffs: Cutoffs | undefined,
  from: number,
  columns: { readonly workspace: string; readonly time: string },
  bind: Scope['bind'],
): string[] => {
  if (cutoffs === undefined) return []
  const { workspace, time } = columns
  const own = [...cutoffs.workspaces].filter(([id]) => workspaceIds?.includes(id) ?? true)
  const late = own.filter(([, cutoff]) => cutoff > from)
  // Only what stands in the text is taken in: Postgres refuses other values.
  const recent = (): string => {
    const condition = `${time} >= ${bind(cutoffs.fallback)}`
    return own.length === 0
      ? condition
      : `(${condition} or ${workspace} in (${own.map(([id]) => bind(id)).join(', ')}))`
  }
  return [
    ...(cutoffs.fallback <= from ? [] : [recent()]),
    ...late.map(([id, cutoff]) => `(${workspace} <> ${bind(id)} or ${time} >= ${bind(cutoff)})`),
  ]
}

/** SQL of the values that a part collects. */
export const collectedSql = (part: Exclude<Part, NumberPart>, scope: Scope, dialect: Dialect): string => {
  if (part.of === 'histogram') return bucketSql(scope.column(part.column), dialect)
  return 'metadata' in part ? scope.metadata(part.metadata) : scope.column(part.column)
}

/** Mean weighted feedback by workspace and trace. @param organisation a parameter */
export const meansSql = ({ feedback }: Sources, organisation: string): string =>
  `(select f.workspace_id, f.trace_id, avg(f.value * f.weight) as weighted from ${feedback} f where f.organisation_id = ${organisation} group by f.workspace_id, f.trace_id)`
