import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { exportJWK, importPKCS8, SignJWT } from 'jose'
import type { SecretBox } from '../secrets/secret-box.ts'
import { newId } from '../store/objects/rows.ts'
import { findSigningKey, keepSigningKey, type SigningKey } from '../store/objects/signing-keys.ts'
import type { Db } from '../store/types.ts'

/** Seconds that a signed identity is good for. */
const SECONDS = 300
const ALGORITHM = 'RS256'
const MODULUS_BITS = 2048
const FIELD = 'private_key'

type Claims = Readonly<Record<string, unknown>>

export interface IdentityKeys {
  /** A token that says who calls, by the key of an organisation, which is made now where there is none. */
  sign(organisationId: string, claims: Claims): Promise<string>
}

interface Ready {
  readonly id: string
  readonly key: CryptoKey
}

export interface IdentityKeysOptions {
  readonly db: Db
  readonly secretBox: Pick<SecretBox, 'seal' | 'open'>
  /** Milliseconds since 1970. */
  readonly now: () => number
}

export const createIdentityKeys = ({ db, secretBox, now }: IdentityKeysOptions): IdentityKeys => {
  const ready = new Map<string, Promise<Ready>>()
  const open = async (organisationId: string): Promise<Ready> => {
    const { id, sealed } = (await findSigningKey(db, organisationId)) ?? (await make(organisationId))
    const text = await secretBox.open(organisationId, id, FIELD, sealed)
    return { id, key: await importPKCS8(text, ALGORITHM) }
  }
  const make = async (organisationId: string): Promise<SigningKey> => {
    const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS })
    const id = newId()
    const text = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const jwk = { ...(await exportJWK(publicKey)), kid: id, alg: ALGORITHM, use: 'sig' }
    return db.transaction(async (transaction) => {
      const sealed = await secretBox.seal(transaction, organisationId, id, FIELD, text)
      return keepSigningKey(transaction, { id, organisationId, publicKey: jwk, sealed })
    })
  }
  return {
    async sign(organisationId, claims) {
      let opening = ready.get(organisationId)
      if (opening === undefined) {
        opening = open(organisationId)
        ready.set(organisationId, opening)
        // Tried again by the next call.
        opening.catch(() => ready.delete(organisationId))
      }
      const { id, key } = await opening
      const seconds = Math.floor(now() / 1000)
      return new SignJWT({ ...claims })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: id })
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + SECONDS)
        .setIssuer('weir')
        .sign(key)
    },
  }
}
