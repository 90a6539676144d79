import type { Sql } from 'postgres'
import type { RecordBatch } from '../store.ts'
import { SCHEMA } from './names.ts'
import { dayOf, partitionName } from './partitions.ts'

const FIRST_ROWS = 1_000
const GROWTH = 4
/** Days that rows are counted of. */
const MAX_DAYS = 64

/** Keeps what the server knows of days up to date while they fill. */
export interface Statistics {
  /** After a batch was stored. */
  added(sql: Sql, batch: RecordBatch): Promise<void>
}

/**
 * The server looks at a table again once it has grown by a tenth, a minute later at best: until then it takes a day that has
 * just begun for empty, and reads it in ways that take seconds. So each day is looked at when it has four times the rows.
 */
export const createStatistics = (): Statistics => {
  const rows = new Map<number, number>()
  return {
    async added(sql, batch) {
      const grown = new Set<number>()
      for (const { row } of batch.records) {
        const day = dayOf(row.time)
        const count = (rows.get(day) ?? 0) + 1
        rows.set(day, count)
        if (isStep(count)) grown.add(day)
      }
      for (const day of grown) {
        const tables = (['calls', 'rollups', 'feedback'] as const).map(
          (table) => `${SCHEMA}.${partitionName(table, day)}`,
        )
        await sql.unsafe(`analyze ${tables.join(', ')}`)
      }
      // Sizes of days long gone are of no more use.
      if (rows.size > MAX_DAYS) rows.clear()
    },
  }
}

const isStep = (count: number): boolean => {
  let step = FIRST_ROWS
  while (step < count) step *= GROWTH
  return step === count
}
