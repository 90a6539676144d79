import fc from 'fast-check'

/** Any JSON value, shallow enough to be quick. */
export const anyJson = (): fc.Arbitrary<unknown> => fc.jsonValue({ maxDepth: 4 })

/** Names that every object has already: a lookup by a client's word must not find them. */
const INHERITED_NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']

type Change = {
  readonly at: number
  readonly with: unknown
  readonly remove: boolean
  readonly add: string | undefined
}

const change = (): fc.Arbitrary<Change> =>
  fc.record({
    at: fc.nat(),
    with: fc.oneof(fc.constantFrom<unknown>(null, '', 0, -1, true, [], {}, [null], 'text'), anyJson()),
    remove: fc.boolean(),
    add: fc.option(fc.constantFrom(...INHERITED_NAMES), { nil: undefined }),
  })

/** One of the recorded values with up to three places changed: much nearer to what breaks code than random JSON. */
export const mutated = (recorded: readonly unknown[]): fc.Arbitrary<unknown> =>
  recorded.length === 0
    ? anyJson()
    : fc
        .tuple(fc.nat({ max: recorded.length - 1 }), fc.array(change(), { minLength: 1, maxLength: 3 }))
        .map(([index, changes]) => changes.reduce(applyChange, structuredClone(recorded[index])))

const applyChange = (value: unknown, { at, with: replacement, remove, add }: Change): unknown => {
  const places = placesOf(value)
  const place = places[at % places.length]
  // Generated values may be shared between runs, and checks freeze what they get.
  const fresh = structuredClone(replacement)
  if (place === undefined) return fresh
  const { parent, key } = place
  if (Array.isArray(parent)) parent.splice(Number(key), 1, ...(remove ? [] : [fresh]))
  else if (remove) delete parent[key]
  // As JSON.parse does it: a field of its own, whatever it is called.
  else
    Object.defineProperty(parent, add ?? key, {
      value: fresh,
      enumerable: true,
      writable: true,
      configurable: true,
    })
  return value
}

interface Place {
  readonly parent: Record<string, unknown> | unknown[]
  readonly key: string
}

/** Every place in a JSON value that a change can hit. */
const placesOf = (value: unknown): Place[] => {
  if (typeof value !== 'object' || value === null) return []
  const parent = value as Record<string, unknown>
  return Object.keys(parent).flatMap((key) => [{ parent, key }, ...placesOf(parent[key])])
}
