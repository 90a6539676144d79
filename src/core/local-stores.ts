import type { AnswerCache, SharedFlags, StoredConfigs, StoredPrompts } from './ports.ts'

/** Capabilities of an engine that runs alone and keeps nothing for longer than it runs. */

export const NO_CONFIGS: StoredConfigs = { find: () => undefined, defaultOf: () => undefined }

export const NO_PROMPTS: StoredPrompts = { find: () => undefined, partial: () => undefined }

/** Most entries of each; the oldest ones go first. */
const MAX_ENTRIES = 1_000

/** @param now milliseconds that never step back */
export const createLocalFlags = (now: () => number): SharedFlags => {
  const flags = createExpiring<true>(now)
  return {
    has: (name) => flags.get(name) !== undefined,
    raise: (name, forMs) => flags.set(name, true, forMs),
    lower: flags.delete,
  }
}

/** @param now milliseconds that never step back */
export const createLocalCache = (now: () => number): AnswerCache => {
  const answers = createExpiring<Uint8Array>(now)
  return {
    get: answers.get,
    set: (key, value, ttlSeconds) => answers.set(key, value, ttlSeconds * 1000),
    delete: answers.delete,
  }
}

const createExpiring = <Value>(now: () => number) => {
  const entries = new Map<string, { readonly value: Value; readonly untilMs: number }>()
  return {
    get(key: string): Value | undefined {
      const entry = entries.get(key)
      if (entry === undefined || entry.untilMs > now()) return entry?.value
      entries.delete(key)
      return undefined
    },
    set(key: string, value: Value, forMs: number): void {
      // Set anew, an entry counts as the youngest.
      entries.delete(key)
      entries.set(key, { value, untilMs: now() + forMs })
      const oldest = entries.size > MAX_ENTRIES ? entries.keys().next() : undefined
      if (oldest?.done === false) entries.delete(oldest.value)
    },
    delete(key: string): void {
      entries.delete(key)
    },
  }
}
