/** The list itself when no item changes. */
export const mapChanged = <Item>(
  items: readonly Item[],
  change: (item: Item, index: number) => Item,
): readonly Item[] => {
  let changed: Item[] | undefined
  for (let index = 0; index < items.length; index++) {
    const item = items[index] as Item
    const made = change(item, index)
    if (made === item && changed === undefined) continue
    changed ??= items.slice(0, index)
    changed.push(made)
  }
  return changed ?? items
}
