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
  // Hashes, which take 5 MB for 100,000 groups: of those beyond that, one in 43,000 is mistaken for one that was met.
  let met = new Set<number>()
  let current: number | undefined
  let isFull = false
  return {
    admits(group, window) {
      if (window !== current) {
        met = new Set<number>()
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
