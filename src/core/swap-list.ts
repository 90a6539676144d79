/** Something that is in a list of this kind. */
export interface Listed {
  /** Its place, kept by the list; -1 while it is in none. */
  slot: number
}

/**
 * A list in no order, whose last entry fills the place of one that goes. A `Set` or `Map` with so much coming and going leaves
 * old tables behind, one pointing to the next, and with them what was removed long ago: a third more CPU a call (Bun 1.4.5).
 */
export class SwapList<Item extends Listed> {
  readonly #items: Item[] = []

  get length(): number {
    return this.#items.length
  }

  at(slot: number): Item | undefined {
    return this.#items[slot]
  }

  /** Once: nothing happens for one that is in it. */
  add(item: Item): void {
    if (item.slot === -1) item.slot = this.#items.push(item) - 1
  }

  /** Nothing happens for one that is not in it. */
  remove(item: Item): void {
    const { slot } = item
    if (slot === -1) return
    item.slot = -1
    const last = this.#items.pop()
    if (last === undefined || last === item) return
    this.#items[slot] = last
    last.slot = slot
  }

  /** Copies the items that it has now: it may change while somebody goes through them. */
  snapshot(): readonly Item[] {
    return [...this.#items]
  }
}
