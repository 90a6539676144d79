import type { GatewayError } from '../errors/gateway-error.ts'

/** One moment to act at, unless it is cleared before. */
interface Limit {
  atMs: number
  act(): void
}

/**
 * The deadlines of one upstream call on one timer. Moving a deadline is a number assignment: the timer is only set anew
 * when it fires too early, so a stream of a thousand events costs no thousand timers.
 */
export class Watchdog {
  readonly #now: () => number
  readonly #expire: (error: GatewayError) => void
  readonly #limits = new Map<string, Limit>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #timerAtMs = Number.POSITIVE_INFINITY

  constructor(now: () => number, expire: (error: GatewayError) => void) {
    this.#now = now
    this.#expire = expire
  }

  /** Sets or moves the deadline `name` to `inMs` from now. When it passes, every other one is off. */
  set(name: string, inMs: number, error: () => GatewayError): void {
    this.on(name, inMs, () => {
      this.stop()
      this.#expire(error())
    })
  }

  /** Calls `act` in `inMs` from now, unless it is cleared or moved before. */
  on(name: string, inMs: number, act: () => void): void {
    const atMs = this.#now() + inMs
    const limit = this.#limits.get(name)
    if (limit === undefined) this.#limits.set(name, { atMs, act })
    else limit.atMs = atMs
    if (atMs < this.#timerAtMs) this.#arm(atMs)
  }

  clear(name: string): void {
    this.#limits.delete(name)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#limits.clear()
    this.#timerAtMs = Number.POSITIVE_INFINITY
  }

  #arm(atMs: number): void {
    clearTimeout(this.#timer)
    this.#timerAtMs = atMs
    this.#timer = setTimeout(() => this.#check(), Math.max(0, atMs - this.#now()))
  }

  #check(): void {
    this.#timerAtMs = Number.POSITIVE_INFINITY
    const now = this.#now()
    for (const [name, limit] of this.#limits) {
      if (limit.atMs > now) continue
      this.#limits.delete(name)
      limit.act()
    }
    let nextMs = Number.POSITIVE_INFINITY
    for (const { atMs } of this.#limits.values()) nextMs = Math.min(nextMs, atMs)
    if (nextMs < Number.POSITIVE_INFINITY) this.#arm(nextMs)
  }
}
