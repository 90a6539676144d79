/**
 * The limiter as it is meant, without any cleverness: an exact log of all that was ever charged, and answers by reading
 * all of it. Logs are values: each change gives a new one.
 */
export interface Entry {
  /** `call`: charged when it was admitted. `debt`: what a call used beyond its charge, added when it became known. */
  readonly kind: 'call' | 'debt'
  /** When it was written, in milliseconds of true time. */
  readonly atMs: number
  /** As it stands: a refund takes from it. */
  readonly weight: number
  /** Of a call: debt that has arrived, once, however often it was delivered. */
  readonly debt: number
  /** Of a call: neither settled nor lost. */
  readonly open: boolean
  /** Bucket that the ring says it wrote: only conservation looks at it. */
  readonly index: number
}

export type Log = readonly Entry[]

export const admitted = (log: Log, atMs: number, weight: number, index: number): Log => [
  ...log,
  { kind: 'call', atMs, weight, debt: 0, open: true, index },
]

const changed = (log: Log, place: number, change: Partial<Entry>): Log =>
  log.map((entry, at) => (at === place ? { ...entry, ...change } : entry))

/** A refund that has arrived. */
export const refunded = (log: Log, place: number, weight: number): Log =>
  changed(log, place, { weight: (log[place]?.weight ?? 0) - weight, open: false })

/** A debt that has arrived, for the first time or again. */
export const indebted = (log: Log, place: number, atMs: number, weight: number, index: number): Log => [
  ...changed(log, place, { debt: weight, open: false }),
  { kind: 'debt', atMs, weight, debt: 0, open: false, index },
]

/** The process has died: what has not been settled never will be. */
export const crashed = (log: Log): Log => log.map((entry) => ({ ...entry, open: false }))

const total = (log: Log, weigh: (entry: Entry) => number): number => {
  let sum = 0
  for (const entry of log) sum += weigh(entry)
  return sum
}

/** What the calls admitted since then have used, as far as anybody has said: a debt counts with its call, and once. */
export const spentSince = (log: Log, sinceMs: number): number =>
  total(log, ({ kind, atMs, weight, debt }) => (kind === 'call' && atMs >= sinceMs ? weight + debt : 0))

/** What was written after then: a debt counts when it came, as often as it came. */
export const writtenAfter = (log: Log, afterMs: number): number =>
  total(log, ({ atMs, weight }) => (atMs > afterMs ? weight : 0))

/** What was written to this bucket and later ones. */
export const writtenFrom = (log: Log, firstIndex: number): number =>
  total(log, ({ weight, index }) => (index >= firstIndex ? weight : 0))
