/** A ring that refused a moment ago. Times are in milliseconds on the monotonic clock. */
export interface Denial {
  /** Smallest weight that it refused. */
  readonly weight: number
  /** A changed limit makes the denial void. */
  readonly limit: number
  readonly used: number
  /** When the weight fits, if nothing else is added. */
  readonly fitAtMs: number
  readonly resetAtMs: number
}

/** How long a denial counts: what others give back, or an operator resets, is seen after this at the latest. */
const LONGEST_MS = 250
const MAXIMUM_DENIALS = 10_000

/**
 * Remembers refusals for a moment, so that a client which hammers at a full window costs no round trip. It can only
 * refuse, so it never lets more through than the ring would.
 */
export interface Denials {
  remember(ring: string, denial: Denial, nowMs: number): void
  find(ring: string, weight: number, limit: number, nowMs: number): Denial | undefined
  forget(ring: string): void
  readonly size: number
}

export const createDenials = (): Denials => {
  const denials = new Map<string, { readonly denial: Denial; readonly untilMs: number }>()
  return {
    remember(ring, denial, nowMs) {
      const [oldest] = denials.keys()
      if (denials.size >= MAXIMUM_DENIALS && oldest !== undefined) denials.delete(oldest)
      denials.set(ring, { denial, untilMs: Math.min(denial.fitAtMs, nowMs + LONGEST_MS) })
    },
    find(ring, weight, limit, nowMs) {
      const found = denials.get(ring)
      if (found === undefined) return undefined
      if (found.untilMs <= nowMs || found.denial.limit !== limit) {
        denials.delete(ring)
        return undefined
      }
      return weight >= found.denial.weight ? found.denial : undefined
    },
    forget(ring) {
      denials.delete(ring)
    },
    get size() {
      return denials.size
    },
  }
}
