import {
  and,
  asc,
  eq,
  getTableColumns,
  type InferInsertModel,
  type InferSelectModel,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../types.ts'
import { countRows, equals, isUuid, newId, only, type Page, type Paged, preferId } from './rows.ts'

/** Whose rows are meant: those of a workspace, or of a whole organisation. */
export type Owner =
  | { readonly organisationId: string; readonly workspaceId?: string | undefined }
  | { readonly organisationId?: string | undefined; readonly workspaceId: string }

/** A workspace, as the objects in it say where they are. */
export interface WorkspacePlace {
  readonly organisationId: string
  readonly workspaceId: string
}

/** What nobody else may do until the end of the transaction, and the lock against it. */
const LOCKS = {
  /** Change the row, or add what refers to it. */
  change: 'update',
  /** Change the row. */
  edit: 'no key update',
  /** Change the row; others may keep it too. */
  keep: 'share',
} as const
export type RowLock = keyof typeof LOCKS

type OwnedTable = PgTable & {
  readonly id: PgColumn
  readonly createdAt: PgColumn
  readonly organisationId?: PgColumn
  readonly workspaceId?: PgColumn
}

/** Conditions by the name of what a list is asked for. */
export type Filters = Readonly<Record<string, (wanted: never) => SQL | undefined>>
type Wanted<By> = {
  readonly [Name in keyof By]?: By[Name] extends (wanted: infer Value) => unknown ? Value | undefined : never
}

/** The columns that the gateway may give; the times are the database's. */
type Given<Table extends OwnedTable> = Readonly<Omit<InferInsertModel<Table>, 'id' | 'createdAt' | 'lastUpdatedAt'>>
type Row<Table extends OwnedTable, Hidden> = Readonly<Omit<InferSelectModel<Table>, Hidden & string>>

/** What all selects of drizzle can do; `$dynamic()` makes one that fits. */
interface Selection<Result> extends PromiseLike<Result[]> {
  where(condition: SQL | undefined): Selection<Result>
  orderBy(...columns: SQL[]): Selection<Result>
  limit(count: number): Selection<Result>
  offset(count: number): Selection<Result>
  for(strength: (typeof LOCKS)[RowLock], config: { readonly of: PgTable }): Selection<Result>
}

export interface RowsOptions<Result, Hidden, By> {
  /** Columns that stay in the store. */
  readonly hidden?: readonly Hidden[]
  /** Reads more than the table: joins. */
  readonly select?: (db: Db) => Selection<Result>
  /** Whether a workspace has the row, where that is not just its `workspaceId`. */
  readonly isIn?: (workspaceId: string) => SQL
  /** What a reference may be, besides the id. */
  readonly reference?: PgColumn
  /** The other rows are as good as deleted. */
  readonly where?: SQL
  /** What a list may be asked for. */
  readonly filters?: By
  /** Order of a list: by time of creation, the oldest first, unless given. */
  readonly order?: readonly SQL[]
}

/**
 * The queries that all stored objects need.
 * @throws QueryFailed for a row that breaks a constraint: see `isUniqueViolation` and `isForeignKeyViolation`
 */
export const rowsOf = <
  Table extends OwnedTable,
  By extends Filters = Readonly<Record<never, never>>,
  Hidden extends string = never,
  Result extends { readonly id: string } = Row<Table, Hidden> & { readonly id: string },
>(
  table: Table,
  options: RowsOptions<Result, Hidden, By> = {},
) => {
  const hidden: ReadonlySet<string> = new Set(options.hidden)
  const columns = Object.fromEntries(Object.entries(getTableColumns(table)).filter(([name]) => !hidden.has(name)))
  const {
    isIn = table.workspaceId && equals(table.workspaceId),
    reference: named,
    where: isThere,
    order = [asc(table.createdAt), asc(table.id)],
  } = options
  const filters: Readonly<Record<string, (wanted: never) => SQL | undefined>> = { ...options.filters }
  const select =
    options.select ??
    ((db: Db) =>
      db
        .select(columns)
        .from(table as PgTable)
        .$dynamic() as unknown as Selection<Result>)

  const isWanted = ({ organisationId, workspaceId, ...wanted }: Owner & Wanted<By>): SQL | undefined => {
    const isOwned = and(
      table.organisationId && organisationId !== undefined ? eq(table.organisationId, organisationId) : undefined,
      workspaceId === undefined ? undefined : isIn?.(workspaceId),
    )
    if (isOwned === undefined) throw new Error('The rows of which owner are meant?')
    const given = Object.entries(wanted).filter(([, value]) => value !== undefined)
    return and(isOwned, isThere, ...given.map(([name, value]) => filters[name]?.(value as never)))
  }
  return {
    async insert(db: Db, row: Given<Table> & { readonly id?: string }): Promise<Row<Table, Hidden>> {
      const query = db.insert(table).values({ id: newId(), ...row } as never)
      return only(await query.returning(columns)) as Row<Table, Hidden>
    },

    /** A row by its id, or its other name. */
    async find(
      db: Db,
      { reference, ...wanted }: Owner & Wanted<By> & { readonly reference: string },
      lock?: RowLock,
    ): Promise<Result | undefined> {
      const conditions = [isUuid(reference) ? eq(table.id, reference) : undefined, named && eq(named, reference)]
      const isMeant = or(...conditions)
      if (isMeant === undefined) return undefined
      const query = select(db).where(and(isWanted(wanted as Owner & Wanted<By>), isMeant))
      const found = lock === undefined ? query : query.for(LOCKS[lock], { of: table })
      return preferId(await found, reference)
    },

    async list(db: Db, wanted: Owner & Wanted<By>, page: Page): Promise<Paged<Result>> {
      const where = isWanted(wanted)
      const query = select(db)
        .where(where)
        .orderBy(...order)
      return { rows: await query.limit(page.limit).offset(page.offset), total: await countRows(db, table, where) }
    },

    /** Writes the given fields. @returns undefined when there is no such row */
    async update(
      db: Db,
      { id, ...changes }: Partial<Given<Table>> & { readonly id: string },
    ): Promise<Row<Table, Hidden> | undefined> {
      const query = db.update(table).set({ ...changes, lastUpdatedAt: sql`now()` } as never)
      const [row] = await query.where(eq(table.id, id)).returning(columns)
      return row as Row<Table, Hidden> | undefined
    },

    async remove(db: Db, id: string): Promise<void> {
      await db.delete(table).where(eq(table.id, id))
    },
  }
}
