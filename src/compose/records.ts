import { join } from 'node:path'
import type { OwnCounters } from '../budgets/counters.ts'
import type { LedgerAddress } from '../budgets/ledger/open-ledger.ts'
import type { OperatorConfig } from '../config/schema.ts'
import type { Clock, Logger } from '../core/ports.ts'
import type { CallRecorder } from '../core/records.ts'
import type { ControlPlane } from '../deployments/control-plane.ts'
import type { Delivered, Delivery, StoreAddress, StoreRules } from '../records/flusher/messages.ts'
import { openReader } from '../records/open-reader.ts'
import { createRecorder } from '../records/recorder.ts'
import type { Seals } from '../records/seals.ts'
import type { RecordSettings } from '../records/settings.ts'
import { Spool, type SpoolStats } from '../records/spool/spool.ts'
import type { RecordReader } from '../records/store.ts'
import { dataDirOf, type Surroundings } from './own-store.ts'

export interface RecordsOptions {
  readonly surroundings: Surroundings
  readonly config: Pick<OperatorConfig, 'records'>
  readonly clock: Clock
  readonly log: Logger
  /** Retention and metadata keys of workspaces, as they are now. */
  readonly settings: RecordSettings
  /** Seal the messages of records. */
  readonly seals: Seals
  /** Hear of what calls spent. */
  readonly counters: OwnCounters
  /** Records go there: this is a data plane. */
  readonly controlPlane?: ControlPlane | undefined
}

/** Where records are stored, and how the spool in front of it is. */
export interface RecordsStats extends SpoolStats {
  readonly store: StoreAddress['kind']
}

/** What this process keeps of calls, and what it can be asked about them. */
export interface OwnRecords {
  readonly recorder: CallRecorder
  readonly reader: RecordReader
  /** The disk is full of records, and the operator wants new calls refused then. */
  refusesCalls(): boolean
  /** Stores what a data plane hands in. @throws BatchRefused, or what keeps it from being stored now */
  deliver(delivery: Delivery): Promise<Delivered>
  /** Numbers for metrics. */
  stats(): RecordsStats
  /** The part of `/readyz`. */
  readiness(): Readonly<Record<string, unknown>>
  /** Stores what it can within a few seconds; the rest is for the next start. */
  close(): Promise<void>
}

/** Opens the spool and the store of records that the environment names. Neither has to be there for calls to be served. */
export const openRecords = async (options: RecordsOptions): Promise<OwnRecords> => {
  const { surroundings, config, clock, log, settings, seals, counters } = options
  const ledger = ledgerOf(surroundings)
  const store = addressOf(surroundings, config.records.clickhouse, options.controlPlane)
  const spool = new Spool({
    root: join(dataDirOf(surroundings), 'spool'),
    settings: config.records.spool,
    store,
    ledger,
    onLedger: counters.hear,
    rules: rulesOf(settings),
    clock,
    log,
  })
  counters.connect((message) => spool.tellLedger(message))
  settings.onChange(() => {
    spool.rules = rulesOf(settings)
  })
  const reader = openReader(store, {
    rules: () => settings.retention(),
    now: () => clock.now(),
    warn: (message) => log.warn(message),
  })
  const stats = (): RecordsStats => ({ store: store.kind, ...spool.stats() })
  return {
    recorder: createRecorder(spool, seals, counters),
    reader,
    refusesCalls: () => spool.refusesCalls,
    deliver: (delivery) => spool.deliver(delivery),
    stats,
    readiness: () => {
      const { durable, rows, bytes, oldestMs, dropped, failuresInRow, ledger: ledgerState } = stats()
      const lost = dropped.record + dropped.feedback
      return {
        records: {
          store: store.kind,
          ok: failuresInRow === 0,
          durable,
          waiting: rows,
          spoolBytes: bytes,
          oldestMs: Math.round(oldestMs),
          dropped: lost,
          droppedBodies: dropped.bodies,
        },
        // What calls spend is counted in memory until the ledger is back.
        budgets: { store: ledger.kind, ok: ledgerState?.isOk === true, loaded: counters.stats().isLoaded },
      }
    },
    async close() {
      await spool.close()
      await reader.close()
    },
  }
}

const rulesOf = (settings: RecordSettings): StoreRules => ({
  ...settings.retention(),
  metadataKeys: settings.metadataKeys(),
})

/** In the database where there is one, which all processes share, wherever the records are. */
const ledgerOf = (surroundings: Surroundings): LedgerAddress =>
  surroundings.env.DATABASE_URL
    ? { kind: 'postgres', url: surroundings.env.DATABASE_URL }
    : { kind: 'sqlite', path: ownLedger(surroundings) }

const ownLedger = (surroundings: Surroundings): string => join(dataDirOf(surroundings), 'budgets.db')

/** ClickHouse where it is named, else the database of everything else, else files in the data folder. */
const addressOf = (
  surroundings: Surroundings,
  clickhouse: OperatorConfig['records']['clickhouse'],
  controlPlane: ControlPlane | undefined,
): StoreAddress => {
  const { env } = surroundings
  if (controlPlane !== undefined) return { kind: 'control-plane', controlPlane, ledger: ownLedger(surroundings) }
  if (env.CLICKHOUSE_URL) {
    // As in the URLs of all databases, a path names one.
    const database = URL.parse(env.CLICKHOUSE_URL)?.pathname.slice(1) || clickhouse.database
    return { kind: 'clickhouse', url: env.CLICKHOUSE_URL, place: { ...clickhouse, database } }
  }
  if (env.DATABASE_URL) return { kind: 'postgres', url: env.DATABASE_URL }
  return { kind: 'sqlite', folder: join(dataDirOf(surroundings), 'records') }
}
