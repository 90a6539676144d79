import { goneAt } from '../ring/ring.ts'
import type { RingKey } from '../ring/ring-store.ts'
import { GRIDS } from '../ring/units.ts'

const known = new WeakMap<RingKey, string>()

/** One text for a ring, made once for each key that is at hand: a text that is new each time has to be hashed each time. */
export const ringIdOf = (key: RingKey): string => {
  const found = known.get(key)
  if (found !== undefined) return found
  const { workspaceId, limitId, unit, group } = key
  const made = `${workspaceId} ${limitId} ${unit} ${group}`
  known.set(key, made)
  return made
}

/** What the shared store last said of a ring. A newer one is always another object. */
export interface LastReply {
  readonly used: number
  /** Newest bucket that it can be in: there all of it is counted, so that none of it leaves too early. */
  readonly index: number
}

/** What the shared store last said of the rings used most recently: with this a process goes on when it has to count alone. */
export interface LastReplies {
  get(ring: string): LastReply | undefined
  note(ring: string, reply: LastReply): void
  /** The shared store has been told of more since. */
  add(key: RingKey, index: number, weight: number): void
  forget(ring: string): void
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

  const note = (ring: string, reply: LastReply): void => {
    if (younger.size >= half && !younger.has(ring)) {
      older = younger
      younger = new Map()
    }
    younger.set(ring, reply)
  }

  const get = (ring: string): LastReply | undefined => younger.get(ring) ?? older.get(ring)

  return {
    get,
    note,
    add(key, index, weight) {
      const ring = ringIdOf(key)
      const known = get(ring)
      const counts = known !== undefined && goneAt(known.index, GRIDS[key.unit]) > now()
      note(ring, counts ? { used: known.used + weight, index: Math.max(known.index, index) } : { used: weight, index })
    },
    forget(ring) {
      younger.delete(ring)
      older.delete(ring)
    },
  }
}
