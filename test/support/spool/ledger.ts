import type { CallRecord } from '../../../src/core/records.ts'
import { BatchRefused, type RecordBatch, type RecordWriter } from '../../../src/records/store.ts'

/** A store that writes down what it gets, as exactly as a real one: a batch before its position is one it has. */
export const createLedger = () => {
  const positions = new Map<string, number>()
  const ids: string[] = []
  const records: CallRecord[] = []
  const batches: { readonly from: number; readonly to: number; readonly rows: number }[] = []
  let failure: Error | undefined
  let poison = new Set<string>()

  const idsOf = ({ records, bodies, feedback }: RecordBatch): string[] => [
    ...records.map(({ row }) => row.id),
    ...bodies.map(({ row }) => `bodies of ${row.recordId}`),
    ...feedback.map(({ row }) => `feedback ${row.id}`),
  ]

  const writer: RecordWriter = {
    async write(batch) {
      await Promise.resolve()
      if (failure !== undefined) throw failure
      const rows = idsOf(batch)
      if (rows.some((id) => poison.has(id))) throw new BatchRefused('a row that no store takes')
      batches.push({ from: batch.from, to: batch.to, rows: rows.length })
      if (batch.to <= (positions.get(batch.spool) ?? 0)) return
      ids.push(...rows)
      records.push(...batch.records.map(({ row }) => row))
      positions.set(batch.spool, batch.to)
    },
    position: async (spool) => {
      if (failure !== undefined) throw failure
      return positions.get(spool) ?? 0
    },
    declare: () => undefined,
    expire: async () => undefined,
    close: async () => undefined,
  }
  return {
    writer,
    /** What was stored, in the order in which it came. */
    ids,
    records,
    batches,
    away: (error: Error | undefined): void => {
      failure = error
    },
    refuse: (...refused: readonly string[]): void => {
      poison = new Set(refused)
    },
  }
}

export type Ledger = ReturnType<typeof createLedger>
