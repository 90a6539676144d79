/** About what was used in the last `spanMs`: what this span has so far, and the part of the one before that is as recent. */
export class UsageMeter {
  readonly #spanMs: number
  #span = Number.NaN
  #weight = 0
  #calls = 0
  #weightBefore = 0
  #callsBefore = 0

  constructor(spanMs: number) {
    this.#spanMs = spanMs
  }

  add(weight: number, nowMs: number): void {
    this.#enter(nowMs)
    this.#weight += weight
    this.#calls += 1
  }

  weight(nowMs: number): number {
    this.#enter(nowMs)
    return this.#weight + this.#weightBefore * (1 - (nowMs % this.#spanMs) / this.#spanMs)
  }

  /** Of this span and the one before. */
  calls(nowMs: number): number {
    this.#enter(nowMs)
    return this.#calls + this.#callsBefore
  }

  #enter(nowMs: number): void {
    const span = Math.floor(nowMs / this.#spanMs)
    if (span === this.#span) return
    const follows = span === this.#span + 1
    this.#weightBefore = follows ? this.#weight : 0
    this.#callsBefore = follows ? this.#calls : 0
    this.#weight = 0
    this.#calls = 0
    this.#span = span
  }
}
