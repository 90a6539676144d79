import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

/** 96 random bits, as NIST SP 800-38D §8.2.2 has it. */
const NONCE_BYTES = 12
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'

/** Bytes that sealing adds. */
export const SEAL_BYTES = NONCE_BYTES + TAG_BYTES

/** Seals answers for a server that others may read or write: an answer opens under its own key alone, and unaltered. */
export interface AnswerSeal {
  seal(key: string, value: Uint8Array): Buffer
  /** Undefined for what was not sealed here, or under another key. */
  open(key: string, sealed: Uint8Array): Uint8Array | undefined
}

/** @param secret 32 bytes that all processes of the installation have */
export const createAnswerSeal = (secret: Uint8Array): AnswerSeal => {
  /** One for each answer: it binds the answer to its key, and no nonce has to last for all of them. */
  const keyOf = (key: string): Buffer => createHmac('sha256', secret).update(key).digest()
  return {
    seal(key, value) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, keyOf(key), nonce, { authTagLength: TAG_BYTES })
      return Buffer.concat([nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()])
    },
    open(key, sealed) {
      if (sealed.length < SEAL_BYTES) return undefined
      const nonce = sealed.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv(CIPHER, keyOf(key), nonce, { authTagLength: TAG_BYTES })
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
      const opened = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES))
      try {
        decipher.final()
      } catch {
        return undefined
      }
      return opened
    },
  }
}
