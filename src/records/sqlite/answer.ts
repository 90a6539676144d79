import type { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { inTransaction } from '../../store/database/sqlite-transaction.ts'
import { COLUMN_NAMES } from '../columns.ts'
import type { PartStatement } from '../query/asked.ts'
import { compile } from '../query/compile.ts'
import type { Sources } from '../query/dialect.ts'
import { createMerger, type Merger } from '../query/merge.ts'
import { partsOf } from '../query/parts.ts'
import { cut, facetFor, fittingWidths } from '../query/plan.ts'
import type { Question, QuestionAnswer } from '../question.ts'
import type { Cutoffs } from '../retention.ts'
import { COMMON_KEYS } from '../rollups/facets.ts'
import { SQLITE } from './dialect.ts'
import { fileName, startOfDay } from './files.ts'
import { type ReadFiles, type Steps, sourcesOf } from './read-files.ts'

/** Answers from all days of a question, a day a step. */
export function* answerFromDays(files: ReadFiles, question: Question, cutoffs: Cutoffs): Steps<QuestionAnswer> {
  if (question.from === 'feedback') return yield* answerFromFeedback(files, question, cutoffs)
  const measures = partsOf(question)
  const merger = createMerger(question, measures)
  const { filter } = question
  for (const day of files.days('records', filter.from, filter.to)) {
    yield
    const database = files.records(day)
    if (database === undefined) continue
    const range = { from: Math.max(filter.from, startOfDay(day)), to: Math.min(filter.to, startOfDay(day + 1)) }
    const facet = facetFor(question, measures.parts, (key) => hasKey(database, question, key))
    // Between two statements nothing is written, as seen from here.
    inTransaction(database, 'deferred', () => {
      for (const piece of cut(range, facet === undefined ? [] : fittingWidths(question, facet))) {
        const asked = { question, parts: measures.parts, piece, cutoffs, ...(piece.width !== undefined && { facet }) }
        for (const statement of compile(asked, SQLITE, sourcesOf(database))) add(merger, database, statement)
      }
    })
  }
  return merger.answer()
}

const add = (merger: Merger, database: Database, statement: PartStatement): void => {
  using prepared = database.prepare(statement.text)
  merger.add(statement, prepared.values(...statement.values))
}

/** Whether all workspaces of a question have sums of a metadata key in a file. */
const hasKey = (database: Database, { filter }: Question, key: string): boolean => {
  if (COMMON_KEYS.includes(key)) return true
  const having = database
    .query<{ workspace_id: string }, [string]>('select workspace_id from keys where key = ?')
    .all(key)
    .map(({ workspace_id: id }) => id)
  return filter.workspaceIds?.every((id) => having.includes(id)) ?? false
}

/** Calls of traces, gathered from all days. */
const TRACE_CALLS = 'temp.trace_calls'

/** Answers about feedback, which is in one file, with the calls of its traces, which may be of any day. */
function* answerFromFeedback(files: ReadFiles, question: Question, cutoffs: Cutoffs): Steps<QuestionAnswer> {
  const measures = partsOf(question)
  const merger = createMerger(question, measures)
  const { from, to, organisationId } = question.filter
  // A connection of its own: what it gathers is for this question.
  const database = files.feedbackAlone()
  if (database === undefined) return merger.answer()
  try {
    const sources: Sources = { calls: TRACE_CALLS, feedback: 'main.feedback', rollups: '' }
    const asked = { question, parts: measures.parts, piece: { from, to }, cutoffs }
    const statements = compile(asked, SQLITE, sources)
    if (statements.some(({ text }) => text.includes(TRACE_CALLS))) {
      database.run('pragma query_only = 0')
      database.run('pragma temp_store = memory')
      database.run(`create temp table trace_calls (${COLUMN_NAMES.join(', ')})`)
      database.run('create index temp.trace_calls_trace on trace_calls (workspace_id, trace_id)')
      for (const day of files.days('records', 0, Number.MAX_SAFE_INTEGER)) {
        yield
        gather(database, join(files.folder, fileName({ kind: 'records', day })), organisationId, { from, to })
      }
    }
    for (const statement of statements) add(merger, database, statement)
  } finally {
    database.close()
  }
  return merger.answer()
}

/** Copies the calls of one day whose traces have feedback. */
const gather = (
  database: Database,
  path: string,
  organisationId: string,
  { from, to }: { readonly from: number; readonly to: number },
): void => {
  const columns = COLUMN_NAMES.map((name) => `c.${name}`).join(', ')
  database.run('attach database ? as day', [path])
  try {
    database.run(
      `insert into ${TRACE_CALLS} select ${columns} from (select distinct trace_id from main.rows where organisation_id = ?1 and time >= ?2 and time < ?3) t cross join day.calls c on c.trace_id = t.trace_id where c.organisation_id = ?1 and c.kind <> 'attempt'`,
      [organisationId, from, to],
    )
  } finally {
    database.run('detach database day')
  }
}
