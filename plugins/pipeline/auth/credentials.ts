import type { CallerKeys, GatewayHeaders } from '#kit/slots'

/** Where a client of another style may have put its provider key, after the provider's own header and the bearer. */
const COMMON_KEY_HEADERS = ['x-api-key', 'api-key']

/**
 * Sorts out which header holds the gateway key and which a provider key: `x-gateway-api-key` wins; without it
 * `Authorization` is the gateway key and holds no provider key. A header that repeats the gateway key never counts as
 * a provider key, so the gateway key is never sent on.
 */
export class Credentials implements CallerKeys {
  readonly #headers: Headers
  readonly #authorization: string | undefined
  /** Absent when the call brought none. */
  readonly gatewayKey: string | undefined

  constructor(headers: Headers, gatewayHeaders: GatewayHeaders) {
    this.#headers = headers
    this.#authorization = bearerValue(headers.get('authorization'))
    this.gatewayKey = gatewayHeaders.get('api-key') ?? this.#authorization
  }

  isGatewayKey(value: string): boolean {
    const { gatewayKey } = this
    return gatewayKey !== undefined && gatewayKey !== '' && value.includes(gatewayKey)
  }

  providerKey(keyHeader?: string): string | undefined {
    const own = keyHeader === undefined ? undefined : this.#headers.get(keyHeader)
    if (this.#isProviderKey(own)) return own
    if (this.#isProviderKey(this.#authorization)) return this.#authorization
    for (const name of COMMON_KEY_HEADERS) {
      const value = this.#headers.get(name)
      if (this.#isProviderKey(value)) return value
    }
    return undefined
  }

  #isProviderKey(value: string | undefined | null): value is string {
    return value !== undefined && value !== null && value !== '' && value !== this.gatewayKey
  }
}

/** How nearly all clients write it. */
const BEARER = 'Bearer '

/** The token of `Bearer <token>`; a bare token counts too, as old clients send it. */
const bearerValue = (header: string | null): string | undefined => {
  if (header === null) return undefined
  // `Bearer` alone is what a client with an empty key sends: no token, and not one called so.
  const token = header.startsWith(BEARER) ? header.slice(BEARER.length) : header.replace(/^bearer(?:\s+|$)/i, '')
  const value = token.trim()
  return value === '' ? undefined : value
}
