import type { Placed, RecordBatch } from '../store.ts'
import type { StoredRow } from './spool-reader.ts'

export const MAX_BATCH_ROWS = 1_000
export const MAX_BATCH_BYTES: number = 8 * 1024 * 1024

/** Bytes that a row without bodies takes, about. */
const ROW_BYTES = 1_500

/** What memory a row takes, about. */
export const bytesOf = (row: StoredRow): number =>
  row.kind === 'bodies' ? row.row.sealed.length + ROW_BYTES : ROW_BYTES

/** @param from in the spool, to `to`: what `rows` lie in, in order */
export const toBatch = (spool: string, from: number, to: number, rows: readonly StoredRow[]): RecordBatch => {
  const batch = {
    spool,
    from,
    to,
    records: [] as Placed<RecordBatch['records'][number]['row']>[],
    bodies: [] as Placed<RecordBatch['bodies'][number]['row']>[],
    feedback: [] as Placed<RecordBatch['feedback'][number]['row']>[],
  }
  for (const each of rows) {
    const { position } = each
    switch (each.kind) {
      case 'record':
        batch.records.push({ position, row: each.row })
        break
      case 'bodies':
        batch.bodies.push({ position, row: each.row })
        break
      case 'feedback':
        batch.feedback.push({ position, row: each.row })
        break
    }
  }
  return batch
}
