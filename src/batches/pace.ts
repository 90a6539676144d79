import type { OwnBatchRow } from '../store/objects/own-batches.ts'

/** Milliseconds before a line is asked again the first time; twice as long each time after. */
const FIRST_MS = 500
const MOST_MS = 60_000

/** Statuses that say that the same request may succeed later. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 425, 429, 500, 502, 503, 504, 507, 529])

/** Whether what made a line fail may pass. */
export const mayPass = (status: number): boolean => PASSING.has(status)

/**
 * Milliseconds until a line is asked again.
 * @param tries how often it has failed before @param random at least 0 and below 1
 */
export const backOffMs = (tries: number, headers: Pick<Headers, 'get'> | undefined, random: number): number => {
  const asked = retryAfterMs(headers)
  const own = Math.min(FIRST_MS * 2 ** Math.min(tries, 20), MOST_MS)
  // From half of it to all of it, so that lines that failed together do not come back together.
  return Math.max(asked ?? 0, Math.round(own * (0.5 + random / 2)))
}

const retryAfterMs = (headers: Pick<Headers, 'get'> | undefined): number | undefined => {
  const seconds = headers?.get('retry-after')
  return seconds != null && /^\d{1,6}(?:\.\d+)?$/.test(seconds) ? Number(seconds) * 1000 : undefined
}

/** Milliseconds that a batch rests at most for what its limits leave: they are looked at again then. */
const MOST_REST_MS = 60_000
/** Where nobody says when a limit has room again. */
const REST_MS = 5_000

/**
 * Milliseconds that a batch of 24 hours rests: when its limits have less left than what is for live calls.
 * @param reserve part of a limit: at least 0, below 1
 * @returns undefined where it may go on
 */
export const restMs = (
  { completionWindow }: Pick<OwnBatchRow, 'completionWindow'>,
  status: number,
  headers: Pick<Headers, 'get'>,
  reserve: number,
): number | undefined => {
  if (completionWindow !== '24h') return undefined
  const rests = ['requests', 'tokens'].flatMap((type) => {
    const limit = numberOf(headers.get(`x-ratelimit-limit-${type}`))
    const left = numberOf(headers.get(`x-ratelimit-remaining-${type}`))
    if (limit === undefined || left === undefined || left >= limit * reserve) return []
    // What is needed above what is left comes back while the window runs on: as a rule in its proportion.
    const resetMs = durationMs(headers.get(`x-ratelimit-reset-${type}`)) ?? REST_MS
    const lacking = limit === 0 ? 1 : (limit * reserve - left) / limit
    return [Math.max(resetMs * lacking, MIN_REST_MS)]
  })
  if (status === 429) rests.push(retryAfterMs(headers) ?? REST_MS)
  return rests.length === 0 ? undefined : Math.min(Math.max(...rests), MOST_REST_MS)
}

const MIN_REST_MS = 200

const numberOf = (text: string | null): number | undefined =>
  text !== null && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `17ms`, `4.2s`, `6m0s`. */
const durationMs = (text: string | null): number | undefined => {
  const parts = [...(text ?? '').matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)]
  if (parts.length === 0) return undefined
  return parts.reduce((sum, [, number, unit = 'ms']) => sum + Number(number) * (UNITS[unit] ?? 1), 0)
}
