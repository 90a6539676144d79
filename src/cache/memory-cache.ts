import type { AnswerCache } from '../core/ports.ts'

export interface MemoryCacheOptions {
  /** Milliseconds that never step back. */
  readonly now: () => number
  /** Bytes of all answers together, their keys included. */
  readonly maxBytes: number
}

interface Kept {
  readonly value: Uint8Array
  readonly bytes: number
  readonly untilMs: number
}

/** What a map needs for an entry besides key and value, roughly. */
const OVERHEAD_BYTES = 128

/** Answers in this process. When they are too many, those go first that were not asked for the longest. */
export const createMemoryCache = ({ now, maxBytes }: MemoryCacheOptions): AnswerCache => {
  /** Least recently used first. */
  const entries = new Map<string, Kept>()
  let bytes = 0

  const remove = (key: string): void => {
    bytes -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }

  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      if (entry.untilMs <= now()) {
        remove(key)
        return undefined
      }
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set(key, value, ttlSeconds) {
      remove(key)
      const size = value.length + key.length + OVERHEAD_BYTES
      if (size > maxBytes || ttlSeconds <= 0) return
      entries.set(key, { value, bytes: size, untilMs: now() + ttlSeconds * 1000 })
      bytes += size
      for (const oldest of entries.keys()) {
        if (bytes <= maxBytes) break
        remove(oldest)
      }
    },
    delete: remove,
  }
}
