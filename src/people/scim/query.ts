import { and, asc, eq } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { countRows, type Page, type Paged } from '../../store/objects/rows.ts'
import type { Db } from '../../store/types.ts'
import { DEFAULT_RESULTS, MAX_RESULTS } from './documents.ts'
import { compileFilter, compileOrder } from './filter/compile.ts'
import type { Filter } from './filter/filter.ts'
import { parseAttribute, parseFilter } from './filter/parse.ts'
import type { Searched } from './filter/searched.ts'
import { readSelection, type Selection } from './selection.ts'

/** What a client asks a list for (RFC 7644, sections 3.4.2 and 3.4.3). */
export interface QueryInput {
  readonly filter?: string | undefined
  readonly sortBy?: string | undefined
  readonly sortOrder?: string | undefined
  /** From 1. */
  readonly startIndex?: number | undefined
  readonly count?: number | undefined
  readonly attributes?: string | readonly string[] | undefined
  readonly excludedAttributes?: string | readonly string[] | undefined
}

export interface Query {
  readonly filter?: Filter
  readonly sort?: { readonly path: ReturnType<typeof parseAttribute>; readonly order: 'ascending' | 'descending' }
  readonly page: Page
  readonly selection: Selection
}

/** Reads a query: numbers out of range become the nearest that are in it, as RFC 7644 wants (section 3.4.2.4). @throws ScimFault */
export const readQuery = (input: QueryInput): Query => {
  const { filter, sortBy, sortOrder = 'ascending', startIndex = 1, count = DEFAULT_RESULTS } = input
  const order = sortOrder.toLowerCase() === 'descending' ? 'descending' : 'ascending'
  return {
    ...(filter !== undefined && filter.trim() !== '' && { filter: parseFilter(filter) }),
    ...(sortBy !== undefined && sortBy !== '' && { sort: { path: parseAttribute(sortBy, 'invalidValue'), order } }),
    page: {
      offset: Math.min(Math.max(startIndex, 1), Number.MAX_SAFE_INTEGER) - 1,
      limit: Math.min(Math.max(count, 0), MAX_RESULTS),
    },
    selection: readSelection(input),
  }
}

/** What can be listed: rows of an organisation. */
type Listed = PgTable & { readonly organisationId: PgColumn; readonly createdAt: PgColumn; readonly id: PgColumn }

/** One page of the rows that a query is for, and how many there are. @throws ScimFault for what cannot be searched for */
export const findPage = async <Table extends Listed>(
  db: Db,
  table: Table,
  searched: Searched,
  organisationId: string,
  { filter, sort, page: { limit, offset } }: Query,
): Promise<Paged<Table['$inferSelect']>> => {
  const isAsked = filter === undefined ? undefined : compileFilter(searched, filter)
  const sorted = sort === undefined ? [] : [compileOrder(searched, sort.path, sort.order)]
  const where = and(eq(table.organisationId, organisationId), isAsked)
  const total = await countRows(db, table, where)
  if (limit === 0 || offset >= total) return { total, rows: [] }
  const rows = await db
    .select()
    .from<PgTable>(table)
    .where(where)
    .orderBy(...sorted, asc(table.createdAt), asc(table.id))
    .limit(limit)
    .offset(offset)
  return { total, rows }
}
