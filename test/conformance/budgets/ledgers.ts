import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Ledger } from '../../../src/budgets/ledger/ledger.ts'
import { type LedgerAddress, openLedger } from '../../../src/budgets/ledger/open-ledger.ts'
import { privateDatabase } from '../../support/services.ts'

/** An empty ledger of its own, for as many processes as are asked for. */
export interface LedgerUnderTest {
  /** As of another process. */
  open(): Ledger
  close(): Promise<void>
}

export interface NamedLedger {
  readonly name: string
  start(): Promise<LedgerUnderTest>
}

const at = (address: LedgerAddress, remove: () => Promise<void>): LedgerUnderTest => {
  const opened: Ledger[] = []
  return {
    open() {
      const ledger = openLedger(address)
      opened.push(ledger)
      return ledger
    },
    async close() {
      await Promise.all(opened.map((each) => each.close()))
      await remove()
    },
  }
}

/** Every kind of ledger. */
export const LEDGERS: readonly NamedLedger[] = [
  {
    name: 'sqlite',
    async start() {
      const folder = await mkdtemp(join(tmpdir(), 'weir-budgets-'))
      return at({ kind: 'sqlite', path: join(folder, 'budgets.db') }, () =>
        rm(folder, { recursive: true, force: true }),
      )
    },
  },
  {
    name: 'postgres',
    async start() {
      const database = await privateDatabase()
      return at({ kind: 'postgres', url: database.url }, database.drop)
    },
  },
]
