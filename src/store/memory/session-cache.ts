import { createBoundedMap } from '../../core/bounded-map.ts'
import { hashKey } from '../key-material.ts'
import {
  findSessionByToken,
  forgetOverSessions,
  readSessions,
  type Session,
  touchSessions,
} from '../objects/sessions.ts'
import type { Store } from '../types.ts'
import { followChanges } from './follow-changes.ts'
import { createLookUps } from './look-ups.ts'

/** The sessions in use, in memory: a request with one of them asks no database. */
export interface SessionCache {
  /**
   * The session that a cookie stands for, while it lives; it counts as used now. At once for one that was used lately, and for
   * one that was unknown lately; else a promise. Whether its holder still may do anything is for the caller to see.
   * @returns undefined for one that was never stored, has ended, or was not used for too long
   * @throws StoreUnavailable when the database would have to be asked and does not answer (by the promise, or at once)
   */
  find(token: string): Session | undefined | Promise<Session | undefined>
  /** Writes down what was used, and stops following the database. */
  close(): Promise<void>
}

export interface SessionCacheOptions {
  /** Milliseconds without use after which a session is over; asked anew each time, as a changed config may change it. */
  readonly idleMs: () => number
  /** Following or writing failed; what is known stays in use. */
  readonly onError?: (error: unknown) => void
  readonly pollIntervalMs?: number
  readonly maximumEntries?: number
  /** For how long a token that is not stored is refused without asking again. */
  readonly unknownMs?: number
  /** For how long a known session works while the database is away. */
  readonly maximumStaleMs?: number
  readonly lookupTimeoutMs?: number
  /** Looked up at the same time; more are turned away, so that a flood of made-up cookies cannot fill the memory. */
  readonly maximumLookups?: number
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** Milliseconds on the clock of `performance.now()`. */
  readonly monotonicMs?: () => number
}

interface Entry {
  readonly hash: string
  readonly session: Session
  readonly readAtMs: number
  /** Since 1970; ahead of the row by a minute at most. */
  seenAtMs: number
}

/** 32 bytes in base64url. */
const TOKEN = /^[\w-]{43}$/
/** Sessions compared with the database by one query. */
const BATCH = 1_000
/** A session in use is noted in its row this often. */
const TOUCH_MS = 60_000
/** How soon what was used is written down, all of it at once. */
const WRITE_MS = 1_000
const FORGET_MS = 3_600_000

/** @throws StoreUnavailable when the database cannot be read at the start */
export const createSessionCache = async (store: Store, options: SessionCacheOptions): Promise<SessionCache> => {
  const { idleMs, onError = () => undefined, maximumEntries = 10_000, unknownMs = 5_000 } = options
  const { maximumStaleMs = 600_000, lookupTimeoutMs = 2_000, maximumLookups = 256 } = options
  const { now = Date.now, monotonicMs = () => performance.now() } = options
  const entries = createBoundedMap<string, Entry>(maximumEntries)
  const unknownUntilMs = createBoundedMap<string, number>(maximumEntries)
  const lookUps = createLookUps<Session | undefined>('session', maximumLookups, lookupTimeoutMs)
  let changes = 0
  let used = new Set<string>()
  let writing: Promise<void> | undefined
  let writeTimer: Timer | undefined

  const follower = await followChanges(store, {
    tables: ['sessions'],
    async refresh() {
      const known = [...entries.values()]
      for (let start = 0; start < known.length; start += BATCH) {
        const batch = known.slice(start, start + BATCH)
        const readAtMs = monotonicMs()
        const rows = await readSessions(
          store.db,
          batch.map(({ session }) => session.id),
        )
        const byId = new Map(rows.map((row) => [row.id, row]))
        for (const entry of batch) {
          const session = byId.get(entry.session.id)
          if (session === undefined) entries.delete(entry.hash)
          else entries.replace(entry.hash, { hash: entry.hash, session, readAtMs, seenAtMs: latest(entry, session) })
        }
      }
    },
    onChange() {
      changes++
    },
    onError,
    pollIntervalMs: options.pollIntervalMs,
  })

  const write = async (): Promise<void> => {
    writeTimer = undefined
    const ids = [...used]
    used = new Set()
    for (let start = 0; start < ids.length; start += BATCH) {
      await touchSessions(store.db, ids.slice(start, start + BATCH), new Date(now())).catch(onError)
    }
  }

  /** Off the way of the request. */
  const noteUse = (id: string): void => {
    used.add(id)
    writeTimer ??= setTimeout(() => {
      writing = write()
    }, WRITE_MS)
  }

  const latest = ({ seenAtMs }: Entry, { lastSeenAt }: Session): number => Math.max(seenAtMs, lastSeenAt.getTime())

  const isAlive = ({ session, seenAtMs }: Entry, nowMs: number): boolean =>
    nowMs < session.endsAt.getTime() && nowMs - seenAtMs < idleMs()

  const use = (entry: Entry, nowMs: number): Session => {
    if (nowMs - entry.seenAtMs >= TOUCH_MS) {
      entry.seenAtMs = nowMs
      noteUse(entry.session.id)
    }
    return entry.session
  }

  const lookUp = async (hash: string): Promise<Session | undefined> => {
    const changesBefore = changes
    const session = await lookUps.inTime(findSessionByToken(store.db, hash))
    const nowMs = now()
    const entry = session && { hash, session, readAtMs: monotonicMs(), seenAtMs: session.lastSeenAt.getTime() }
    if (entry === undefined || !isAlive(entry, nowMs)) {
      entries.delete(hash)
      unknownUntilMs.set(hash, monotonicMs() + unknownMs)
      return undefined
    }
    entries.set(hash, entry)
    // It may have been read before the change, and kept after the others were compared.
    if (changes !== changesBefore) follower.refresh()
    return use(entry, nowMs)
  }

  const forget = setInterval(() => {
    forgetOverSessions(store.db, { now: new Date(now()), idleMs: idleMs() }).catch(onError)
  }, FORGET_MS)
  forget.unref()

  return {
    find(token) {
      if (!TOKEN.test(token)) return undefined
      const hash = hashKey(token)
      const entry = entries.get(hash)
      if (entry === undefined) {
        const untilMs = unknownUntilMs.get(hash)
        return untilMs !== undefined && monotonicMs() < untilMs ? undefined : lookUps.once(hash, () => lookUp(hash))
      }
      const nowMs = now()
      if (nowMs >= entry.session.endsAt.getTime()) return undefined
      const agreedAtMs = Math.max(entry.readAtMs, follower.agreedAtMs)
      const isFresh = monotonicMs() - agreedAtMs < maximumStaleMs
      // It may be in use at another process, which nobody announces: the row knows.
      return isFresh && isAlive(entry, nowMs) ? use(entry, nowMs) : lookUps.once(hash, () => lookUp(hash))
    },
    async close() {
      clearInterval(forget)
      clearTimeout(writeTimer)
      await writing
      await write()
      await follower.close()
    },
  }
}
