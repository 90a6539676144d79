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
  /** @returns whether it was there */
  delete(key: Key): boolean
  clear(): void
  values(): Iterable<Value>
}

/** A place in the ring of entries in the order of their use. The root stands between the newest and the oldest. */
class Link {
  newer: Link = this
  older: Link = this

  leave(): void {
    this.newer.older = this.older
    this.older.newer = this.newer
  }

  enterBehind(newest: Link): void {
    this.older = newest
    this.newer = newest.newer
    newest.newer.older = this
    newest.newer = this
  }
}

class Entry<Key, Value> extends Link {
  readonly key: Key
  value: Value

  constructor(key: Key, value: Value) {
    super()
    this.key = key
    this.value = value
  }
}

/** The order is kept beside the `Map`: the first key of one that has lost many is found only past the places of all of them. */
export const createBoundedMap = <Key, Value>(maximumSize: number): BoundedMap<Key, Value> => {
  const entries = new Map<Key, Entry<Key, Value>>()
  const root = new Link()

  const use = (entry: Entry<Key, Value>): void => {
    if (root.older === entry) return
    entry.leave()
    entry.enterBehind(root.older)
  }
  const remove = (entry: Entry<Key, Value>): void => {
    entry.leave()
    entries.delete(entry.key)
  }

  return {
    get size() {
      return entries.size
    },
    get(key) {
      const entry = entries.get(key)
      if (entry !== undefined) use(entry)
      return entry?.value
    },
    peek: (key) => entries.get(key)?.value,
    set(key, value) {
      const known = entries.get(key)
      if (known !== undefined) {
        known.value = value
        use(known)
        return
      }
      const oldest = root.newer
      if (entries.size >= maximumSize && oldest instanceof Entry) remove(oldest)
      const entry = new Entry(key, value)
      entry.enterBehind(root.older)
      entries.set(key, entry)
    },
    replace(key, value) {
      const entry = entries.get(key)
      if (entry !== undefined) entry.value = value
    },
    delete(key) {
      const entry = entries.get(key)
      if (entry !== undefined) remove(entry)
      return entry !== undefined
    },
    clear() {
      entries.clear()
      root.newer = root.older = root
    },
    *values() {
      for (const { value } of entries.values()) yield value
    },
  }
}
