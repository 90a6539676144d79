import { createBoundedMap } from '../../core/bounded-map.ts'
import type { Clock, Logger } from '../../core/ports.ts'
import type { CallRecord } from '../../core/records.ts'
import { errorFields } from '../../errors/error-fields.ts'
import { ManagementTooMany, ManagementUnavailable } from '../../errors/gateway-error.ts'
import type { Condition } from '../../records/question.ts'
import type { Arrival, RecordReader } from '../../records/store.ts'
import type { Place } from '../resolve-workspace.ts'
import { Listener } from './listener.ts'
import { asksForKind, matches } from './matches.ts'
import { toRow } from './rows.ts'

export interface TailOptions {
  readonly reader: Pick<RecordReader, 'arrivals'>
  /** Slugs of workspaces by their ids. */
  readonly slugsOf: (organisationId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly log: Logger
  /** True: the gateway is about to stop, and every stream ends. */
  readonly isStopping: () => boolean
  readonly pollMs?: number
  /** Milliseconds after which a stream ends: its key may have been revoked meanwhile. */
  readonly maxAgeMs?: number
}

/** Records as they arrive, of all processes, for whoever listens. */
export interface Tail {
  /**
   * Server-sent events of the records of a place that fit, from now on.
   * @throws ManagementTooMany over the bound; ManagementUnavailable where the store does not answer
   */
  listen(place: Place, where: readonly Condition[]): Promise<ReadableStream<Uint8Array>>
  readonly listeners: number
  close(): Promise<void>
}

/** Listeners of a process, and of one organisation in it. */
const MAX_LISTENERS = 100
const MAX_LISTENERS_OF_ONE = 25
/** Records that one look takes, and looks between two waits. */
const AT_ONCE = 500
const MAX_LOOKS = 20
const POLL_MS = 400
const BEAT_MS = 10_000
const MAX_AGE_MS = 60 * 60 * 1000
/** Milliseconds between two lines about a store that does not answer. */
const LOG_MS = 60_000
const MAX_SLUGS = 1_000

interface Listening {
  readonly listener: Listener
  readonly place: Place
  readonly fits: (record: CallRecord) => boolean
  readonly endsAtMs: number
}

/** The store is asked only while somebody listens, and once for all who do. */
export const createTail = (options: TailOptions): Tail => {
  const { reader, slugsOf, clock, log, isStopping, pollMs = POLL_MS, maxAgeMs = MAX_AGE_MS } = options
  const listening = new Set<Listening>()
  const slugs = createBoundedMap<string, string | undefined>(MAX_SLUGS)
  let at: Arrival | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let looking: Promise<void> | undefined
  let beatAtMs = 0
  let loggedAtMs = Number.NEGATIVE_INFINITY
  let isClosed = false

  const slugOf = async ({ organisationId, workspaceId }: CallRecord): Promise<string | undefined> => {
    if (slugs.peek(workspaceId) === undefined) {
      const found = await slugsOf(organisationId, [workspaceId]).catch(() => new Map<string, string>())
      slugs.set(workspaceId, found.get(workspaceId))
    }
    return slugs.get(workspaceId)
  }

  const hand = async (records: readonly CallRecord[]): Promise<void> => {
    for (const record of records) {
      const wanting = [...listening].filter(({ fits }) => fits(record))
      if (wanting.length === 0) continue
      const row = toRow(record, await slugOf(record))
      for (const { listener } of wanting) listener.send(row, 'log')
    }
  }

  const look = async (): Promise<void> => {
    try {
      for (let looks = 0; looks < MAX_LOOKS && listening.size > 0; looks++) {
        const found = await reader.arrivals(at, AT_ONCE)
        at = found.at
        await hand(found.records)
        if (found.records.length < AT_ONCE) break
      }
    } catch (thrown) {
      // What arrives meanwhile is handed on once it answers again.
      if (clock.monotonicMs() - loggedAtMs >= LOG_MS) {
        loggedAtMs = clock.monotonicMs()
        log.warn('new records could not be read for the live tail', errorFields(thrown))
      }
    }
    const nowMs = clock.monotonicMs()
    for (const { listener, endsAtMs } of listening) {
      if (isStopping()) listener.end('stopping')
      else if (nowMs >= endsAtMs) listener.end('reconnect')
    }
    if (nowMs < beatAtMs) return
    beatAtMs = nowMs + BEAT_MS
    for (const { listener } of listening) listener.beat()
  }

  /** Looks again and again, one after the other, until nobody listens. */
  const schedule = (): void => {
    timer ??= setTimeout(() => {
      looking = look().finally(() => {
        timer = undefined
        looking = undefined
        if (listening.size > 0) schedule()
        else at = undefined
      })
    }, pollMs)
  }

  return {
    async listen(place, where) {
      const { organisationId, workspaceId } = place
      const own = [...listening].filter((each) => each.place.organisationId === organisationId).length
      if (listening.size >= MAX_LISTENERS || own >= MAX_LISTENERS_OF_ONE) {
        throw new ManagementTooMany('Too many clients follow the logs now.', { retryAfterMs: 10_000 })
      }
      const wantsAttempts = where.some(asksForKind)
      const one: Listening = {
        place,
        endsAtMs: clock.monotonicMs() + maxAgeMs,
        fits: (record) =>
          record.organisationId === organisationId &&
          (workspaceId === undefined || record.workspaceId === workspaceId) &&
          (wantsAttempts || record.kind !== 'attempt') &&
          where.every((condition) => matches(record, condition)),
        listener: new Listener(() => listening.delete(one)),
      }
      // Counted from now on, so that many at once cannot pass the bound.
      listening.add(one)
      try {
        // What arrives from here on is seen: also what comes before the first look.
        at ??= (await reader.arrivals(undefined, 1)).at
      } catch (thrown) {
        listening.delete(one)
        throw thrown
      }
      if (isClosed || isStopping()) {
        listening.delete(one)
        throw new ManagementUnavailable('The gateway is stopping.', { retryAfterMs: 1_000 })
      }
      one.listener.send({}, 'ready')
      schedule()
      return one.listener.stream
    },
    get listeners() {
      return listening.size
    },
    async close() {
      isClosed = true
      for (const { listener } of listening) listener.end('stopping')
      clearTimeout(timer)
      await looking
    },
  }
}
