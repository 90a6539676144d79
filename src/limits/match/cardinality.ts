import { metadataName } from './condition-keys.ts'

/** Keeps callers from filling the store with groups. */
export interface CardinalityGuard {
  /**
   * Whether a group has a window of its own: it was met before in this window of time, or there is room for one more.
   * @param group hash of the group
   * @param window number of the window of time; another one starts afresh
   */
  admits(group: string, window: number): boolean
}

/** Whether the caller can make up any number of values for a key. */
export const isOpenEnded = (key: string): boolean =>
  key === 'model' || key === 'mcp_tool' || metadataName(key) !== undefined

/**
 * @param maximumGroups how many groups have a window of their own, in one window of time and in this process
 * @param onOverflow called once for each window of time in which there are more
 */
export const createCardinalityGuard = (maximumGroups: number, onOverflow: () => void): CardinalityGuard => {
  let met = new Fingerprints()
  let current: number | undefined
  let isFull = false
  return {
    admits(group, window) {
      if (window !== current) {
        met = new Fingerprints()
        current = window
        isFull = false
      }
      const fingerprint = Bun.hash.xxHash32(group)
      if (met.has(fingerprint)) return true
      if (met.size < maximumGroups) {
        met.add(fingerprint)
        return true
      }
      if (!isFull) {
        isFull = true
        onOverflow()
      }
      return false
    },
  }
}

const FIRST_SLOTS = 64

/**
 * A set of 32-bit numbers, in at most 16 bytes each: 1 MB for 100,000 groups, where a `Set` of their names takes ten
 * times that. Of the groups beyond 100,000, one in 43,000 is mistaken for one that was met. The bitmap of linear counting
 * would be smaller, but mistakes one in ten, so that the number of groups had no bound.
 */
class Fingerprints {
  #slots = new Uint32Array(FIRST_SLOTS)
  #size = 0

  get size(): number {
    return this.#size
  }

  has(fingerprint: number): boolean {
    return this.#slots[this.#find(fingerprint)] !== 0
  }

  add(fingerprint: number): void {
    if (this.#size * 2 >= this.#slots.length) this.#grow()
    this.#slots[this.#find(fingerprint)] = fingerprint || 1
    this.#size += 1
  }

  /** Slot of the number, or the free one where it belongs. A slot of 0 is free; the number 0 is kept as 1. */
  #find(fingerprint: number): number {
    const wanted = fingerprint || 1
    const mask = this.#slots.length - 1
    let slot = wanted & mask
    for (let held = this.#slots[slot]; held !== 0 && held !== wanted; held = this.#slots[slot]) slot = (slot + 1) & mask
    return slot
  }

  #grow(): void {
    const held = this.#slots
    this.#slots = new Uint32Array(held.length * 2)
    for (const fingerprint of held) if (fingerprint !== 0) this.#slots[this.#find(fingerprint)] = fingerprint
  }
}
