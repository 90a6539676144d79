import type { CallRecord, FeedbackRecord, SealedBodies } from '../../core/records.ts'
import type { StoredRow } from '../columns.ts'
import { compilePage, toPage } from '../query/page.ts'
import { type Cutoffs, cutoffsOf, isKept } from '../retention.ts'
import type { RecordPage } from '../store.ts'
import { answerFromDays } from './answer.ts'
import { SQLITE } from './dialect.ts'
import { dayOf, startOfDay } from './files.ts'
import { arrivedIn, bodiesIn, callIn, feedbackIn, lastIn, run } from './find-rows.ts'
import type { Request, Result, ToWorker } from './protocol.ts'
import { type ReadFiles, type Steps, sourcesOf } from './read-files.ts'

/** What a request is answered with, in steps. */
export function* read(files: ReadFiles, { request, nowMs, rules }: ToWorker): Steps<Result> {
  const cutoffs = cutoffsOf(nowMs, rules, 'days')
  switch (request.do) {
    case 'ask':
      return yield* answerFromDays(files, request.question, cutoffs)
    case 'find':
      return yield* find(files, request, cutoffs)
    case 'page':
      return yield* page(files, request, cutoffs)
    case 'bodies':
      return yield* bodies(files, request, cutoffsOf(nowMs, rules, 'bodyDays'))
    case 'arrivals':
      return yield* arrivals(files, request, cutoffs)
    case 'feedback':
      return feedback(files, request, cutoffs)
    case 'size':
      return files.bytes()
  }
}

type Of<Kind extends Request['do']> = Extract<Request, { readonly do: Kind }>

/** The day that a UUIDv7 was made on; undefined for another id. */
const dayOfId = (id: string): number | undefined =>
  /^[\da-f]{8}-[\da-f]{4}-7/i.test(id) ? dayOf(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) * 1000) : undefined

/** In the days that an id speaks of first, then in all others. */
function* find(files: ReadFiles, { organisationId, callId }: Of<'find'>, cutoffs: Cutoffs): Steps<CallRecord[]> {
  const likely = dayOfId(callId)
  const days = files.days('records', 0, Number.MAX_SAFE_INTEGER)
  const near = days.filter((day) => likely !== undefined && Math.abs(day - likely) <= 1)
  for (const some of [near, days.filter((day) => !near.includes(day))]) {
    const found: CallRecord[] = []
    for (const day of some) {
      yield
      const database = files.records(day)
      if (database !== undefined) found.push(...callIn(database, organisationId, callId))
    }
    if (found.length > 0) {
      return found.filter((record) => isKept(cutoffs, record)).sort((one, other) => one.attempt - other.attempt)
    }
  }
  return []
}

function* page(files: ReadFiles, { filter, options }: Of<'page'>, cutoffs: Cutoffs): Steps<RecordPage> {
  const { limit, after, order } = options
  const newest = order === 'newest'
  const from = newest ? filter.from : Math.max(filter.from, after?.time ?? 0)
  const to = newest ? Math.min(filter.to, (after?.time ?? Number.MAX_SAFE_INTEGER - 1) + 1) : filter.to
  const days = files.days('records', from, to)
  const rows: StoredRow[] = []
  for (const day of newest ? days : days.toReversed()) {
    yield
    const database = files.records(day)
    if (database === undefined) continue
    const ofDay = { ...filter, from: Math.max(from, startOfDay(day)), to: Math.min(to, startOfDay(day + 1)) }
    const missing = { limit: limit - rows.length, after, order }
    rows.push(...run<StoredRow>(database, compilePage(ofDay, missing, cutoffs, SQLITE, sourcesOf(database))))
    if (rows.length > limit) break
  }
  return toPage(rows, limit)
}

function* bodies(files: ReadFiles, { records }: Of<'bodies'>, cutoffs: Cutoffs): Steps<SealedBodies[]> {
  const found = new Map<string, SealedBodies>()
  for (const [day, some] of Map.groupBy(records, ({ time }) => dayOf(time))) {
    yield
    const database = files.bodies(day)
    if (database === undefined) continue
    const ids = some.map(({ id }) => id)
    for (const row of bodiesIn(database, ids)) if (isKept(cutoffs, row)) found.set(row.recordId, row)
  }
  return records.flatMap(({ id }) => found.get(id) ?? [])
}

/** How far a listener has seen each file: the place of its last record, by day. */
type Seen = Readonly<Record<string, number>>

const parseSeen = (since: string): Seen => {
  const seen: unknown = JSON.parse(since)
  return typeof seen === 'object' && seen !== null ? (seen as Seen) : {}
}

function* arrivals(
  files: ReadFiles,
  { since, limit }: Of<'arrivals'>,
  cutoffs: Cutoffs,
): Steps<{ records: CallRecord[]; at: string }> {
  const seen = since === undefined ? undefined : parseSeen(since)
  const at: Record<string, number> = {}
  const records: CallRecord[] = []
  for (const day of files.days('records', 0, Number.MAX_SAFE_INTEGER).toReversed()) {
    yield
    const database = files.records(day)
    if (database === undefined) continue
    const place = seen === undefined ? lastIn(database) : (seen[day] ?? 0)
    const arrived = seen === undefined ? [] : arrivedIn(database, place, limit - records.length)
    records.push(...arrived.map(({ record }) => record))
    at[day] = arrived.at(-1)?.seq ?? place
  }
  return { records: records.filter((record) => isKept(cutoffs, record)), at: JSON.stringify(at) }
}

const feedback = (
  files: ReadFiles,
  { organisationId, id }: Of<'feedback'>,
  cutoffs: Cutoffs,
): FeedbackRecord | undefined => {
  const database = files.feedback()
  const row = database && feedbackIn(database, organisationId, id)
  return row !== undefined && isKept(cutoffs, row) ? row : undefined
}
