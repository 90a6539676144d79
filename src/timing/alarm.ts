import { type Listed, SwapList } from '../core/swap-list.ts'

/** Somebody who wants to be woken. */
export interface Sleeper extends Listed {
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
  readonly #sleepers = new SwapList<Sleeper>()
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
    this.#sleepers.add(sleeper)
    if (atMs < this.#atMs) this.#arm(atMs, nowMs)
  }

  remove(sleeper: Sleeper): void {
    this.#sleepers.remove(sleeper)
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
      const sleeper = this.#sleepers.at(slot)
      if (sleeper !== undefined) nextMs = Math.min(nextMs, sleeper.wake(nowMs))
    }
    if (nextMs < this.#atMs) this.#arm(Math.max(nextMs, nowMs + REST_MS), nowMs)
  }
}
