import type { CallRecord, FeedbackRecord, SealedBodies } from '../../../src/core/records.ts'
import type { Placed, RecordBatch, RecordReader, RecordWriter, Retention } from '../../../src/records/store.ts'
import { answer, asksForKind, isIn, type Row } from './answer.ts'

const DAY_MS = 86_400_000

/** A store in memory that goes through all it has for each question: what the other stores are measured by. */
export const createFold = (): RecordReader & RecordWriter => {
  const calls = new Map<string, CallRecord>()
  const bodies = new Map<string, SealedBodies>()
  let feedback: FeedbackRecord[] = []
  const positions = new Map<string, number>()

  /** Without the rows that were stored before. */
  const fresh = <T>(rows: readonly Placed<T>[], spool: string): T[] => {
    const stored = positions.get(spool) ?? 0
    return rows.filter(({ position }) => position >= stored).map(({ row }) => row)
  }

  const lastFeedback = (): FeedbackRecord[] => {
    const last = new Map<string, FeedbackRecord>()
    for (const row of feedback) {
      const before = last.get(row.id)
      if (before === undefined || row.time >= before.time) last.set(row.id, row)
    }
    return [...last.values()]
  }

  const trace = (row: { readonly organisationId: string; readonly workspaceId: string; readonly traceId: string }) =>
    JSON.stringify([row.organisationId, row.workspaceId, row.traceId])

  /** Mean weighted feedback of each trace. */
  const means = (): Map<string, number> => {
    const sums = new Map<string, { sum: number; count: number }>()
    for (const row of lastFeedback()) {
      const before = sums.get(trace(row)) ?? { sum: 0, count: 0 }
      sums.set(trace(row), { sum: before.sum + row.value * row.weight, count: before.count + 1 })
    }
    return new Map([...sums].map(([name, { sum, count }]) => [name, sum / count]))
  }

  /** Rows to ask, until something is written. */
  let asked: { readonly calls: readonly Row[]; readonly feedback: readonly Row[] } | undefined
  const rows = (): { readonly calls: readonly Row[]; readonly feedback: readonly Row[] } => {
    asked ??= { calls: callRows(), feedback: feedbackRows() }
    return asked
  }

  const callRows = (): Row[] => {
    const of = means()
    return [...calls.values()].map((call) => ({ call, weightedFeedback: of.get(trace(call)) }))
  }

  const feedbackRows = (): Row[] => {
    const of = Map.groupBy(
      [...calls.values()].filter(({ kind }) => kind !== 'attempt'),
      trace,
    )
    const mean = means()
    return lastFeedback().flatMap((feedback): Row[] =>
      (of.get(trace(feedback)) ?? [undefined]).map((call) => ({
        call,
        feedback,
        weightedFeedback: mean.get(trace(feedback)),
      })),
    )
  }

  return {
    async write(batch: RecordBatch) {
      asked = undefined
      for (const record of fresh(batch.records, batch.spool)) if (!calls.has(record.id)) calls.set(record.id, record)
      for (const row of fresh(batch.bodies, batch.spool)) if (!bodies.has(row.recordId)) bodies.set(row.recordId, row)
      feedback.push(...fresh(batch.feedback, batch.spool))
      positions.set(batch.spool, Math.max(batch.to, positions.get(batch.spool) ?? 0))
    },
    async position(spool) {
      return positions.get(spool) ?? 0
    },
    declare() {},
    async expire(nowMs, rules) {
      asked = undefined
      const today = Math.floor(nowMs / DAY_MS)
      const isOld = (row: { readonly workspaceId: string; readonly time: number }, days: keyof Retention): boolean =>
        Math.floor(row.time / 1000 / DAY_MS) < today - (rules.workspaces.get(row.workspaceId) ?? rules.fallback)[days]
      for (const record of calls.values()) if (isOld(record, 'days')) calls.delete(record.id)
      for (const row of bodies.values()) if (isOld(row, 'bodyDays')) bodies.delete(row.recordId)
      feedback = feedback.filter((row) => !isOld(row, 'days'))
    },

    async ask(question) {
      return answer(question, rows()[question.from])
    },
    async find(organisationId, callId) {
      return [...calls.values()]
        .filter((record) => record.callId === callId && record.organisationId === organisationId)
        .sort((one, other) => one.attempt - other.attempt)
    },
    async page(filter, { limit, after, order }) {
      const sign = order === 'oldest' ? 1 : -1
      const found = rows()
        .calls.filter((row) => isIn(row, filter) && (row.call?.kind !== 'attempt' || filter.where.some(asksForKind)))
        .flatMap(({ call }) => call ?? [])
        .filter((record) => after === undefined || sign * compare(record, after) > 0)
        .sort((one, other) => sign * compare(one, other))
      const records = found.slice(0, limit)
      const last = records.at(-1)
      return { records, ...(found.length > limit && last && { next: { time: last.time, id: last.id } }) }
    },
    async bodies(records) {
      return records.flatMap(({ id }) => bodies.get(id) ?? [])
    },
    async arrivals(since, limit) {
      const start = since === undefined ? calls.size : Number(since)
      const records = [...calls.values()].slice(start, start + limit)
      return { records, at: String(start + records.length) }
    },
    async feedback(organisationId, id) {
      return lastFeedback().find((row) => row.id === id && row.organisationId === organisationId)
    },
    async size() {
      return undefined
    },
    async close() {},
  }
}

type Place = Pick<CallRecord, 'time' | 'id'>
const compare = (one: Place, other: Place): number =>
  one.time - other.time || (one.id === other.id ? 0 : one.id < other.id ? -1 : 1)
