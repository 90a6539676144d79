/** Puts names in the place of what is another in every run: the same value gets the same name. */
export interface Masks {
  apply(value: unknown): unknown
}

/** Values that no pattern could name, by field. */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ['sequence', '<sequence>'],
  ['previous_hash', '<hash>'],
  ['hash', '<hash>'],
  ['created', '<seconds>'],
  ['execution_time', '<milliseconds>'],
  ['password', '<password>'],
  ['client_auth', '<client auth>'],
])

/** Keys of the tests have every scope of their kind. */
const MAX_SCOPES = 20

/**
 * Ids, random ends of slugs, keys and times of this century but its last decade, which sessions use for times of their
 * own.
 */
const CHANGING = [
  ['id', /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi],
  ['key', /weir_[A-Za-z0-9_-]+/g],
  // As JSON writes it.
  ['version', /W\/\\"[0-9a-z]+\\"/g],
  ['invite', /(?<=invite=|"token":")[A-Za-z0-9_-]{43}/g],
  ['webhook secret', /whsec_[A-Za-z0-9+/]{32,}=*/g],
  ['user name', /\bdp_[A-Za-z0-9]{20}\b/g],
  ['masked', /\bwei\*{5}[A-Za-z0-9_-]{3}/g],
  ['end', /(?<=-)[0-9a-f]{6}(?![0-9a-zA-Z])/g],
] as const

const TIME = /20[2-8][0-9]-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?Z/g

/** @param known names of values, such as the ids of the workspaces */
export const createMasks = (known: Readonly<Record<string, string>>): Masks => {
  const names = new Map(Object.entries(known).map(([name, value]) => [value.toLowerCase(), `<${name}>`]))
  const counts = new Map<string, number>()
  const nameFor = (kind: string, value: string): string => {
    // Three characters are all that a masked key shows of the random ones: folded, two keys would now and then look the same.
    const own = kind === 'masked' ? value : value.toLowerCase()
    const found = names.get(own)
    if (found !== undefined) return found
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    names.set(own, `<${kind} ${count}>`)
    return `<${kind} ${count}>`
  }
  const mask = (text: string): string =>
    CHANGING.reduce(
      (masked, [kind, pattern]) => masked.replace(pattern, (value) => nameFor(kind, value)),
      text.replace(TIME, '<time>'),
    )
  return {
    apply: (value) =>
      JSON.parse(mask(JSON.stringify(value)), (key, inner: unknown) => {
        if (inner === 0 || inner === null) return inner
        const isLong = key === 'scopes' && Array.isArray(inner) && inner.length > MAX_SCOPES
        return isLong ? `<${inner.length} scopes>` : (FIELDS.get(key) ?? inner)
      }) as unknown,
  }
}

const USUAL: Readonly<Record<string, RegExp>> = {
  'content-type': /^application\/json$/,
  'x-gateway-request-id': /^[0-9a-f-]{36}$/,
  'x-request-id': /^[0-9a-f-]{36}$/,
  // Those that show one object have both.
  'cache-control': /^(?:no-store)?$/,
  etag: /^(?:"[A-Za-z0-9_-]{43}")?$/,
}

/** Headers that an answer has beside those of every one, or that differ from them. */
export const unusualHeadersOf = (headers: Headers): { readonly headers?: Readonly<Record<string, string | null>> } => {
  const names = new Set([...Object.keys(USUAL), ...headers.keys()])
  const odd = [...names].filter((name) => USUAL[name]?.test(headers.get(name) ?? '') !== true)
  return odd.length === 0 ? {} : { headers: Object.fromEntries(odd.map((name) => [name, headers.get(name)])) }
}
