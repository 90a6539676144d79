import type { ColumnKind } from '../columns.ts'

/** All tables are in a schema of their own: they come and go with the days, which migrations could not follow. */
export const SCHEMA = 'weir_records'

/** Tables with a partition for each day (UTC), and the column that says which. */
export const DAILY_TABLES = { calls: 'time', bodies: 'time', feedback: 'time', rollups: 'bucket' } as const
export type DailyTable = keyof typeof DAILY_TABLES

export const SQL_TYPES: Readonly<Record<ColumnKind, string>> = {
  text: 'text',
  integer: 'bigint',
  flag: 'boolean',
  json: 'jsonb',
}

/** As a column has it. Texts in the order of their bytes, as in the other stores: half the work of a language's order, too. */
export const columnType = (type: string): string => (type === 'text' ? 'text collate "C"' : type)
