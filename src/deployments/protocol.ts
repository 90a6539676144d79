import { type Static, Type as t } from '@sinclair/typebox'

/**
 * What a control plane and its data planes say to each other. A data plane asks for changes, with what it has, and is answered
 * by lines of JSON: first what it lacks, then what changes, for as long as the connection stands. What it has it says by
 * parts: each table is cut into up to 256 of them by the keys of its rows, and each has a mark that the control plane made and
 * alone understands. A part whose mark is another is sent as a whole. So nothing has to be kept of a change to send it later:
 * whatever happened meanwhile, a restore of either database too, ends in the same rows.
 */

/** Below the root of the control plane. */
export const CHANGES_PATH = '/v2/deployments/self/changes'
export const RECORDS_PATH = '/v2/deployments/self/records'

/** A word is heard at least this often: the connection is lost when none is for three times as long. */
export const HEARTBEAT_MS = 2_000

const Uuid = t.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })
const Mark = t.String({ minLength: 1, maxLength: 64 })
const Part = t.String({ pattern: '^[0-9a-f]{2}$' })
const TableName = t.String({ pattern: '^[a-z_]{1,63}$' })

/** What a data plane asks with. */
export const ChangesAsked = t.Object({
  /** Of its data folder. */
  instance: Uuid,
  version: t.String({ minLength: 1, maxLength: 64 }),
  /** Stands for the tables that it can hold: marks that were made for others mean nothing. */
  schema: Mark,
  /** Whose configuration it has; absent where it has none. */
  organisation: t.Optional(Uuid),
  /** Tables that it can hold. */
  tables: t.Array(TableName, { maxItems: 200 }),
  /** Marks of the parts that it has, by table. */
  have: t.Record(TableName, t.Record(Part, Mark)),
})
export type ChangesAsked = Static<typeof ChangesAsked>

/** A part of a table as it is now. */
export interface ChangedPart {
  readonly table: string
  readonly part: string
  /** Absent: there is nothing in it any more. */
  readonly mark?: string
  /** Each as the JSON of the database, which is not read on the way: the order of keys may mean something. */
  readonly rows: readonly string[]
}

export type ChangeLine =
  /** The first one. */
  | {
      readonly type: 'hello'
      readonly organisation: string
      readonly deployment: string
      readonly version: string
    }
  | ({ readonly type: 'part' } & ChangedPart)
  /** All parts since the last one belong together. @param isSynced there is nothing more for now */
  | { readonly type: 'commit'; readonly isSynced: boolean }
  | { readonly type: 'heartbeat' }
  /** The last one. `archived`: the data plane has to end; else it may come again. */
  | { readonly type: 'end'; readonly reason: 'archived' | 'refused' | 'stopping' }

/** What a refusal of the control plane is called, besides its code of the interface. */
export const ARCHIVED_HEADER = 'x-weir-deployment'
