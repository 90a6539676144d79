import type { RecordReader } from '../../records/store.ts'
import type { Place } from '../resolve-workspace.ts'

export interface AnalyticsDeps {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly records: RecordReader
  /** Days that records are kept; of a whole organisation, the longest of its workspaces. */
  readonly retentionDays: (place: Place) => number
}
