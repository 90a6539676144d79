import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { SecretUnreadable } from './errors.ts'

/** A 256-bit key of one organisation, or one made from the master key (then version 1). */
export interface SealingKey {
  /** From 1. */
  readonly version: number
  readonly bytes: Uint8Array
}

/** What a sealed text belongs to: it opens nowhere else. */
export type SealContext = readonly string[]

const FORMAT = 'v1'
/** 96 random bits, as NIST SP 800-38D §8.2.2 has it; good for 2^32 texts a key, far past what an organisation stores. */
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts with AES-256-GCM.
 * @returns `v1.<key version>.<nonce>.<ciphertext and tag>`, the last two in base64url
 */
export const seal = ({ version, bytes }: SealingKey, context: SealContext, plaintext: string | Uint8Array): string => {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', bytes, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(associatedData(version, context))
  const sealed = Buffer.concat([cipher.update(toBytes(plaintext)), cipher.final(), cipher.getAuthTag()])
  return [FORMAT, version, nonce.toString('base64url'), sealed.toString('base64url')].join('.')
}

/** @throws SecretUnreadable unless the text was sealed with this key in this context and is unaltered */
export const open = ({ version, bytes }: SealingKey, context: SealContext, sealed: string): Buffer => {
  const parts = parse(sealed)
  if (parts.version !== version) throw unreadable()
  const ciphertext = parts.body.subarray(0, -TAG_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', bytes, parts.nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(associatedData(version, context))
  decipher.setAuthTag(parts.body.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(ciphertext), decipher.final()])
  } catch {
    throw unreadable()
  }
}

/** The version of the key that a text was sealed with. @throws SecretUnreadable for what is no sealed text */
export const versionOf = (sealed: string): number => parse(sealed).version

interface Parts {
  readonly version: number
  readonly nonce: Buffer
  readonly body: Buffer
}

const parse = (sealed: string): Parts => {
  const [format, version, nonce, body, ...rest] = sealed.split('.')
  if (format !== FORMAT || version === undefined || nonce === undefined || body === undefined || rest.length > 0) {
    throw unreadable()
  }
  if (!/^[1-9][0-9]{0,8}$/.test(version)) throw unreadable()
  const parts = { version: Number(version), nonce: decode(nonce), body: decode(body) }
  if (parts.nonce.length !== NONCE_BYTES || parts.body.length < TAG_BYTES) throw unreadable()
  return parts
}

/** Only the one spelling that encoding gives: decoding alone would look past strange characters and spare bits. */
const decode = (text: string): Buffer => {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.toString('base64url') !== text) throw unreadable()
  return bytes
}

const associatedData = (version: number, context: SealContext): Buffer =>
  Buffer.from(JSON.stringify([FORMAT, version, ...context]))

const toBytes = (plaintext: string | Uint8Array): Uint8Array =>
  typeof plaintext === 'string' ? Buffer.from(plaintext) : plaintext

const unreadable = (): SecretUnreadable =>
  new SecretUnreadable('A stored secret cannot be read: it was altered, or copied from another record.')
