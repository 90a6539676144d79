import { ScimFault } from '../fault.ts'
import type { FilterValue, Operator, Test } from './filter.ts'
import type { Column } from './searched.ts'

/** A comparison with a value that fits what it is compared with. */
export type ValueComparison =
  | { readonly kind: 'flag'; readonly operator: 'eq' | 'ne'; readonly value: boolean }
  | { readonly kind: 'time'; readonly operator: Exclude<Operator, 'co' | 'sw' | 'ew'>; readonly value: Date }
  | { readonly kind: 'text'; readonly operator: Operator; readonly value: string }

export type Comparison = ValueComparison | { readonly kind: 'absent' } | { readonly kind: 'present' }

/** @throws ScimFault for what cannot be asked of an attribute of this kind (RFC 7644, section 3.4.2.2) */
export const toComparison = ({ kind }: Column, test: Test): Comparison => {
  if (test.kind === 'present') return { kind: 'present' }
  const { operator, value, path } = test
  const refuse = (what: string): ScimFault =>
    new ScimFault('invalidFilter', `\`${path.text.slice(0, 100)} ${operator}\` ${what}.`)
  if (value === null) {
    if (operator === 'eq') return { kind: 'absent' }
    if (operator === 'ne') return { kind: 'present' }
    throw refuse('cannot be asked with null')
  }
  if (kind === 'flag') {
    const flag = toFlag(value)
    if (flag === undefined) throw refuse('takes true or false')
    if (operator !== 'eq' && operator !== 'ne') throw refuse('cannot be asked of a truth value')
    return { kind: 'flag', operator, value: flag }
  }
  if (typeof value !== 'string') throw refuse('takes a string')
  if (kind !== 'time') return { kind: 'text', operator, value }
  const time = toTime(value)
  if (time === undefined) throw refuse('takes a time as in 2026-11-25T12:00:00Z')
  if (operator === 'co' || operator === 'sw' || operator === 'ew') throw refuse('cannot be asked of a time')
  return { kind: 'time', operator, value: time }
}

/** A truth value; Entra ID writes it as a text, `"False"`. */
export const toFlag = (value: FilterValue): boolean | undefined => {
  if (typeof value === 'boolean') return value
  const word = typeof value === 'string' ? value.toLowerCase() : ''
  return word === 'true' ? true : word === 'false' ? false : undefined
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?$/i

const toTime = (text: string): Date | undefined => {
  const time = new Date(TIME.test(text) ? text : Number.NaN)
  return Number.isNaN(time.getTime()) ? undefined : time
}
