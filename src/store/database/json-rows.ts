/** Half a surrogate pair or a NUL, as JSON writes them. */
const UNTAKEN = /\\u(?:0000|d[89a-f])/
const NULS = /\0/g

/**
 * Rows as one text of JSON, which is one parameter however many there are. Postgres takes no NUL in a text and no half of a
 * surrogate pair: each becomes U+FFFD. They are rare, so only looked for in the whole.
 */
export const toJson = (rows: readonly unknown[]): string => {
  const text = JSON.stringify(rows)
  return UNTAKEN.test(text) ? JSON.stringify(cleaned(rows)) : text
}

const cleaned = (value: unknown): unknown => {
  if (typeof value === 'string') return value.toWellFormed().replace(NULS, '\ufffd')
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [cleaned(key), cleaned(inner)]))
}
