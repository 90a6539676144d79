/** A map that forgets what was not used for longest once it is full. */
export interface BoundedMap<Key, Value> {
  readonly size: number
  /** Counts as a use. */
  get(key: Key): Value | undefined
  /** Looks without counting as a use. */
  peek(key: Key): Value | undefined
  /** Counts as a use. */
  set(key: Key, value: Value): void
  /** Only where the key is there; does not count as a use. */
  replace(key: Key, value: Value): void
  delete(key: Key): void
  clear(): void
  values(): Iterable<Value>
}

/**
 * Two generations in place of one list: a use within the young one costs a single look-up, and the old one is forgotten
 * as a whole when the young one is full. It holds between half of the maximum and the maximum of what was used last.
 */
export const createBoundedMap = <Key, Value>(maximumSize: number): BoundedMap<Key, Value> => {
  const generationSize = Math.max(1, Math.floor(maximumSize / 2))
  let young = new Map<Key, Value>()
  let old = new Map<Key, Value>()

  const set = (key: Key, value: Value): void => {
    old.delete(key)
    if (young.size >= generationSize && !young.has(key)) {
      old = young
      young = new Map()
    }
    young.set(key, value)
  }

  return {
    get size() {
      return young.size + old.size
    },
    get(key) {
      const known = young.get(key)
      if (known !== undefined) return known
      const former = old.get(key)
      if (former !== undefined) set(key, former)
      return former
    },
    peek: (key) => young.get(key) ?? old.get(key),
    set,
    replace(key, value) {
      const generation = young.has(key) ? young : old
      if (generation.has(key)) generation.set(key, value)
    },
    delete(key) {
      young.delete(key)
      old.delete(key)
    },
    clear() {
      young.clear()
      old.clear()
    },
    *values() {
      yield* young.values()
      yield* old.values()
    },
  }
}
