import { Alarm, type Sleeper } from '../timing/alarm.ts'

/** The deadlines of an upstream call. */
export type LimitName = 'connect' | 'upload' | 'first-byte' | 'request' | 'idle' | 'total'

const NEVER = Number.POSITIVE_INFINITY

/**
 * The deadlines of one upstream call. Moving a deadline is a number assignment, and the timer is one that all calls share:
 * a stream of a thousand events costs no thousand timers.
 */
export class Watchdog implements Sleeper {
  readonly #alarm: Alarm
  readonly #expire: (passed: LimitName) => void
  /** When each passes. */
  readonly #atMs: Record<LimitName, number> = {
    connect: NEVER,
    upload: NEVER,
    'first-byte': NEVER,
    request: NEVER,
    idle: NEVER,
    total: NEVER,
  }
  slot = -1

  /** @param alarm shared with other calls, or the clock for one of its own */
  constructor(alarm: Alarm | (() => number), expire: (passed: LimitName) => void) {
    this.#alarm = alarm instanceof Alarm ? alarm : new Alarm(alarm)
    this.#expire = expire
  }

  /** Sets or moves a deadline to `inMs` from now. When it passes, every other one is off. */
  set(name: LimitName, inMs: number): void {
    const nowMs = this.#alarm.now()
    const atMs = nowMs + inMs
    this.#atMs[name] = atMs
    this.#alarm.add(this, atMs, nowMs)
  }

  clear(name: LimitName): void {
    this.#atMs[name] = NEVER
  }

  stop(): void {
    for (const name of NAMES) this.#atMs[name] = NEVER
    this.#alarm.remove(this)
  }

  wake(nowMs: number): number {
    let nextMs = NEVER
    for (const name of NAMES) {
      const atMs = this.#atMs[name]
      if (atMs <= nowMs) {
        this.stop()
        this.#expire(name)
        return NEVER
      }
      nextMs = Math.min(nextMs, atMs)
    }
    return nextMs
  }
}

/** In the order they begin. */
const NAMES: readonly LimitName[] = ['total', 'first-byte', 'request', 'connect', 'upload', 'idle']
