/** Chance that can be repeated. */
export interface Random {
  /** Whole number from 0 to below `bound`. */
  below(bound: number): number
  /** Whole number from `least` to `most`. */
  between(least: number, most: number): number
  /** True once in `times`. */
  once(times: number): boolean
  pick<Item>(items: readonly [Item, ...Item[]]): Item
}

/** Mulberry32. */
export const createRandom = (seed: number): Random => {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound: number): number => Math.floor(next() * bound)
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    once: (times) => below(times) === 0,
    pick: (items) => items[below(items.length)] ?? items[0],
  }
}
