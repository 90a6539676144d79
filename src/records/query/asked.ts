import type { Question } from '../question.ts'
import type { Cutoffs } from '../retention.ts'
import type { Statement } from './dialect.ts'
import type { Part } from './parts.ts'
import type { Piece } from './plan.ts'

/** What to find of a question, in one stretch of time. */
export interface Asked {
  readonly question: Question
  readonly parts: readonly Part[]
  readonly piece: Piece
  /** Of the sums, where the piece is answered from them. */
  readonly facet?: string | undefined
  /** What is past its retention is not shown, though it may still be there. */
  readonly cutoffs?: Cutoffs | undefined
}

/**
 * A statement for some parts of a question. Its rows have a value for each group in their order, and then: `numbers`, one for
 * each part; `buckets`, the bucket of a histogram and its count; `packed`, a packed histogram; `values`, a value.
 */
export interface PartStatement extends Statement {
  readonly rows: 'numbers' | 'buckets' | 'packed' | 'values'
  /** Places of the parts. */
  readonly parts: readonly number[]
}
