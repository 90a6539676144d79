import type { Database } from 'bun:sqlite'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { inTransaction } from '../../store/database/sqlite-transaction.ts'
import { type Cutoffs, cutoffsOf, firstKept } from '../retention.ts'
import type { RetentionRules } from '../store.ts'
import { type FileName, fileName, listFiles, startOfDay } from './files.ts'
import type { OpenFile, OpenFiles } from './open-files.ts'

/** Rows that are removed at once; what waits to be written gets its turn after them. */
const ROWS_AT_ONCE = 5_000

export interface Expiring {
  readonly folder: string
  readonly files: OpenFiles<OpenFile>
  readonly nowMs: number
  readonly rules: RetentionRules
}

/** Removes files of days that nobody keeps, and rows of workspaces that keep less than others. */
export const expireFiles = async (expiring: Expiring): Promise<void> => {
  const { folder, files, nowMs, rules } = expiring
  const records = cutoffsOf(nowMs, rules, 'days')
  const cutoffs = { records, bodies: cutoffsOf(nowMs, rules, 'bodyDays'), feedback: records }
  for (const name of listFiles(folder)) {
    if (name.kind !== 'feedback' && startOfDay(name.day) < firstKept(cutoffs[name.kind])) {
      files.close(name)
      for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `${fileName(name)}${end}`), { force: true })
    } else await removeRows(expiring, name, cutoffs[name.kind])
  }
}

const TABLES = {
  records: { table: 'calls', key: 'seq' },
  bodies: { table: 'bodies', key: 'rowid' },
  feedback: { table: 'rows', key: 'seq' },
} as const

const removeRows = async (expiring: Expiring, name: FileName, cutoffs: Cutoffs): Promise<void> => {
  const { table, key } = TABLES[name.kind]
  const database = expiring.files.get(name)?.database
  if (database === undefined) return
  for (const id of workspacesIn(database, table)) {
    const cutoff = cutoffs.workspaces.get(id) ?? cutoffs.fallback
    if (cutoff <= startOfDay(name.day)) continue
    if (name.kind === 'records') removeSums(expiring, name, id)
    const some = `select ${key} from ${table} where workspace_id = ?1 and time < ?2 limit ?3`
    await inPieces(expiring, name, `delete from ${table} where ${key} in (${some})`, [id, cutoff])
  }
}

/** A file has one day, so that all sums of a workspace go. */
const removeSums = ({ files }: Expiring, name: FileName, workspaceId: string): void => {
  const database = files.get(name)?.database
  if (database === undefined) return
  inTransaction(database, 'immediate', () => {
    database.query('delete from sums where workspace_id = ?').run(workspaceId)
    database.query('delete from series where workspace_id = ?').run(workspaceId)
  })
}

/** Runs a statement until nothing is left to remove. Between two pieces others may have closed the file. */
const inPieces = async (
  { files }: Expiring,
  name: FileName,
  statement: string,
  values: readonly (string | number)[],
): Promise<void> => {
  while (
    (files
      .get(name)
      ?.database.query(statement)
      .run(...values, ROWS_AT_ONCE).changes ?? 0) >= ROWS_AT_ONCE
  ) {
    await Bun.sleep(1)
  }
}

const workspacesIn = (database: Database, table: string): string[] =>
  // One step of the index for each.
  database
    .query<{ id: string }, []>(
      `with recursive ids (id) as (select min(workspace_id) from ${table} union all select (select min(workspace_id) from ${table} where workspace_id > ids.id) from ids where ids.id is not null) select id from ids where id is not null`,
    )
    .all()
    .map(({ id }) => id)
