import type { OpenedCall } from '../../core/records.ts'
import { readCheckpoint, writeCheckpoint } from '../spool/checkpoint.ts'
import { FRAME, positionOf, segmentOf } from '../spool/frame.ts'
import { interrupted, type SpooledRow, toRow } from '../spool/rows.ts'
import { listSegments, removeSegment } from '../spool/segment-files.ts'
import { type Frame, SegmentReader } from '../spool/segment-reader.ts'
import { fileSource, memorySource } from '../spool/segment-source.ts'
import type { SharedState } from '../spool/shared-state.ts'
import { noRows, type RowCounts } from '../spool/spool-writer.ts'
import { writeSegment } from '../spool/write-segment.ts'
import type { Placed } from '../store.ts'

/** The end of a spool that is being written. */
export interface LiveEnd {
  readonly state: SharedState
  /** Segments that are on no disk. */
  readonly memory: Map<number, SharedArrayBuffer>
  /** Segments in memory that the worker was told of so far. */
  told: number
}

export interface SpoolReaderOptions {
  /** Absent: all of it is in memory. */
  readonly path: string | undefined
  /** Those before are of processes that ended. */
  readonly firstSegment: number
  /** Absent: its process has died. */
  readonly live?: LiveEnd | undefined
  /** A frame that is whole and does not say what it should. */
  readonly onUnreadable: (frame: Frame, error: unknown) => void
}

/** A row of the spool that a store takes. */
export type StoredRow = Exclude<SpooledRow, { readonly kind: 'opened' }>

/** Calls that may be open at once. One more would not become an interrupted one. */
const MAX_OPENED = 100_000
/** Interrupted calls in one segment: far below what one holds. */
const INTERRUPTED_A_SEGMENT = 4_000

/** Reads a spool in order, from what was stored last, and knows which calls are open. */
export class SpoolReader {
  readonly #options: SpoolReaderOptions
  readonly #opened = new Map<string, Placed<OpenedCall>>()
  #segment = 0
  #reader: SegmentReader | undefined
  /** Rows before are stored. */
  #stored = 0
  #damaged = 0

  constructor(options: SpoolReaderOptions) {
    this.#options = options
  }

  /** Starts over. @param stored up to where the store has it @returns from where on rows come */
  begin(stored: number): number {
    const { path } = this.#options
    const checkpoint = path === undefined ? { position: 0, opened: [] } : readCheckpoint(path)
    this.#stored = Math.max(stored, checkpoint.position)
    this.#opened.clear()
    for (const opened of checkpoint.opened) this.#opened.set(opened.row.id, opened)
    this.#enter(segmentOf(checkpoint.position))
    return this.#stored
  }

  /** Rows before it were given, or left out. */
  get position(): number {
    return Math.max(positionOf(this.#segment, this.#reader?.offset ?? 0), this.#stored)
  }

  /** Places that were no sound frame. */
  get damaged(): number {
    return this.#damaged + (this.#reader?.damaged ?? 0)
  }

  /** The next row in front of `before`. Undefined: none is here. */
  next(before: number): StoredRow | undefined {
    for (;;) {
      const end = this.#options.live?.state.end()
      const isLast = end !== undefined && this.#segment >= end.segment
      this.#reader ??= this.#open()
      if (this.#reader !== undefined) {
        if (positionOf(this.#segment, this.#reader.offset) >= before) return undefined
        const frame = this.#reader.next(isLast ? end.offset : this.#reader.length)
        if (frame !== undefined) {
          const row = this.#row(frame)
          if (row !== undefined) return row
          continue
        }
      }
      if (isLast || !this.#advance(end?.segment)) return undefined
    }
  }

  /**
   * Leaves out rows until so many bytes of disk are free, or the segment that is written is reached.
   * @param kept the segment whose rows are not stored yet, but read
   * @param onLost gets each of them
   * @returns what was left out
   */
  discard(bytes: number, kept: number | undefined, onLost: (row: StoredRow) => void): RowCounts {
    const lost = noRows()
    const { path, live } = this.#options
    let freed = 0
    while (freed < bytes) {
      const segment = this.#segment
      if (live !== undefined && segment >= live.state.end().segment) break
      const following = positionOf(segment + 1, 0)
      for (let row = this.next(following); row !== undefined; row = this.next(following)) {
        lost[row.kind]++
        onLost(row)
      }
      if (this.#segment === segment) break
      if (path === undefined || segment === kept) continue
      freed += fileSource(path, segment)?.length ?? 0
      removeSegment(path, segment)
    }
    return lost
  }

  /** Removes the segments that are stored whole. @returns numbers of those that were in memory */
  removeStored(position: number): readonly number[] {
    this.#stored = position
    const { path, live } = this.#options
    const current = segmentOf(position)
    if (path !== undefined) {
      const done = listSegments(path).filter((segment) => segment < current)
      if (done.length > 0) {
        writeCheckpoint(path, { position, opened: [...this.#opened.values()] })
        for (const segment of done) removeSegment(path, segment)
      }
    }
    const released = [...(live?.memory.keys() ?? [])].filter((segment) => segment < current)
    for (const segment of released) live?.memory.delete(segment)
    return released
  }

  close(): void {
    this.#reader?.close()
    this.#reader = undefined
  }

  /** All of it is stored, and nothing will be written any more: only the place and what is open is remembered. */
  clear(position: number): void {
    this.close()
    const { path } = this.#options
    if (path === undefined) return
    writeCheckpoint(path, { position, opened: [...this.#opened.values()] })
    for (const segment of listSegments(path)) removeSegment(path, segment)
  }

  #row(frame: Frame): StoredRow | undefined {
    let row: SpooledRow
    try {
      row = toRow(frame)
    } catch (thrown) {
      this.#options.onUnreadable(frame, thrown)
      return undefined
    }
    if (row.kind === 'opened') {
      if (this.#opened.size < MAX_OPENED) this.#opened.set(row.row.id, { position: row.position, row: row.row })
      return undefined
    }
    if (row.kind === 'record') this.#opened.delete(row.row.id)
    return row.position < this.#stored ? undefined : row
  }

  #open(): SegmentReader | undefined {
    const { path, live, firstSegment } = this.#options
    const memory = live?.memory.get(this.#segment)
    // It may be one in memory that this thread has not been told of.
    if (memory === undefined && this.#segment >= firstSegment && !this.#knowsAll()) return undefined
    const source = memory !== undefined ? memorySource(memory) : path && fileSource(path, this.#segment)
    return source ? new SegmentReader(this.#segment, source) : undefined
  }

  #enter(segment: number): void {
    this.#damaged += this.#reader?.damaged ?? 0
    this.close()
    this.#segment = segment
  }

  /** @param last the segment that is written now @returns false where there is none behind this one, yet or ever */
  #advance(last: number | undefined): boolean {
    const { firstSegment, live } = this.#options
    if (this.#segment < firstSegment) {
      const next = this.#nextOnDisk(firstSegment) ?? (this.#bury() ? this.#nextOnDisk(firstSegment) : undefined)
      if (next !== undefined) {
        this.#enter(next)
        return true
      }
    }
    if (last === undefined || live === undefined || !this.#knowsAll()) return false
    if (this.#segment < firstSegment) {
      this.#enter(firstSegment)
      return true
    }
    const inMemory = [...live.memory.keys()].filter((number) => number > this.#segment)
    this.#enter(Math.min(last, this.#nextOnDisk(last) ?? last, ...inMemory))
    return true
  }

  #knowsAll(): boolean {
    const { live } = this.#options
    return live === undefined || live.told === live.state.memorySegments
  }

  #nextOnDisk(before: number): number | undefined {
    const { path } = this.#options
    if (path === undefined) return undefined
    return listSegments(path).find((segment) => segment > this.#segment && segment < before)
  }

  /** Writes down what became of the calls that their process left open. @returns whether there were any */
  #bury(): boolean {
    const { path, firstSegment } = this.#options
    const dead = [...this.#opened.values()].filter(({ position }) => segmentOf(position) < firstSegment)
    if (path === undefined || dead.length === 0) return false
    let segment = Math.max(this.#segment, listSegments(path).findLast((number) => number < firstSegment) ?? 0)
    for (let from = 0; from < dead.length && ++segment < firstSegment; from += INTERRUPTED_A_SEGMENT) {
      const records = dead.slice(from, from + INTERRUPTED_A_SEGMENT).map(({ row }) => JSON.stringify(interrupted(row)))
      writeSegment(path, segment, FRAME.record, records)
    }
    // Those that the gap has no room for.
    for (const { row } of dead) this.#opened.delete(row.id)
    return true
  }
}
