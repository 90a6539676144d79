import { createBoundedMap } from '../../core/bounded-map.ts'
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
export const createLastReplies = (maximum: number, now: () => number) => {
  const replies = createBoundedMap<string, LastReply>(maximum)

  /** Undefined also for one that has left its window. */
  const get = (key: RingKey): LastReply | undefined => {
    const reply = replies.peek(namesOf(key).ring)
    return reply !== undefined && goneAt(reply.index, GRIDS[key.unit]) > now() ? reply : undefined
  }
  const note = (key: RingKey, reply: LastReply): void => replies.set(namesOf(key).ring, reply)

  return {
    get,
    note,
    /** The shared store has been told of more since. */
    add(key: RingKey, index: number, weight: number): void {
      const { used, index: newest } = get(key) ?? { used: 0, index }
      note(key, { used: used + weight, index: Math.max(newest, index) })
    },
    forget(key: RingKey): void {
      replies.delete(namesOf(key).ring)
    },
  }
}

export type LastReplies = ReturnType<typeof createLastReplies>
