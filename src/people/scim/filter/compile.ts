import { type SQL, sql } from 'drizzle-orm'
import { isUuid } from '../../../store/objects/rows.ts'
import { ScimFault } from '../fault.ts'
import { toComparison, type ValueComparison } from './comparison.ts'
import type { Filter, Test } from './filter.ts'
import { type Column, findAttribute, findSeveral, type Parts, partOf, type Searched } from './searched.ts'

/** The condition of a filter: true or false, never null. @throws ScimFault for what cannot be asked */
export const compileFilter = (searched: Searched, filter: Filter): SQL => {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return joined(
        filter.kind,
        filter.parts.map((part) => compileFilter(searched, part)),
      )
    case 'not':
      return sql`not ${compileFilter(searched, filter.part)}`
    case 'value': {
      const { parts, some } = findSeveral(searched, filter.path)
      const within = compileWithin(parts, filter.filter)
      return some(filter.test === undefined ? within : joined('and', [within, compileWithin(parts, filter.test)]))
    }
    default:
      return compileTest(searched, filter)
  }
}

/** The condition of what stands between the brackets of a value path, about the parts of one value. */
export const compileWithin = (parts: Parts['parts'], filter: Filter): SQL => {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return joined(
        filter.kind,
        filter.parts.map((part) => compileWithin(parts, part)),
      )
    case 'not':
      return sql`not ${compileWithin(parts, filter.part)}`
    case 'value':
      throw new ScimFault('invalidFilter', 'Values have no values of their own: `[` stands within `[`.')
    default:
      return compileColumn(partOf({ parts }, nameOf(filter)), filter)
  }
}

/** A part may be named with what it is a part of. */
const nameOf = ({ path }: Test) => ({ text: path.text, name: path.sub ?? path.name })

const compileTest = (searched: Searched, test: Test): SQL => {
  const found = findAttribute(searched, test.path)
  if (found.kind === 'column') return compileColumn(found.column, test)
  const { parts, some = (condition: SQL) => condition } = found.of
  if (found.kind === 'part') return some(compileColumn(found.column, test))
  if (test.kind === 'present') return some(joined('or', Object.values(parts).map(isPresent)))
  return some(compileColumn(partOf(found.of, { text: test.path.text, name: 'value' }), test))
}

const joined = (word: 'and' | 'or', conditions: readonly SQL[]): SQL =>
  sql`(${sql.join([...conditions], sql.raw(` ${word} `))})`

const compileColumn = (column: Column, test: Test): SQL => {
  const comparison = toComparison(column, test)
  if (comparison.kind === 'present') return isPresent(column)
  if (comparison.kind === 'absent') return sql`(not ${isPresent(column)})`
  if (comparison.operator === 'ne') return sql`(not ${isMet(column, { ...comparison, operator: 'eq' })})`
  return isMet(column, comparison)
}

const isPresent = ({ sql: value }: Column): SQL => sql`(${value} is not null)`

/** What has no value fulfils no comparison. */
const isMet = (column: Column, comparison: ValueComparison): SQL =>
  sql`coalesce(${compared(column, comparison)}, false)`

const compared = (column: Column, { operator, ...given }: ValueComparison): SQL => {
  if (given.kind === 'flag') return sql`${column.sql} = ${given.value}`
  if (given.kind === 'time') {
    // What clients were shown has no more than milliseconds.
    return sql`date_trunc('milliseconds', ${column.sql}) ${sql.raw(SIGNS[operator])} ${given.value.toISOString()}::timestamptz`
  }
  const { value } = given
  if (column.kind === 'id' && operator === 'eq') {
    return isUuid(value) && value === value.toLowerCase() ? sql`${column.sql} = ${value}::uuid` : sql`false`
  }
  const left = leftOf(column)
  const right = column.kind === 'text' ? lowered(column, value) : sql`${value}::text`
  if (operator === 'co') return sql`position(${right} in ${left}) > 0`
  if (operator === 'sw') return sql`starts_with(${left}, ${right})`
  if (operator === 'ew') return sql`right(${left}, length(${right})) = ${right}`
  if (operator === 'eq') return sql`${left} = ${right}`
  return sql`${left} collate "C" ${sql.raw(SIGNS[operator])} ${right} collate "C"`
}

const leftOf = ({ kind, sql: value, isLower }: Column): SQL => {
  if (kind === 'id') return sql`${value}::text`
  return kind === 'text' && isLower !== true ? sql`lower(${value})` : sql`${value}`
}

const lowered = ({ isLower }: Column, value: string): SQL =>
  isLower === true ? sql`${value.toLowerCase()}::text` : sql`lower(${value}::text)`

const SIGNS = { eq: '=', ne: '<>', gt: '>', ge: '>=', lt: '<', le: '<=', co: '', sw: '', ew: '' } as const

/** What a list is sorted by; those without a value come last. @throws ScimFault */
export const compileOrder = (searched: Searched, path: Test['path'], order: 'ascending' | 'descending'): SQL => {
  const found = findAttribute(searched, path)
  const column = found.kind === 'parts' ? partOf(found.of, { text: path.text, name: 'value' }) : found.column
  if (found.kind !== 'column' && found.of.some !== undefined && !isSingle(found.of)) {
    throw new ScimFault('invalidValue', `\`sortBy\`: \`${path.text.slice(0, 100)}\` has several values.`)
  }
  const value =
    column.kind === 'text' || column.kind === 'exact' ? sql`${leftOf(column)} collate "C"` : sql`${column.sql}`
  return order === 'ascending' ? sql`${value} asc nulls last` : sql`${value} desc nulls last`
}

/** Several by its form, one in truth: its columns are those of the resource. */
const isSingle = ({ some }: Parts): boolean => {
  const condition = sql`true`
  return some?.(condition) === condition
}
