import { isSoundTotal } from '../../budgets/ledger/charges.ts'
import type { LedgerTotal } from '../../budgets/ledger/ledger.ts'
import { openSqliteLedger } from '../../budgets/ledger/sqlite.ts'
import { isRecord } from '../../core/json/record.ts'
import { ControlPlaneRefused, createControlPlaneClient } from '../../deployments/ask.ts'
import type { ControlPlane } from '../../deployments/control-plane.ts'
import { RECORDS_PATH } from '../../deployments/protocol.ts'
import { toJson } from '../../store/database/json-rows.ts'
import { BatchRefused, type RecordBatch, type RecordWriter } from '../store.ts'

export interface ControlPlaneWriterOptions {
  readonly controlPlane: ControlPlane
  /** File of the ledger of this gateway. */
  readonly ledger: string
}

const DEADLINES = { connectMs: 5_000, firstByteMs: 40_000, idleMs: 20_000, totalMs: 50_000 }
const INVALID = 'AB01'
/** Budgets that nobody here spends from are asked for this often: they may have been spent from elsewhere, or set to 0. */
const LOOK_MS = 2_000
/** Counts that are asked for at once. */
const MOST_ASKED = 500

/**
 * Brings records to the control plane, which stores them with its own, each once by its place in the spool. It answers with
 * what the budgets of all data planes have counted, which takes the place of what was counted here.
 */
export const openControlPlaneWriter = ({ controlPlane, ledger: path }: ControlPlaneWriterOptions): RecordWriter => {
  const client = createControlPlaneClient(controlPlane, () => performance.now())
  const ledger = openSqliteLedger({ path })
  const stop = new AbortController()
  let spool: string | undefined
  let isBusy = false

  const ask = async (body: string): Promise<Readonly<Record<string, unknown>>> => {
    try {
      const answer = await client.ask(RECORDS_PATH, body, { deadlines: DEADLINES, signal: stop.signal })
      return isRecord(answer) ? answer : {}
    } catch (thrown) {
      if (thrown instanceof ControlPlaneRefused && thrown.status === 400 && thrown.code === INVALID) {
        throw new BatchRefused(thrown.message)
      }
      throw thrown
    }
  }

  const adopt = async (of: string, { position, totals }: Readonly<Record<string, unknown>>): Promise<void> => {
    if (typeof position !== 'number' || !Array.isArray(totals)) return
    await ledger.adopt(of, position, totals.map(readTotal).filter(isSoundTotal))
  }

  /** Asks what others spent from the budgets that are known here. */
  const look = async (): Promise<void> => {
    if (isBusy || spool === undefined) return
    isBusy = true
    try {
      const counters = await ledger.running(Date.now(), MOST_ASKED)
      if (counters.length > 0) await adopt(spool, await ask(JSON.stringify({ spool, counters })))
    } catch {
      // It is away: the next batch says so.
    } finally {
      isBusy = false
    }
  }
  const looking = setInterval(() => void look(), LOOK_MS)

  return {
    async write(batch) {
      spool ??= batch.spool
      isBusy = true
      try {
        await adopt(batch.spool, await ask(toText(batch)))
      } finally {
        isBusy = false
      }
    },
    async position(of) {
      spool ??= of
      const { position } = await ask(JSON.stringify({ spool: of }))
      return typeof position === 'number' ? position : 0
    },
    // Kept and removed as the control plane is told.
    declare: () => undefined,
    expire: async () => undefined,
    async close() {
      clearInterval(looking)
      stop.abort()
      client.close()
      await ledger.close()
    },
  }
}

const toText = ({ spool, from, to, records, bodies, feedback }: RecordBatch): string => {
  const rows = {
    ...{ spool, from, to, records, feedback },
    bodies: bodies.map(({ position, row: { sealed, ...row } }) => ({
      position,
      row: { ...row, sealed: Buffer.from(sealed).toString('base64') },
    })),
  }
  // A text of a call may hold what no database takes.
  return toJson([rows]).slice(1, -1)
}

/** Amounts are texts on the way: they may be larger than a number can be. */
const readTotal = (given: unknown): LedgerTotal => {
  const { total, ...rest } = (isRecord(given) ? given : {}) as Record<string, unknown>
  return {
    ...rest,
    total: typeof total === 'string' && /^[0-9]{1,19}$/.test(total) ? BigInt(total) : -1n,
  } as LedgerTotal
}
