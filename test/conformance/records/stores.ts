import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openClickhouseReader, openClickhouseWriter } from '../../../src/records/clickhouse/index.ts'
import { openPostgresReader, openPostgresWriter } from '../../../src/records/postgres/index.ts'
import { openSqliteReader, openSqliteWriter } from '../../../src/records/sqlite/index.ts'
import type { RecordReader, RecordWriter, RetentionRules } from '../../../src/records/store.ts'
import { startClickhouse } from '../../support/clickhouse/clickhouse.ts'
import { privateDatabase } from '../../support/services.ts'

/** A store of its own for a test file, empty. */
export interface StoreUnderTest {
  readonly reader: RecordReader
  readonly writer: RecordWriter
  /** Another writer of the same store, as after a crash of the first. */
  reopenWriter(): Promise<RecordWriter>
  close(): Promise<void>
}

export interface StoreOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly rules: () => RetentionRules
}

export interface NamedStore {
  readonly name: string
  open(options: StoreOptions): Promise<StoreUnderTest>
}

const sqlite: NamedStore = {
  name: 'sqlite',
  async open({ now, rules }) {
    const folder = await mkdtemp(join(tmpdir(), 'weir-records-'))
    const writers = [openSqliteWriter({ folder })]
    const reader = openSqliteReader({ folder, now, rules, deadlineMs: 30_000 })
    return {
      reader,
      writer: writers[0] as RecordWriter,
      async reopenWriter() {
        const writer = openSqliteWriter({ folder })
        writers.push(writer)
        return writer
      },
      async close() {
        await reader.close()
        for (const writer of writers) await writer.close()
        await rm(folder, { recursive: true, force: true })
      },
    }
  },
}

/** A store behind an address, with as many writers as are asked for. */
const served = async (
  reader: RecordReader,
  openWriter: () => RecordWriter,
  remove: () => Promise<void>,
): Promise<StoreUnderTest> => {
  const writers = [openWriter()]
  return {
    reader,
    writer: writers[0] as RecordWriter,
    async reopenWriter() {
      const writer = openWriter()
      writers.push(writer)
      return writer
    },
    async close() {
      await Promise.all([reader, ...writers].map((each) => each.close()))
      await remove()
    },
  }
}

const postgres: NamedStore = {
  name: 'postgres',
  async open({ now, rules }) {
    const database = await privateDatabase()
    const databaseUrl = database.url
    const reader = openPostgresReader({ databaseUrl, now, rules, deadlineMs: 30_000 })
    return served(reader, () => openPostgresWriter({ databaseUrl, now }), database.drop)
  },
}

const clickhouse: NamedStore = {
  name: 'clickhouse',
  async open({ now, rules }) {
    const server = await startClickhouse()
    const { url } = server
    const place = { database: 'weir', replicated: false }
    const reader = openClickhouseReader({ url, place, now, rules, deadlineMs: 30_000, settleMs: 0 })
    return served(reader, () => openClickhouseWriter({ url, place }), server.close)
  },
}

/** Every store that answers questions. */
export const STORES: readonly NamedStore[] = [sqlite, postgres, clickhouse]
