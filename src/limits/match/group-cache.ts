/** Longer names are not kept: a caller could fill the memory with them. In characters. */
const LONGEST_NAME = 512

type Groups<V> = Map<string, V>[]

/**
 * Groups that were met lately, for each policy by the values that tell them apart. At most twice `capacity` are kept: those
 * met since the newer half was last full, and those of the half before.
 */
export class GroupCache<V> {
  readonly #capacity: number
  #newer: Groups<V> = []
  #older: Groups<V> = []
  #size = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** @param policy number of the policy, from 0 */
  get(policy: number, name: string): V | undefined {
    const found = this.#newer[policy]?.get(name)
    if (found !== undefined) return found
    const old = this.#older[policy]?.get(name)
    if (old !== undefined) this.add(policy, name, old)
    return old
  }

  /** For a group that `get` did not find. */
  add(policy: number, name: string, value: V): void {
    if (name.length > LONGEST_NAME) return
    if (this.#size >= this.#capacity) {
      this.#older = this.#newer
      this.#newer = []
      this.#size = 0
    }
    const groups = this.#newer[policy]
    if (groups === undefined) this.#newer[policy] = new Map([[name, value]])
    else groups.set(name, value)
    this.#size += 1
  }
}
