import type { RingAddition } from '../ring/memory-store.ts'
import { type Outcome, withinDeadline } from './deadline.ts'
import type { LastReplies } from './last-replies.ts'
import type { Timers } from './timers.ts'
import type { Unmerged } from './unmerged.ts'

/** Rings that are sent at the same time. */
const AT_ONCE = 64
/** Batches beyond those that were waiting at the start: calls go on meanwhile. */
const MORE_BATCHES = 3
/** Longer than any command of the driver takes, in milliseconds. */
const DEADLINE_MS = 5_000

/** Tells the shared store what was counted here. */
export interface Merger {
  /** @returns whether the store has all that was waiting when it began */
  run(): Promise<boolean>
}

export interface MergerOptions {
  readonly merge: (additions: readonly RingAddition[]) => Promise<void>
  readonly unmerged: Unmerged
  readonly replies: LastReplies
  readonly timers: Timers
  readonly monotonicMs: () => number
}

/**
 * Each ring goes by itself, so that one that fails is told from those that do not. A ring whose reply was lost is sent
 * again, and may then be counted twice: that is on the side of caution, and to forget what was counted would not be.
 */
export const createMerger = ({ merge, unmerged, replies, timers, monotonicMs }: MergerOptions): Merger => {
  const send = async (addition: RingAddition): Promise<boolean> => {
    const { kind }: Outcome<void> = await withinDeadline(merge([addition]), {
      deadlineMs: DEADLINE_MS,
      timers,
      monotonicMs,
    })
    unmerged.finish(addition, kind === 'reply')
    if (kind !== 'reply') return false
    const newest = Math.max(...addition.buckets.map(([index]) => index))
    replies.add(addition.key, newest, sumOf(addition))
    return true
  }

  return {
    async run() {
      let batches = Math.ceil(unmerged.size / AT_ONCE) + MORE_BATCHES
      while (batches > 0) {
        const additions = unmerged.begin(AT_ONCE)
        if (additions.length === 0) return true
        const merged = await Promise.all(additions.map(send))
        if (merged.includes(false)) return false
        batches -= 1
      }
      return true
    },
  }
}

const sumOf = ({ buckets }: RingAddition): number => buckets.reduce((sum, [, weight]) => sum + weight, 0)
