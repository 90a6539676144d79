/**
 * Steps that a piece of work may still take, where somebody's text decides how many it would take. A step is some tens of
 * nanoseconds, and nothing else runs meanwhile.
 */
export class StepBudget {
  #left: number

  constructor(steps: number) {
    this.#left = steps
  }

  /** Takes nothing, and is false, where there are not enough left. */
  take(steps: number): boolean {
    if (steps > this.#left) return false
    this.#left -= steps
    return true
  }
}
