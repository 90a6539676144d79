import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { createBoundedMap } from '../core/bounded-map.ts'
import type { RecordedMessage, SealedBodies } from '../core/records.ts'

/** A key of 256 bits, and the version of what it was made of. */
interface BodyKey {
  readonly version: number
  readonly bytes: Uint8Array
}

/** Where keys come from: those of an organisation, made for a purpose. */
export interface BodyKeys {
  derive(organisationId: string, purpose: string, version?: number): BodyKey | Promise<BodyKey>
}

/** A message as it is read again: its body is text. */
export type OpenedMessage = Omit<RecordedMessage, 'body'> & { readonly body?: string | undefined }

/** Seals the messages of records with a key of their workspace, and opens them again. */
export interface Seals {
  /** Makes the key of a workspace ready. A promise only where the organisation has none in memory. */
  prepare(organisationId: string, workspaceId: string): Promise<void> | undefined
  /** @returns undefined for a workspace that was not prepared */
  seal(
    organisationId: string,
    workspaceId: string,
    recordId: string,
    messages: readonly RecordedMessage[],
  ): Uint8Array | undefined
  /** @throws BodiesUnreadable for what was altered or belongs to another record; whatever the keys throw */
  open(sealed: SealedBodies): Promise<readonly OpenedMessage[]>
}

/** Sealed messages do not open: they were altered, or belong to another record. Says nothing of them. */
export class BodiesUnreadable extends Error {
  override readonly name = 'BodiesUnreadable'
}

/** Keys in memory; one that was forgotten is made again. */
const MAX_KEYS = 10_000

export const createSeals = (keys: BodyKeys): Seals => {
  const sealers = createBoundedMap<string, Sealer>(MAX_KEYS)
  const keyOf = (organisationId: string, workspaceId: string, version?: number): BodyKey | Promise<BodyKey> =>
    keys.derive(organisationId, `bodies of workspace ${workspaceId}`, version)
  const remember = (workspaceId: string, key: BodyKey): Sealer => {
    const sealer = new Sealer(key)
    sealers.set(workspaceId, sealer)
    return sealer
  }

  return {
    prepare(organisationId, workspaceId) {
      if (sealers.get(workspaceId) !== undefined) return undefined
      const key = keyOf(organisationId, workspaceId)
      if (key instanceof Promise) return key.then((found) => void remember(workspaceId, found))
      remember(workspaceId, key)
      return undefined
    },
    seal: (_organisationId, workspaceId, recordId, messages) =>
      sealers.get(workspaceId)?.seal(recordId, written(messages)),
    async open({ organisationId, workspaceId, recordId, sealed }) {
      if (sealed[0] !== FORMAT || sealed.length < HEAD_BYTES + TAG_BYTES) throw unreadable()
      const version = viewOf(sealed).getUint32(1)
      return readMessages(unsealed(await keyOf(organisationId, workspaceId, version), recordId, sealed))
    },
  }
}

/** First byte of what is sealed; the version of the key, the nonce, what is sealed and its tag follow. */
const FORMAT = 1
const NONCE_BYTES = 12
const HEAD_BYTES = 1 + 4 + NONCE_BYTES
const TAG_BYTES = 16
const COUNTER_AT = 8
const LAST_COUNT = 0xffff_ffff

/**
 * Seals with one key. Its nonces are 64 random bits of this sealer and a count (NIST SP 800-38D, section 8.2.1): drawing 96 for
 * each message costs more than the rest of its head.
 */
class Sealer {
  readonly #key: BodyKey
  #nonce = randomBytes(NONCE_BYTES)
  #count = 0

  constructor(key: BodyKey) {
    this.#key = key
  }

  seal(recordId: string, plain: Uint8Array): Uint8Array {
    const nonce = this.#nextNonce()
    const cipher = createCipheriv('aes-256-gcm', this.#key.bytes, nonce, { authTagLength: TAG_BYTES })
    cipher.setAAD(Buffer.from(recordId, 'latin1'))
    const text = cipher.update(plain)
    cipher.final()
    const sealed = Buffer.allocUnsafe(HEAD_BYTES + text.length + TAG_BYTES)
    sealed[0] = FORMAT
    sealed.writeUInt32BE(this.#key.version, 1)
    sealed.set(nonce, 5)
    sealed.set(text, HEAD_BYTES)
    sealed.set(cipher.getAuthTag(), HEAD_BYTES + text.length)
    return sealed
  }

  #nextNonce(): Uint8Array {
    if (this.#count === LAST_COUNT) {
      this.#nonce = randomBytes(NONCE_BYTES)
      this.#count = 0
    }
    this.#nonce.writeUInt32BE(this.#count++, COUNTER_AT)
    return this.#nonce
  }
}

const unsealed = ({ bytes }: BodyKey, recordId: string, sealed: Uint8Array): Buffer => {
  const end = sealed.length - TAG_BYTES
  const decipher = createDecipheriv('aes-256-gcm', bytes, sealed.subarray(5, HEAD_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(recordId, 'latin1'))
  decipher.setAuthTag(sealed.subarray(end))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES, end)), decipher.final()])
  } catch {
    throw unreadable()
  }
}

/** A message without its body, and how many bytes that has. */
type MessageHead = Omit<RecordedMessage, 'body'> & { readonly bytes?: number | undefined }

/** The length of a list of heads, that list as JSON, and the bodies as they are: JSON of them would cost more than the seal. */
const written = (messages: readonly RecordedMessage[]): Uint8Array => {
  const heads = JSON.stringify(messages.map(headOf))
  let most = 4 + 3 * heads.length
  for (const { body } of messages) most += body?.length ?? 0
  const plain = most <= SCRATCH.length ? SCRATCH : Buffer.allocUnsafe(most)
  const length = plain.write(heads, 4)
  plain.writeUInt32BE(length)
  let at = 4 + length
  for (const { body } of messages) {
    if (body === undefined) continue
    plain.set(body, at)
    at += body.length
  }
  return plain.subarray(0, at)
}

/** Where messages of the usual length are put together: sealing copies them. */
const SCRATCH = Buffer.allocUnsafe(64 * 1024)

/** Field by field, each of them named: a copy of what is left of a message costs more. */
const headOf = ({ side, headers, url, method, status, truncated, body }: RecordedMessage): MessageHead =>
  ({ side, headers, url, method, status, truncated, bytes: body?.length }) satisfies Record<keyof MessageHead, unknown>

const readMessages = (plain: Buffer): readonly OpenedMessage[] => {
  let at = 4 + plain.readUInt32BE()
  // What opens was written here.
  const heads: readonly MessageHead[] = JSON.parse(plain.toString('utf8', 4, at))
  return heads.map(({ bytes, ...head }) => {
    if (bytes === undefined) return head
    const body = plain.toString('utf8', at, at + bytes)
    at += bytes
    return { ...head, body }
  })
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength)

const unreadable = (): BodiesUnreadable =>
  new BodiesUnreadable('Bodies of a record cannot be read: they were altered, or copied from another record.')
