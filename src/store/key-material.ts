import { randomBytes, timingSafeEqual } from 'node:crypto'
import { isApiKey, KEY_PREFIX, PUBLIC_ID_LENGTH, SECRET_LENGTH } from '../core/key-form.ts'

/** What is kept of a key. */
export interface KeyDescription {
  /** Finds the key among the stored ones; not secret. */
  readonly publicId: string
  /** SHA-256 of the whole key, hex. Keys carry 256 random bits, or are chosen by the operator: no slow hash is needed. */
  readonly hash: string
  /** For people: first and last three characters. */
  readonly masked: string
}

export interface NewApiKey extends KeyDescription {
  /** To be shown once and never stored. */
  readonly key: string
}

/** The shortest string that is accepted as a key. */
export const MINIMUM_KEY_LENGTH = 32
/** The longest: a bound on the work that a request without a valid key can cause. */
export const MAXIMUM_KEY_LENGTH = 512

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A new random key: `weir_<public id>_<secret>`, letters and digits only, so that a double click selects each part. */
export const createApiKey = (): NewApiKey => {
  const key = `${KEY_PREFIX}${randomText(PUBLIC_ID_LENGTH)}_${randomText(SECRET_LENGTH)}`
  return { key, ...describeKey(key) }
}

/**
 * What is kept of a key, computed on each request. A key that is not of our making has no public id inside: it gets one
 * of 13 characters from its own hash, which the 12 of ours cannot equal.
 * @throws RangeError when the key is shorter than `MINIMUM_KEY_LENGTH`; the message does not hold it
 */
export const describeKey = (key: string): KeyDescription => {
  if (key.length < MINIMUM_KEY_LENGTH) throw new RangeError(`A key has at least ${MINIMUM_KEY_LENGTH} characters.`)
  return {
    publicId: isApiKey(key) ? key.slice(KEY_PREFIX.length, KEY_PREFIX.length + PUBLIC_ID_LENGTH) : derivedPublicId(key),
    hash: hashKey(key),
    masked: `${key.slice(0, 3)}*****${key.slice(-3)}`,
  }
}

/** `hash` of a key alone. */
export const hashKey = (key: string): string => sha256(key)

/** Whether two hashes are equal, in a time that does not tell how much of them is. */
export const sameHash = (left: string, right: string): boolean => {
  const [leftBytes, rightBytes] = [Buffer.from(left), Buffer.from(right)]
  return leftBytes.length === rightBytes.length && timingSafeEqual(leftBytes, rightBytes)
}

const derivedPublicId = (key: string): string => `x${sha256(`weir-public-id:${key}`).slice(0, 12)}`

const sha256 = (text: string): string => Bun.CryptoHasher.hash('sha256', text, 'hex')

/** Letters and digits, each as likely as any other: 43 of them carry 256 random bits. */
export const randomText = (length: number): string => {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // Bytes past the last whole multiple of 62 would make the first letters more likely.
      if (byte < 248 && text.length < length) text += ALPHABET.charAt(byte % ALPHABET.length)
    }
  }
  return text
}
