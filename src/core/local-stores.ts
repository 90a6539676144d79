import { createBoundedMap } from './bounded-map.ts'
import type { AnswerCache, SharedFlags, StoredConfigs, StoredPrompts } from './ports.ts'
import type { CallRecorder } from './records.ts'

/** Capabilities of an engine that runs alone and keeps nothing for longer than it runs. */

export const NO_CONFIGS: StoredConfigs = { find: () => undefined, defaultOf: () => undefined }

export const NO_PROMPTS: StoredPrompts = { find: () => undefined, partial: () => undefined }

/** Keeps nothing. */
export const NO_RECORDS: CallRecorder = {
  prepare: () => undefined,
  open: () => undefined,
  announce: () => () => undefined,
  close: () => undefined,
  durable: () => undefined,
  feedback: () => undefined,
  stored: async () => true,
}

/** Most entries of each; those go first that were not used for the longest. */
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
  const entries = createBoundedMap<string, { readonly value: Value; readonly untilMs: number }>(MAX_ENTRIES)
  return {
    get(key: string): Value | undefined {
      const entry = entries.get(key)
      if (entry === undefined || entry.untilMs > now()) return entry?.value
      entries.delete(key)
      return undefined
    },
    set: (key: string, value: Value, forMs: number): void => entries.set(key, { value, untilMs: now() + forMs }),
    delete: entries.delete,
  }
}
