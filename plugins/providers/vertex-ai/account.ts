import { isRecord, parseJson, UnsupportedConfig } from '#kit'

/** A key file of a service account. */
export interface ServiceAccount {
  readonly email: string
  readonly privateKey: string
  readonly keyId: string | undefined
  readonly projectId: string | undefined
  /** Which account and key it is, without the key. */
  readonly identity: readonly string[]
}

/** Accounts read lately: each call brings the same text again. */
const MAX_KNOWN = 200
const known = new Map<string, ServiceAccount>()

/**
 * The account of a key file.
 * @throws UnsupportedConfig for a text that is none. Other kinds of credentials name addresses and files, which are not for a call to say
 */
export const accountOf = (json: string): ServiceAccount => {
  const found = known.get(json)
  if (found !== undefined) return found
  const account = readAccount(parsed(json))
  if (account === undefined) {
    throw new UnsupportedConfig(
      'The key file must be the JSON of a service account: `type`, `client_email` and `private_key`.',
      { param: 'vertex_service_account_json' },
    )
  }
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(json, account)
  return account
}

export const readAccount = (file: Readonly<Record<string, unknown>>): ServiceAccount | undefined => {
  const { type, client_email: email, private_key: privateKey, private_key_id: keyId, project_id: projectId } = file
  if (type !== 'service_account' || typeof email !== 'string' || typeof privateKey !== 'string') return undefined
  return {
    email,
    privateKey,
    keyId: typeof keyId === 'string' ? keyId : undefined,
    projectId: typeof projectId === 'string' ? projectId : undefined,
    identity: ['service_account', email, Bun.CryptoHasher.hash('sha256', privateKey, 'base64')],
  }
}

const parsed = (json: string): Readonly<Record<string, unknown>> => {
  try {
    const value = parseJson(json)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}
