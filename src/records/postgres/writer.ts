import { openConnection } from '../../store/database/connection.ts'
import { QueryFailed } from '../../store/errors.ts'
import { daysOf } from '../batch-parts.ts'
import { BatchRefused, type RecordBatch, type RecordWriter } from '../store.ts'
import { type DeclaredKeyMap, saveKeys } from './metadata-keys.ts'
import { createPartitions } from './partitions.ts'
import { prepareSchema } from './schema.ts'
import { createStatistics } from './statistics.ts'
import { sweep } from './sweep.ts'
import { readPosition, writeBatch } from './write-batch.ts'

export interface PostgresWriterOptions {
  readonly databaseUrl: string
  readonly now?: () => number
}

const STATEMENT_TIMEOUT_MS = 30_000
const DEADLINE_MS = 45_000
/** Deadlocks and the like are over when one of two gave way. */
const TRIES = 4
const DAY_MS = 86_400_000
/** Days for which there are partitions before anything is written to them: a midnight needs no new table. */
const DAYS_AHEAD = 2

/** Serialization failure, deadlock. */
const TRY_AGAIN: ReadonlySet<string> = new Set(['40001', '40P01'])
/** No partition for a row: another process removed the day. */
const NO_PARTITION = '23514'
/** Data that a type or a table cannot hold. */
const isRefusal = (state: string): boolean => state.startsWith('22') || state.startsWith('23') || state.startsWith('54')

/**
 * Opens the writing end. Connects when it is first used, and makes the schema then: a database that is away at the start is
 * one that is away.
 * @throws StoreUnavailable for what is no URL of Postgres
 */
export const openPostgresWriter = ({ databaseUrl, now = Date.now }: PostgresWriterOptions): RecordWriter => {
  const connection = openConnection({
    prepare: prepareSchema,
    databaseUrl,
    name: 'weir-records-writer',
    connections: 1,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    deadlineMs: DEADLINE_MS,
  })
  const statistics = createStatistics()
  const madeDays = new Set<number>()
  let declared: DeclaredKeyMap = new Map()
  /** Keys of an earlier start may be there. */
  let isDeclared = false

  const saveDeclared = async (): Promise<void> => {
    if (isDeclared) return
    const keys = declared
    await connection.use((sql) => saveKeys(sql, keys, now()))
    isDeclared = keys === declared
  }

  /** Makes the partitions of these days, and of those to come. */
  const makeDays = async (days: Iterable<number>): Promise<void> => {
    const today = Math.floor(now() / DAY_MS)
    const wanted = new Set(days)
    for (let ahead = 0; ahead <= DAYS_AHEAD; ahead++) wanted.add(today + ahead)
    const missing = [...wanted].filter((day) => !madeDays.has(day))
    if (missing.length === 0) return
    await connection.use((sql) => sql.begin((transaction) => createPartitions(transaction, missing)))
    for (const day of missing) madeDays.add(day)
  }

  const tryToWrite = async (batch: RecordBatch): Promise<void> => {
    await makeDays(daysOf(batch))
    await saveDeclared()
    await connection.use((sql) =>
      sql.begin((transaction) => writeBatch(transaction, batch, (workspaceId) => declared.get(workspaceId) ?? [])),
    )
    await updateStatistics(batch)
  }

  /** The batch is stored by now, and stays so whatever becomes of this. */
  const updateStatistics = (batch: RecordBatch): Promise<void> =>
    connection.use((sql) => statistics.added(sql, batch)).catch(() => undefined)

  return {
    async write(batch) {
      for (let tries = 1; ; tries++) {
        try {
          return await tryToWrite(batch)
        } catch (error) {
          const state = error instanceof QueryFailed ? error.sqlState : undefined
          if (state === NO_PARTITION) madeDays.clear()
          if (state !== undefined && (TRY_AGAIN.has(state) || state === NO_PARTITION) && tries < TRIES) continue
          if (state !== undefined && isRefusal(state))
            throw new BatchRefused(`Postgres does not take a row (SQLSTATE ${state}).`)
          throw error
        }
      }
    },
    async position(spool) {
      return connection.use((sql) => readPosition(sql, spool))
    },
    declare(keys) {
      const isSame = Bun.deepEquals(keys, declared)
      declared = keys
      isDeclared &&= isSame
    },
    async expire(nowMs, rules) {
      await makeDays([])
      await sweep(databaseUrl, nowMs, rules)
      madeDays.clear()
    },
    close: () => connection.close(),
  }
}
