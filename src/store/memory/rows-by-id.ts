import { createBoundedMap } from '../../core/bounded-map.ts'
import type { Store } from '../types.ts'
import { followChanges } from './follow-changes.ts'

/** Rows that were asked for, in memory, in step with the database. */
export interface RowsById<Row> {
  /**
   * At once for one that was asked for lately, and for one that was not there then.
   * @throws StoreUnavailable when the database would have to be asked and does not answer
   */
  find(id: string): Row | undefined | Promise<Row | undefined>
  /** Stops following the database. */
  close(): Promise<void>
}

export interface RowsByIdOptions {
  /** Following the database failed; what is known stays in use and it is tried again within the poll interval. */
  readonly onError?: (error: unknown) => void
  readonly pollIntervalMs?: number
  readonly maximumEntries?: number
  /** For how long a known row works while the database is away. */
  readonly maximumStaleMs?: number
  /** Milliseconds on the clock of `performance.now()`. */
  readonly monotonicMs?: () => number
}

export interface RowsByIdSource<Row> extends RowsByIdOptions {
  /** Whose changes make what is known old. */
  readonly tables: readonly string[]
  /** Those of these ids that there are. */
  readonly read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Row>>
}

interface Entry<Row> {
  readonly id: string
  readonly row: Row | undefined
  readonly readAtMs: number
}

/** Rows read again by one query. */
const BATCH = 1_000

/** @throws StoreUnavailable when the database cannot be read at the start */
export const createRowsById = async <Row extends object>(
  store: Store,
  { tables, read, ...options }: RowsByIdSource<Row>,
): Promise<RowsById<Row>> => {
  const { maximumEntries = 10_000, maximumStaleMs = 600_000, monotonicMs = () => performance.now() } = options
  const entries = createBoundedMap<string, Entry<Row>>(maximumEntries)
  const running = new Map<string, Promise<Row | undefined>>()
  let changes = 0

  const readEntries = async (ids: readonly string[]): Promise<readonly Entry<Row>[]> => {
    const readAtMs = monotonicMs()
    const rows = await read(ids)
    return ids.map((id) => ({ id, row: rows.get(id), readAtMs }))
  }

  const follower = await followChanges(store, {
    tables,
    async refresh() {
      const known = [...entries.values()].map(({ id }) => id)
      for (let start = 0; start < known.length; start += BATCH) {
        for (const entry of await readEntries(known.slice(start, start + BATCH))) entries.replace(entry.id, entry)
      }
    },
    onChange() {
      changes++
    },
    onError: options.onError,
    pollIntervalMs: options.pollIntervalMs,
  })

  const lookUp = async (id: string): Promise<Row | undefined> => {
    const changesBefore = changes
    const [entry] = await readEntries([id])
    if (entry === undefined) return undefined
    entries.set(id, entry)
    // It may have been read before the change, and kept after the others were read again.
    if (changes !== changesBefore) follower.refresh()
    return entry.row
  }

  /** One look-up of a row at a time. */
  const lookUpOnce = (id: string): Promise<Row | undefined> => {
    const current = running.get(id)
    if (current !== undefined) return current
    const started = lookUp(id).finally(() => running.delete(id))
    running.set(id, started)
    return started
  }

  return {
    find(id) {
      const entry = entries.get(id)
      if (entry === undefined) return lookUpOnce(id)
      const agreedAtMs = Math.max(entry.readAtMs, follower.agreedAtMs)
      return monotonicMs() - agreedAtMs < maximumStaleMs ? entry.row : lookUpOnce(id)
    },
    close: () => follower.close(),
  }
}
