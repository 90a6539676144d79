import type { CallRecord } from '../../core/records.ts'
import { RECORD_COLUMNS, type StoredColumn, storedValue } from '../../records/columns.ts'
import type { Condition } from '../../records/question.ts'

/**
 * Whether a record that has just arrived fits, without a store. Feedback is not known then: no record fits a condition on it.
 */
export const matches = (record: CallRecord, condition: Condition): boolean => {
  if ('any' in condition) return condition.any.some((each) => matches(record, each))
  if ('weightedFeedback' in condition) return false
  if ('hasMetadata' in condition) return labelOf(record, condition.hasMetadata) !== undefined
  if ('metadata' in condition) {
    const label = labelOf(record, condition.metadata)
    return label !== undefined && condition.in.includes(label)
  }
  if ('models' in condition) {
    return condition.models.some(([provider, model]) => record.provider === provider && record.model === model)
  }
  const value = columnOf(record, condition.column)
  if ('in' in condition) return condition.in.some((each) => each === value)
  if ('notIn' in condition) return condition.notIn.every((each) => each !== value)
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = condition
  return typeof value === 'number' && value >= min && value <= max
}

/** Whether attempts are wanted as well: a kind is asked for. */
export const asksForKind = (condition: Condition): boolean =>
  'any' in condition ? condition.any.some(asksForKind) : 'column' in condition && condition.column === 'kind'

const labelOf = ({ metadata }: CallRecord, key: string): string | undefined =>
  Object.hasOwn(metadata, key) ? metadata[key] : undefined

/** Null where it is absent, and for columns of feedback. */
const columnOf = (record: CallRecord, column: string): unknown =>
  Object.hasOwn(RECORD_COLUMNS, column) ? (storedValue(record, column as StoredColumn) ?? null) : null
