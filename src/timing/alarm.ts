/** Somebody who wants to be woken. */
export interface Sleeper {
  /** Its place in the alarm's list, kept by the alarm; -1 while it is in none. */
  slot: number
  /** Called at the time it asked for or later. @returns when it wants to be woken next; infinity for never */
  wake(nowMs: number): number
}

/** Milliseconds between two times everybody is asked: with thousands of deadlines there would be one at every moment. */
const REST_MS = 5

/**
 * One timer for all deadlines of a process. Calls come and go far faster than their deadlines: the timer is left as it is
 * when one ends, and set anew only for a deadline that is earlier than all others.
 */
export class Alarm {
  readonly #now: () => number
  /**
   * A plain list, whose last entry fills the place of one that goes. A `Set` with so much coming and going leaves old tables
   * behind, one pointing to the next, and with them calls that ended long ago: a third more CPU a call (Bun 1.4.5).
   */
  readonly #sleepers: Sleeper[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #atMs: number = Number.POSITIVE_INFINITY

  /** @param now milliseconds that never step back */
  constructor(now: () => number) {
    this.#now = now
  }

  now(): number {
    return this.#now()
  }

  /** @param nowMs what `now` gave a moment ago */
  add(sleeper: Sleeper, atMs: number, nowMs: number): void {
    if (sleeper.slot === -1) sleeper.slot = this.#sleepers.push(sleeper) - 1
    if (atMs < this.#atMs) this.#arm(atMs, nowMs)
  }

  remove(sleeper: Sleeper): void {
    const { slot } = sleeper
    if (slot === -1) return
    sleeper.slot = -1
    const last = this.#sleepers.pop()
    if (last === undefined || last === sleeper) return
    this.#sleepers[slot] = last
    last.slot = slot
  }

  #arm(atMs: number, nowMs: number): void {
    clearTimeout(this.#timer)
    this.#atMs = atMs
    // Whoever waits for a deadline has a connection open, or a name to be found: that keeps the process alive.
    this.#timer = setTimeout(this.#ring, Math.max(0, atMs - nowMs)).unref()
  }

  readonly #ring = (): void => {
    this.#atMs = Number.POSITIVE_INFINITY
    const nowMs = this.#now()
    let nextMs = Number.POSITIVE_INFINITY
    // Who is woken may remove itself and others: from the end, whoever fills a place was asked already.
    for (let slot = this.#sleepers.length - 1; slot >= 0; slot--) {
      const sleeper = this.#sleepers[slot]
      if (sleeper !== undefined) nextMs = Math.min(nextMs, sleeper.wake(nowMs))
    }
    if (nextMs < this.#atMs) this.#arm(Math.max(nextMs, nowMs + REST_MS), nowMs)
  }
}
