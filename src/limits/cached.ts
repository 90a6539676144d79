/** Makes what belongs to an object once, for as long as the object is there. */
export const cached = <Key extends object, Value, Context = void>(
  make: (key: Key, context: Context) => Value,
): ((key: Key, context: Context) => Value) => {
  const known = new WeakMap<Key, Value>()
  return (key, context) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = make(key, context)
    known.set(key, made)
    return made
  }
}
