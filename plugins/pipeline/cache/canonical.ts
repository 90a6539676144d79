import { isRecord } from '#kit'

/** JSON with the keys of every object in one order, so that equal values have equal texts. */
export const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, item]) => `${JSON.stringify(name)}:${canonical(item)}`)
  return `{${fields.join(',')}}`
}

/** SHA-256 of the canonical form, as 64 hexadecimal digits. */
export const fingerprint = (value: unknown): string =>
  new Bun.CryptoHasher('sha256').update(canonical(value)).digest('hex')

/** True when a number is too large to be told from its neighbours: bodies that differ in it look the same once parsed. */
export const hasInexactNumber = (value: unknown): boolean => {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER
  if (Array.isArray(value)) return value.some(hasInexactNumber)
  return isRecord(value) && Object.values(value).some(hasInexactNumber)
}
