import type { Asked, PartStatement } from './asked.ts'
import { compileCalls } from './calls.ts'
import type { Dialect, Sources } from './dialect.ts'
import { compileFeedback } from './feedback.ts'

/** The statements that find the parts of a question in one stretch of time. */
export const compile = (asked: Asked, dialect: Dialect, sources: Sources): PartStatement[] =>
  asked.question.from === 'feedback' ? compileFeedback(asked, dialect, sources) : compileCalls(asked, dialect, sources)
