import type { RecordReader } from '../../records/store.ts'
import type { Place } from '../resolve-workspace.ts'
import type { BodiesDeps } from './open-bodies.ts'
import type { Tail } from './tail.ts'

export interface LogsDeps extends BodiesDeps {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly records: RecordReader
  readonly tail: Pick<Tail, 'listen'>
  /** Days that records are kept; of a whole organisation, the longest of its workspaces. */
  readonly retentionDays: (place: Place) => number
}
