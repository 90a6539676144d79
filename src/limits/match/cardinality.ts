import { metadataName } from './condition-keys.ts'

/** Whether the caller can make up any number of values for a key. */
export const isOpenEnded = (key: string): boolean =>
  key === 'model' || key === 'mcp_tool' || metadataName(key) !== undefined

/**
 * Whether a group has a window of its own, by its hash and the number of the window of time: it was there before in this
 * window, or there is room for one more. Keeps callers from filling the store with groups.
 */
export type CardinalityGuard = (group: string, window: number) => boolean

/**
 * @param maximumGroups how many groups have a window of their own, in one window of time and in this process
 * @param onOverflow called once for each window of time in which there are more
 */
export const createCardinalityGuard = (maximumGroups: number, onOverflow: () => void): CardinalityGuard => {
  // Hashes, which take 5 MB for 100,000 groups: of those beyond that, one in 43,000 is mistaken for one that was there.
  const known = new Set<number>()
  let current: number | undefined
  let isFull = false
  return (group, window) => {
    if (window !== current) {
      known.clear()
      current = window
      isFull = false
    }
    const hash = Bun.hash.xxHash32(group)
    if (known.has(hash)) return true
    if (known.size < maximumGroups) {
      known.add(hash)
      return true
    }
    if (!isFull) onOverflow()
    isFull = true
    return false
  }
}
