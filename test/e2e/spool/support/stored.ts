import { join } from 'node:path'
import { type LedgerAddress, openLedger } from '../../../../src/budgets/ledger/open-ledger.ts'
import type { CallRecord } from '../../../../src/core/records.ts'
import type { StoreAddress } from '../../../../src/records/flusher/messages.ts'
import type { RecordReader } from '../../../../src/records/store.ts'
import type { Said } from './kill-rounds.ts'

/** The ledger that belongs to a store of records. */
export const ledgerBeside = (store: StoreAddress): LedgerAddress => {
  if (store.kind === 'postgres') return { kind: 'postgres', url: store.url }
  if (store.kind === 'sqlite') return { kind: 'sqlite', path: join(store.folder, '..', 'budgets.db') }
  throw new Error('No ledger lies beside this store.')
}

/** Where budgets differ from what records cost in all, by so much. Empty: to the last 10⁻¹² dollars they do not. */
export const differences = async (reader: RecordReader, store: StoreAddress): Promise<readonly string[]> => {
  const records = await allRecords(reader)
  const spent = records.reduce((all, { cost }) => all + BigInt(cost?.total ?? 0), 0n)
  const ledger = openLedger(ledgerBeside(store))
  try {
    const { totals } = await ledger.load('nobody', Date.now())
    const budgets = Map.groupBy(totals, ({ budgetId }) => budgetId)
    return ['budget', 'other'].flatMap((budgetId) => {
      const counted = (budgets.get(budgetId) ?? []).reduce((all, { total }) => all + total, 0n)
      return counted === spent ? [] : [`${budgetId}: ${counted - spent} of ${spent}`]
    })
  } finally {
    await ledger.close()
  }
}

const DAY_US = 86_400_000_000

/** All records of the organisation of the victims, attempts too. */
export const allRecords = async (reader: RecordReader): Promise<readonly CallRecord[]> => {
  const now = Date.now() * 1_000
  const filter = { organisationId: 'o', from: now - DAY_US, to: now + DAY_US, where: [] }
  const found: CallRecord[] = []
  let after: { time: number; id: string } | undefined
  do {
    const page = await reader.page(filter, { limit: 1_000, after, order: 'oldest' })
    found.push(...page.records)
    after = page.next
  } while (after !== undefined)
  return found
}

/** What of that which was said is not in the store exactly once. Empty: all is well. */
export const faultsOf = async (reader: RecordReader, said: Said): Promise<readonly string[]> => {
  const records = await allRecords(reader)
  const byId = Map.groupBy(records, ({ id }) => id)
  const faults = [...byId.values()].filter(({ length }) => length > 1).map(([record]) => `${record?.id} is there twice`)
  for (const id of said.ended.keys()) {
    const [record] = byId.get(id) ?? []
    if (record === undefined) faults.push(`${id} is lost`)
    else if (record.outcome !== 'completed') faults.push(`${id} is ${record.outcome}`)
  }
  for (const id of said.opened) {
    const [record] = byId.get(id) ?? []
    if (record?.outcome !== 'interrupted') faults.push(`${id}, cut off, is ${record?.outcome ?? 'lost'}`)
  }
  // Attempts do not count in pages: some are looked up.
  const withAttempts = [...said.ended].filter(([, attempts]) => attempts.length > 0).slice(-50)
  for (const [id, attempts] of withAttempts) {
    const found = await reader.find('o', id)
    const ids = found.slice(1).map((record) => record.id)
    if (ids.toSorted().join() !== attempts.toSorted().join()) faults.push(`attempts of ${id} are ${ids}`)
  }
  const sample = records.filter(({ hasBodies }) => hasBodies === true).slice(-200)
  const bodies = await reader.bodies(sample)
  if (bodies.length !== sample.length) faults.push(`${bodies.length} bodies of ${sample.length}`)
  return faults
}
