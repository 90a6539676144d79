import { defined } from '../../core/defined.ts'
import type { CallRecorder, FeedbackRecord } from '../../core/records.ts'
import { ManagementForbidden, ManagementNotFound } from '../../errors/gateway-error.ts'
import type { RecordReader } from '../../records/store.ts'
import { isUuid } from '../../store/objects/rows.ts'
import type { Actor } from '../actor.ts'
import { invalidField, refuseOtherThanPath } from '../invalid-field.ts'
import type { FeedbackChange, NewFeedback } from './model.ts'

export interface FeedbackDeps {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** A UUIDv7: the id of feedback says when it was given. */
  readonly randomId: () => string
  readonly records: RecordReader
  readonly recorder: CallRecorder
}

export interface Feedback {
  /** Keeps feedback, safe before it settles. @returns the ids in the order of the rows */
  add(actor: Actor, rows: readonly NewFeedback[]): Promise<readonly string[]>
  /** @throws ManagementNotFound for an id that the workspace does not have; StoreUnavailable */
  change(actor: Actor, id: string, change: FeedbackChange): Promise<void>
}

/** As much of a trace id or a value as calls keep of theirs. */
const MAX_TRACE_ID = 256
const MAX_TEXT = 128
/** Feedback may be on its way into the store for so long, also from another process. */
const FRESH_MS = 10_000
const STORED_MS = 2_000
const LOOKS = 5
const LOOK_MS = 200

export const createFeedback = ({ now, randomId, records, recorder }: FeedbackDeps): Feedback => {
  let lastTime = 0
  /** Microseconds, never the same twice: of two rows of an id the later one counts. */
  const nextTime = (after = 0): number => {
    lastTime = Math.max(now() * 1000, lastTime + 1)
    // A row of a process whose clock is ahead must not push the rows of all others into the future.
    return Math.max(lastTime, after + 1)
  }
  const keep = async (rows: readonly FeedbackRecord[]): Promise<void> => {
    recorder.feedback(rows)
    await recorder.durable()
  }
  const find = async (organisationId: string, id: string): Promise<FeedbackRecord | undefined> => {
    // What this process was told lately is in the store after this; what another one was told will be soon.
    if (now() - lastTime / 1000 < FRESH_MS) await recorder.stored(STORED_MS)
    const isFresh = isOurs(id) && Math.abs(now() - timeOfId(id)) < FRESH_MS
    for (let look = 1; isFresh && look < LOOKS; look++) {
      const found = await records.feedback(organisationId, id)
      if (found !== undefined) return found
      await Bun.sleep(LOOK_MS)
    }
    return records.feedback(organisationId, id)
  }
  return {
    async add(actor, given) {
      const { organisationId, workspaceId, apiKeyId } = ownerOf(actor)
      const rows = given.map(({ trace_id: traceId, ...fields }) => ({
        id: toFeedbackId(randomId()),
        time: nextTime(),
        organisationId,
        workspaceId,
        traceId: toTraceId(traceId),
        metadata: {},
        ...defined({ apiKeyId }),
        ...toFields(fields),
      }))
      await keep(rows)
      return rows.map(({ id }) => id)
    },
    async change(actor, id, { feedback_id: idInBody, trace_id: traceId, ...fields }) {
      const { organisationId, workspaceId } = ownerOf(actor)
      const reference = id.toLowerCase()
      refuseOtherThanPath('feedback_id', idInBody?.toLowerCase(), reference)
      const before = isUuid(reference) ? await find(organisationId, reference) : undefined
      if (before?.workspaceId !== workspaceId) throw new ManagementNotFound('There is no such feedback.')
      if (traceId !== undefined && toTraceId(traceId) !== before.traceId) {
        throw invalidField('trace_id', 'must be what it was, or absent')
      }
      await keep([{ ...before, time: nextTime(before.time), ...toFields(fields) }])
    },
  }
}

const ownerOf = ({ organisationId, workspaceId, id }: Actor) => {
  if (workspaceId === undefined) throw new ManagementForbidden('Feedback is given with a key of a workspace.')
  return { organisationId, workspaceId, apiKeyId: isUuid(id) ? id : undefined }
}

const toFields = ({ value, weight = 1, metadata }: Omit<FeedbackChange, 'feedback_id' | 'trace_id'>) => ({
  value,
  weight: weight >= 0 && weight <= 1 ? weight : 1,
  ...(metadata === undefined ? {} : { metadata: toLabels(metadata) }),
})

/** Absent labels stay as they are. */
const toLabels = (metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return [key, text.slice(0, MAX_TEXT).toWellFormed()]
    }),
  )

/** As the header of a call carries it. */
const toTraceId = (given: string): string => {
  const traceId = given.replace(/[^\x20-\x7e]/g, '').slice(0, MAX_TRACE_ID)
  if (traceId === '') throw invalidField('trace_id', 'has no character that a header can carry')
  return traceId
}

/** Three of the random digits of a UUIDv7 say that it is one of feedback: nobody waits for any other. */
const MARK = 'feb'
const MARK_AT = 15
const toFeedbackId = (id: string): string => id.slice(0, MARK_AT) + MARK + id.slice(MARK_AT + MARK.length)
const isOurs = (id: string): boolean => id.startsWith(MARK, MARK_AT)

/** Milliseconds since 1970 when a UUIDv7 was made. */
const timeOfId = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
