import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import type { HeaderFields } from '../../core/header-fields.ts'
import type { OutgoingRequest } from '../provider/provider.ts'

/** What requests are signed with. */
export interface AwsKeys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of keys that end: those of a role. */
  readonly sessionToken?: string
}

/** For whom a request is signed. */
export interface SigningScope {
  readonly region: string
  /** Signing name, which may differ from the host's: `bedrock` for `bedrock-runtime`. */
  readonly service: string
}

/** SHA-256, keyed or not, as the signer of AWS asks for it. */
class Sha256 {
  readonly #hash: Hash | Hmac

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret))
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(data))
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest())
  }

  reset(): void {
    throw new Error('A hash is made anew, never reset.')
  }
}

const bytesOf = (data: string | ArrayBuffer | ArrayBufferView): Uint8Array => {
  if (typeof data === 'string') return Buffer.from(data)
  return data instanceof ArrayBuffer
    ? new Uint8Array(data)
    : new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
}

/** Headers that are signed where they are there; the signer adds its own. A proxy may change any other. */
const SIGNED = /^(?:content-type|x-amzn-.*|x-amz-.*)$/

const NO_BODY = new Uint8Array(0)

/** Services that take a path as it is, and a body whose hash nobody has made ("Signature Calculations" of the API reference of S3, read 2026-11-25). */
const PLAIN = 's3'
const UNSIGNED = 'UNSIGNED-PAYLOAD'

/**
 * Signs a request with Signature Version 4: sets `authorization`, `x-amz-date` and, for keys with a token,
 * `x-amz-security-token`. The path is signed as it goes out, encoded once more, as every service but S3 wants it. S3
 * gets any body as it comes: TLS alone protects that on its way.
 * Keys that are derived for a day are kept by the signer, fifty at most.
 * @param at time of the signature; default: now
 * @throws Error for a body that is sent as it comes to another service: its hash is not known
 */
export const signRequest = async (
  headers: HeaderFields,
  keys: AwsKeys,
  { region, service }: SigningScope,
  { method, url, body, isStreamed }: OutgoingRequest,
  at?: Date,
): Promise<void> => {
  const isPlain = service === PLAIN
  if (isStreamed && !isPlain) throw new Error('A body that streams cannot be signed.')
  if (isPlain) headers.set('x-amz-content-sha256', UNSIGNED)
  const { protocol, host, pathname, searchParams } = new URL(url)
  const named: Record<string, string> = { host }
  headers.forEach((value, name) => {
    if (SIGNED.test(name)) named[name] = value
  })
  const signer = new SignatureV4({
    service,
    region,
    credentials: keys,
    sha256: Sha256,
    applyChecksum: false,
    uriEscapePath: !isPlain,
  })
  const signed = await signer.sign(
    {
      method,
      protocol,
      hostname: host,
      path: pathname,
      query: queryOf(searchParams),
      headers: named,
      body: body ?? NO_BODY,
    },
    at === undefined ? {} : { signingDate: at },
  )
  for (const [name, value] of Object.entries<string>(signed.headers)) if (name !== 'host') headers.set(name, value)
}

const queryOf = (search: URLSearchParams): Record<string, string | string[]> => {
  const query: Record<string, string | string[]> = Object.create(null)
  for (const name of new Set(search.keys())) query[name] = search.getAll(name)
  return query
}
