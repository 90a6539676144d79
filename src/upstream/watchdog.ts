import type { GatewayError } from '../errors/gateway-error.ts'
import { Alarm, type Sleeper } from './alarm.ts'

/** One moment to act at, unless it is cleared before. */
interface Limit {
  readonly name: string
  /** Infinity while it is cleared. */
  atMs: number
  error: () => GatewayError
}

/**
 * The deadlines of one upstream call. Moving a deadline is a number assignment, and the timer is one that all calls share:
 * a stream of a thousand events costs no thousand timers.
 */
export class Watchdog implements Sleeper {
  readonly #alarm: Alarm
  readonly #expire: (error: GatewayError) => void
  /** A handful: looking through them is faster than a map. */
  readonly #limits: Limit[] = []
  slot = -1

  /** @param alarm shared with other calls, or the clock for one of its own */
  constructor(alarm: Alarm | (() => number), expire: (error: GatewayError) => void) {
    this.#alarm = alarm instanceof Alarm ? alarm : new Alarm(alarm)
    this.#expire = expire
  }

  /** Sets or moves the deadline `name` to `inMs` from now. When it passes, every other one is off. */
  set(name: string, inMs: number, error: () => GatewayError): void {
    const nowMs = this.#alarm.now()
    const atMs = nowMs + inMs
    const limit = this.#find(name)
    if (limit === undefined) this.#limits.push({ name, atMs, error })
    else {
      limit.atMs = atMs
      limit.error = error
    }
    this.#alarm.add(this, atMs, nowMs)
  }

  clear(name: string): void {
    const limit = this.#find(name)
    if (limit !== undefined) limit.atMs = Number.POSITIVE_INFINITY
  }

  stop(): void {
    this.#limits.length = 0
    this.#alarm.remove(this)
  }

  wake(nowMs: number): number {
    let nextMs = Number.POSITIVE_INFINITY
    for (const { atMs, error } of this.#limits) {
      if (atMs <= nowMs) {
        this.stop()
        this.#expire(error())
        return Number.POSITIVE_INFINITY
      }
      nextMs = Math.min(nextMs, atMs)
    }
    return nextMs
  }

  #find(name: string): Limit | undefined {
    for (const limit of this.#limits) if (limit.name === name) return limit
    return undefined
  }
}
