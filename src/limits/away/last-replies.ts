import { namesOf } from '../redis/redis-keys.ts'
import { goneAt } from '../ring/ring.ts'
import type { RingKey } from '../ring/ring-store.ts'
import { GRIDS } from '../ring/units.ts'

/** What the shared store last said of a ring. */
export interface LastReply {
  readonly used: number
  /** Newest bucket that it can be in: there all of it is counted, so that none of it leaves too early. */
  readonly index: number
}

/** What the shared store last said of the rings used most recently: with this a process goes on when it has to count alone. */
export interface LastReplies {
  /** Undefined also for one that has left its window. */
  get(key: RingKey): LastReply | undefined
  note(key: RingKey, reply: LastReply): void
  /** The shared store has been told of more since. */
  add(key: RingKey, index: number, weight: number): void
  forget(key: RingKey): void
}

export interface LastRepliesOptions {
  /** Rings that are remembered at most; never fewer than half of it, once there were as many. */
  readonly maximum: number
  readonly now: () => number
}

export const createLastReplies = ({ maximum, now }: LastRepliesOptions): LastReplies => {
  const half = Math.max(1, Math.floor(maximum / 2))
  // Two generations: the older is forgotten as a whole when the younger is full.
  let younger = new Map<string, LastReply>()
  let older = new Map<string, LastReply>()

  const note = (key: RingKey, reply: LastReply): void => {
    const { ring } = namesOf(key)
    if (younger.size >= half && !younger.has(ring)) {
      older = younger
      younger = new Map()
    }
    younger.set(ring, reply)
  }

  const get = (key: RingKey): LastReply | undefined => {
    const { ring } = namesOf(key)
    const reply = younger.get(ring) ?? older.get(ring)
    return reply !== undefined && goneAt(reply.index, GRIDS[key.unit]) > now() ? reply : undefined
  }

  return {
    get,
    note,
    add(key, index, weight) {
      const { used, index: newest } = get(key) ?? { used: 0, index }
      note(key, { used: used + weight, index: Math.max(newest, index) })
    },
    forget(key) {
      const { ring } = namesOf(key)
      younger.delete(ring)
      older.delete(ring)
    },
  }
}
