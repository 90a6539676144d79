import type { Question, QuestionAnswer } from '../question.ts'
import type { Cutoffs } from '../retention.ts'
import type { PartStatement } from './asked.ts'
import { compile } from './compile.ts'
import type { Dialect, Sources } from './dialect.ts'
import { createMerger } from './merge.ts'
import { partsOf } from './parts.ts'
import { cut, facetFor, fittingWidths, type HasFacet } from './plan.ts'

/** A store that answers statements one by one, with all it has in one place. */
export interface Answering {
  readonly dialect: Dialect
  readonly sources: Sources
  readonly hasFacet: HasFacet
  readonly cutoffs?: Cutoffs | undefined
  /** Rows of a statement: their values in the order of its columns. */
  run(statement: PartStatement): Promise<readonly (readonly unknown[])[]>
}

/** The answer to a question: from sums where they have it, from records at the edges and for all else. */
export const answerQuestion = async (question: Question, answering: Answering): Promise<QuestionAnswer> => {
  const { dialect, sources, hasFacet, cutoffs } = answering
  const measures = partsOf(question)
  const merger = createMerger(question, measures)
  const facet = facetFor(question, measures.parts, hasFacet)
  const pieces = cut(question.filter, facet === undefined ? [] : fittingWidths(question, facet))
  for (const piece of pieces) {
    const asked = {
      question,
      parts: measures.parts,
      piece,
      cutoffs,
      facet: piece.width === undefined ? undefined : facet,
    }
    for (const statement of compile(asked, dialect, sources)) merger.add(statement, await answering.run(statement))
  }
  return merger.answer()
}
