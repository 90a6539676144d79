import { type SQL, sql } from 'drizzle-orm'
import type { MasterKeys } from '../../secrets/master-key.ts'
import { wrapDataKey } from '../../secrets/wrapping.ts'
import { QueryFailed } from '../../store/errors.ts'
import { MIGRATIONS } from '../../store/migration-index.ts'
import { newId, only } from '../../store/objects/rows.ts'
import { mirrorParts, mirrorState } from '../../store/schema/mirror.ts'
import type { Db } from '../../store/types.ts'
import type { ChangedPart, ChangesAsked } from '../protocol.ts'
import { DATA_KEYS, MIRRORED_TABLES, type MirroredTable } from '../tables.ts'

export type MirrorState = Readonly<Omit<typeof mirrorState.$inferSelect, 'id'>>

/** The configuration of a data plane, as the control plane sent it last, in the database of the data plane. */
export interface Mirror {
  readonly state: MirrorState
  /** What it has, in the words of the control plane. */
  have(): Promise<Pick<ChangesAsked, 'schema' | 'tables' | 'have'>>
  /** Takes over parts that belong together, all or none. */
  apply(parts: readonly ChangedPart[], isSynced: boolean): Promise<void>
  /** Writes something about it down. */
  note(changes: Partial<MirrorState>): Promise<void>
  /** Removes all that it has. */
  wipe(): Promise<void>
}

const UNIQUE_VIOLATION = '23505'

/** Stands for the tables of this version. */
const SCHEMA = Bun.CryptoHasher.hash('sha256', MIGRATIONS.map(({ name }) => name).join(), 'hex').slice(0, 16)

/** @param keys wrap the data keys that come: on the disk nothing is in clear */
export const openMirror = async (db: Db, keys: MasterKeys): Promise<Mirror> => {
  let state = await readState(db)
  const columns = await readColumns(db)
  const tables = MIRRORED_TABLES.filter(({ name }) => columns.has(name))
  const note = async (transaction: Db, changes: Partial<MirrorState>): Promise<MirrorState> => {
    const { id: _, ...noted } = only(await transaction.update(mirrorState).set(changes).returning())
    return noted
  }

  const applyOnce = async (transaction: Db, parts: readonly ChangedPart[], isSynced: boolean): Promise<MirrorState> => {
    await asReplica(transaction)
    const byTable = Map.groupBy(parts, ({ table }) => table)
    const changed = tables.flatMap((table) => {
      const own = byTable.get(table.name)
      return own === undefined ? [] : [{ table, parts: own, rows: rowsOf(table, own, keys) }]
    })
    // What goes goes first, of all tables: its names may be those of what comes.
    for (const { table, parts: own, rows } of changed) await removeOthers(transaction, table, own, rows)
    for (const { table, rows } of changed) {
      await insertMissing(transaction, table, columns.get(table.name) ?? [], rows)
    }
    for (const { table, parts: own } of changed) await putMarks(transaction, table, own)
    await announce(
      transaction,
      changed.map(({ table }) => table.name),
    )
    return note(transaction, { schemaMark: SCHEMA, ...(isSynced ? { syncedAt: new Date() } : {}) })
  }

  return {
    get state() {
      return state
    },
    async have() {
      // Marks of another version are of other columns.
      const rows = state.schemaMark === SCHEMA ? await db.select().from(mirrorParts) : []
      const have: Record<string, Record<string, string>> = {}
      for (const { tableName, part, mark } of rows) {
        have[tableName] ??= {}
        have[tableName][part] = mark
      }
      return { schema: SCHEMA, tables: tables.map(({ name }) => name), have }
    },
    async apply(parts, isSynced) {
      try {
        state = await db.transaction((transaction) => applyOnce(transaction, parts, isSynced))
      } catch (thrown) {
        if (!(thrown instanceof QueryFailed) || thrown.sqlState !== UNIQUE_VIOLATION) throw thrown
        // A name went to another row, and the row that had it comes with a later commit: the table is sent anew.
        const names = new Set(parts.map(({ table }) => table))
        await db.transaction((transaction) =>
          empty(
            transaction,
            tables.filter(({ name }) => names.has(name)),
          ),
        )
        throw thrown
      }
    },
    async note(changes) {
      state = await db.transaction((transaction) => note(transaction, changes))
    },
    async wipe() {
      state = await db.transaction(async (transaction) => {
        await empty(transaction, tables)
        return note(transaction, { syncedAt: null })
      })
    },
  }
}

const readState = (db: Db): Promise<MirrorState> =>
  db.transaction(async (transaction) => {
    await transaction.insert(mirrorState).values({ instanceId: newId() }).onConflictDoNothing()
    const { id: _, ...state } = only(await transaction.select().from(mirrorState))
    return state
  })

/** Names of the columns of all tables. */
const readColumns = async (db: Db): Promise<ReadonlyMap<string, readonly string[]>> => {
  const rows = await db
    .select({ table: sql<string>`table_name::text`, column: sql<string>`column_name::text` })
    .from(sql`information_schema.columns`)
    .where(sql`table_schema = 'public'`)
  const byTable = Map.groupBy(rows, ({ table }) => table)
  return new Map([...byTable].map(([table, found]) => [table, found.map(({ column }) => column)]))
}

/**
 * The rows are those of another database, whole: nothing is to be done about them that was done there, neither the checks of
 * references nor what follows a deletion. What listens to changes is told by `announce`.
 */
const asReplica = async (transaction: Db): Promise<void> => {
  await transaction.execute(sql`set local session_replication_role = replica`)
}

const announce = async (transaction: Db, tables: readonly string[]): Promise<void> => {
  for (const table of tables) {
    await transaction.execute(sql`select nextval('"public"."weir_changes"'), pg_notify('weir_changed', ${table}::text)`)
  }
}

const empty = async (transaction: Db, tables: readonly MirroredTable[]): Promise<void> => {
  await asReplica(transaction)
  for (const { name } of tables) {
    await transaction.execute(sql`delete from ${sql.identifier(name)}`)
    await transaction.execute(sql`delete from mirror_parts where table_name = ${name}`)
  }
  await announce(
    transaction,
    tables.map(({ name }) => name),
  )
}

/** Rows as JSON. Those of data keys are wrapped by the master key of this gateway. */
const rowsOf = ({ name }: MirroredTable, parts: readonly ChangedPart[], keys: MasterKeys): readonly string[] =>
  parts.flatMap(({ rows }) => rows).map((row) => (name === DATA_KEYS ? wrapped(row, keys) : row))

const wrapped = (row: string, { current }: MasterKeys): string => {
  const { key, ...shown } = JSON.parse(row) as Readonly<Record<'id' | 'organisation_id' | 'key', string>> & {
    readonly version: number
  }
  const identity = { id: shown.id, organisationId: shown.organisation_id, version: shown.version }
  const { wrapped: text, masterKeyId } = wrapDataKey(current, identity, Buffer.from(key, 'base64'))
  return JSON.stringify({ ...shown, wrapped: text, master_key_id: masterKeyId })
}

/** All of them are one parameter. */
const given = (name: string, rows: readonly string[]): SQL =>
  sql`json_populate_recordset(null::${sql.identifier(name)}, ${`[${rows.join()}]`}::text::json)`

const sameKey = ({ key }: MirroredTable): SQL =>
  sql.join(
    key.map((column) => sql`g.${sql.identifier(column)} = t.${sql.identifier(column)}`),
    sql` and `,
  )

/** Removes rows of these parts that are there no more, or are others now. */
const removeOthers = async (
  transaction: Db,
  table: MirroredTable,
  parts: readonly ChangedPart[],
  rows: readonly string[],
): Promise<void> => {
  const key = sql.join(
    table.key.map((column) => sql`t.${sql.identifier(column)}::text`),
    sql` || '/' || `,
  )
  const named = parts.map(({ part }) => part).join()
  await transaction.execute(sql`
    with given as materialized (select * from ${given(table.name, rows)})
    delete from ${sql.identifier(table.name)} t
    where left(md5(${key}), 2) = any (string_to_array(${named}, ','))
      and not exists (select 1 from given g where ${sameKey(table)} and g::text = t::text)`)
}

const insertMissing = async (
  transaction: Db,
  { name, key }: MirroredTable,
  columns: readonly string[],
  rows: readonly string[],
): Promise<void> => {
  const [first] = rows
  if (first === undefined) return
  // A control plane of another version may have more of them, or less.
  const sent = JSON.parse(first) as object
  const names = identifiers(columns.filter((column) => Object.hasOwn(sent, column)))
  await transaction.execute(sql`
    insert into ${sql.identifier(name)} (${names}) select ${names} from ${given(name, rows)}
    on conflict (${identifiers(key)}) do nothing`)
}

const identifiers = (names: readonly string[]): SQL =>
  sql.join(
    names.map((name) => sql.identifier(name)),
    sql`, `,
  )

const putMarks = async (transaction: Db, { name }: MirroredTable, parts: readonly ChangedPart[]): Promise<void> => {
  for (const { part, mark } of parts) {
    if (mark === undefined) {
      await transaction.execute(sql`delete from mirror_parts where table_name = ${name} and part = ${part}`)
    } else {
      await transaction
        .insert(mirrorParts)
        .values({ tableName: name, part, mark })
        .onConflictDoUpdate({ target: [mirrorParts.tableName, mirrorParts.part], set: { mark } })
    }
  }
}
