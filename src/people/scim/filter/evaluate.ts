import { isRecord } from '../../../core/json/record.ts'
import { ScimFault } from '../fault.ts'
import { toComparison, type ValueComparison } from './comparison.ts'
import type { Filter, Test } from './filter.ts'
import { type Column, type Parts, partOf } from './searched.ts'

/** Whether one value of an attribute is what the brackets of a value path ask for: `[type eq "work"]`. */
export const isMeant = (parts: Parts['parts'], filter: Filter, value: Readonly<Record<string, unknown>>): boolean => {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => isMeant(parts, part, value))
    case 'or':
      return filter.parts.some((part) => isMeant(parts, part, value))
    case 'not':
      return !isMeant(parts, filter.part, value)
    case 'value':
      throw new ScimFault('invalidFilter', 'Values have no values of their own: `[` stands within `[`.')
    default: {
      const name = filter.path.sub ?? filter.path.name
      return meets(partOf({ parts }, { text: filter.path.text, name }), filter, fieldOf(value, name))
    }
  }
}

/** A field of a resource, its name in either case. */
export const fieldOf = (resource: unknown, name: string): unknown =>
  isRecord(resource) ? Object.entries(resource).find(([key]) => key.toLowerCase() === name)?.[1] : undefined

/** Whether a value passes a test. @throws ScimFault for what cannot be asked of its kind */
export const meets = (column: Column, test: Test, value: unknown): boolean => {
  const isThere = value !== undefined && value !== null
  const comparison = toComparison(column, test)
  if (comparison.kind === 'present') return isThere
  if (comparison.kind === 'absent') return !isThere
  if (comparison.operator === 'ne') return !(isThere && passes(column, { ...comparison, operator: 'eq' }, value))
  return isThere && passes(column, comparison, value)
}

const passes = (column: Column, comparison: ValueComparison, value: unknown): boolean => {
  if (comparison.kind === 'flag') return value === comparison.value
  if (comparison.kind === 'time') {
    return ordered(comparison.operator, new Date(String(value)).getTime() - comparison.value.getTime())
  }
  const isExact = column.kind !== 'text'
  const left = isExact ? String(value) : String(value).toLowerCase()
  const right = isExact ? comparison.value : comparison.value.toLowerCase()
  if (comparison.operator === 'co') return left.includes(right)
  if (comparison.operator === 'sw') return left.startsWith(right)
  if (comparison.operator === 'ew') return left.endsWith(right)
  return ordered(comparison.operator, Buffer.compare(Buffer.from(left), Buffer.from(right)))
}

const ordered = (operator: ValueComparison['operator'], difference: number): boolean => {
  if (operator === 'gt') return difference > 0
  if (operator === 'ge') return difference >= 0
  if (operator === 'lt') return difference < 0
  if (operator === 'le') return difference <= 0
  return difference === 0
}
