import { isSoundCharge } from '../../budgets/ledger/charges.ts'
import type { SpooledCharge } from '../../budgets/ledger/ledger.ts'
import type { LedgerAccess } from '../../budgets/ledger/ledger-access.ts'
import type { RecordWriter } from '../store.ts'
import type { Delivered, Delivery } from './messages.ts'

/** Charges first, as with the spool of this process: a row that no store takes was spent nevertheless. */
export const deliver = async (
  { spool, batch, counters }: Delivery,
  writer: RecordWriter,
  ledger: Pick<LedgerAccess, 'apply' | 'find'>,
): Promise<Delivered> => {
  if (batch === undefined) {
    const position = await writer.position(spool)
    return { position, totals: counters.length === 0 ? [] : (await ledger.find(spool, counters)).totals }
  }
  const charges = batch.records.flatMap(({ position, row }): SpooledCharge[] =>
    (row.charges ?? [])
      .filter(isSoundCharge)
      .map((charge) => ({ position, workspaceId: row.workspaceId, endedUs: row.time + row.totalUs, charge })),
  )
  const news = charges.length === 0 ? undefined : await ledger.apply({ spool, to: batch.to, charges })
  await writer.write(batch)
  return { position: batch.to, totals: news?.totals ?? [] }
}
