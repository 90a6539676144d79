import { type TSchema, Type as t } from '@sinclair/typebox'
import type { AnswerRow } from '../../records/question.ts'
import { DateTime, nullable } from '../fields.ts'
import { percent, ratio, rounded, toCents, toIsoTime, toMilliseconds } from './units.ts'

/** What the fields of one object of an answer are made from. */
export interface Found {
  /** Measures of the bucket, group or window as a whole. */
  readonly row: AnswerRow
  /** Where a bucket has groups: measures of each. */
  readonly rows: readonly AnswerRow[]
  /** Sums of the measures of all buckets up to this one. */
  readonly soFar: AnswerRow
}

/** A field of an answer: how it looks, and how it comes from the measures. */
export interface Field {
  readonly schema: TSchema
  of(found: Found): unknown
}
export type Fields = Readonly<Record<string, Field>>

/** A sum or count. */
export const numberOf = (row: AnswerRow, measure: string): number => Number(row[measure] ?? 0)

const Whole = t.Integer({ minimum: 0 })
const Cents = t.Number({ description: 'US cents, with fractions.' })
const Milliseconds = nullable(t.Integer({ description: 'Milliseconds; null where there is nothing to measure.' }))

export const whole = (measure: string): Field => ({ schema: Whole, of: ({ row }) => numberOf(row, measure) })

export const cents = (measure: string): Field => ({ schema: Cents, of: ({ row }) => toCents(numberOf(row, measure)) })

/** Of all buckets up to this one. */
export const centsSoFar = (measure: string): Field => ({
  schema: Cents,
  of: ({ soFar }) => toCents(numberOf(soFar, measure)),
})

/** Cents for each of those that are counted. */
export const centsEach = (sum: string, ...counted: readonly Count[]): Field => ({
  schema: Cents,
  of: ({ row }) => toCents(ratio(numberOf(row, sum), total(row, counted))),
})

export const milliseconds = (measure: string): Field => ({
  schema: Milliseconds,
  of: ({ row }) => {
    const value = row[measure]
    return value === null || value === undefined ? null : toMilliseconds(Number(value))
  },
})

/** Zero where nothing was counted. */
export const mean = (sum: string, ...counted: readonly Count[]): Field => ({
  schema: t.Number(),
  of: ({ row }) => rounded(ratio(numberOf(row, sum), total(row, counted))),
})

/** A mean that the store made. */
export const average = (measure: string): Field => ({
  schema: t.Number(),
  of: ({ row }) => rounded(numberOf(row, measure)),
})

export const share = (part: readonly Count[], of: string): Field => ({
  schema: t.Number({ minimum: 0, maximum: 100, description: 'Percent.' }),
  of: ({ row }) => percent(total(row, part), numberOf(row, of)),
})

export const time = (measure: string): Field => ({
  schema: DateTime,
  of: ({ row }) => toIsoTime(numberOf(row, measure)),
})

/** A measure that is added, or with a minus in front taken away. */
export type Count = string

const total = (row: AnswerRow, counted: readonly Count[]): number =>
  counted.reduce(
    (sum, name) => (name.startsWith('-') ? sum - numberOf(row, name.slice(1)) : sum + numberOf(row, name)),
    0,
  )

export const schemaOf = (fields: Fields, more: Readonly<Record<string, TSchema>> = {}) =>
  t.Object({ ...more, ...Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])) })

export const valuesOf = (fields: Fields, found: Found): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.of(found)]))
