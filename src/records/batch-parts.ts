import type { SealedBodies } from '../core/records.ts'
import { BatchRefused, type Placed, type RecordBatch } from './store.ts'

const DAY_US = 86_400_000_000
/** 1 January 2100, in days since 1970: times outside are no times of calls. */
const LAST_DAY = 47_482
/** Sealed bytes that go to a store at once. */
const PIECE_BYTES = 4 * 1024 * 1024

/** Days since 1970 (UTC) that the rows of a batch are from. @throws BatchRefused for a time that is none */
export const daysOf = (batch: RecordBatch): Set<number> => {
  const days = new Set<number>()
  for (const rows of [batch.records, batch.bodies, batch.feedback]) {
    for (const { row } of rows) {
      const day = Math.floor(row.time / DAY_US)
      // Also what is no number at all.
      if (!(day >= 0 && day < LAST_DAY)) throw new BatchRefused('The time of a row is not between 1970 and 2100.')
      days.add(day)
    }
  }
  return days
}

/** Bodies by their size, as a thousand may be a thousand megabytes. The same ones give the same pieces. */
export function* inPieces(bodies: readonly Placed<SealedBodies>[]): Generator<readonly Placed<SealedBodies>[]> {
  let piece: Placed<SealedBodies>[] = []
  let bytes = 0
  for (const body of bodies) {
    piece.push(body)
    bytes += body.row.sealed.byteLength
    if (bytes < PIECE_BYTES) continue
    yield piece
    piece = []
    bytes = 0
  }
  if (piece.length > 0) yield piece
}
