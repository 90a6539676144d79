import { createHash, hkdfSync } from 'node:crypto'
import { MasterKeyRefused } from './errors.ts'

/** The shortest text that is taken for a passphrase, in characters. */
export const MINIMUM_PASSPHRASE_LENGTH = 32

/** The key that wraps all data keys. What it is made of never leaves it. */
export class MasterKey {
  /** Tells master keys apart; says nothing about the key. */
  readonly id: string
  readonly #bytes: Uint8Array

  /** @param bytes 32 of them */
  constructor(bytes: Uint8Array) {
    if (bytes.length !== 32) throw new RangeError('A master key has 32 bytes.')
    this.#bytes = bytes
    this.id = this.derive('id').toString('hex', 0, 8)
  }

  /** A 256-bit key of its own for each purpose (HKDF-SHA256): knowing one does not lead to another. */
  derive(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#bytes, '', `weir ${purpose}`, 32))
  }

  toJSON(): string {
    return `[master key ${this.id}]`
  }
}

/** The master key, and while it is being replaced the one before. */
export interface MasterKeys {
  readonly current: MasterKey
  readonly previous?: MasterKey
}

/**
 * Reads a master key as an operator writes it: 32 bytes as 64 hexadecimal digits or as base64 (43 characters, or 44 with
 * the `=`; base64url too), or else a passphrase of at least 32 characters, of which the SHA-256 is taken. A passphrase
 * is not stretched: it should be a random one. Spaces around it are not part of it.
 * @param variable named in the message
 * @throws MasterKeyRefused
 */
export const parseMasterKey = (text: string, variable: string): MasterKey => {
  const trimmed = text.trim()
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return new MasterKey(Buffer.from(trimmed, 'hex'))
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return new MasterKey(Buffer.from(trimmed, 'base64'))
  if (trimmed.length >= MINIMUM_PASSPHRASE_LENGTH) return new MasterKey(createHash('sha256').update(trimmed).digest())
  throw new MasterKeyRefused(
    `${variable} has ${trimmed.length} characters. It needs 32 random bytes as base64 or hex (\`openssl rand -base64 32\`), or a passphrase of at least ${MINIMUM_PASSPHRASE_LENGTH} characters.`,
  )
}
