import type { CallerKeys, GatewayHeaders } from '#kit/slots'

/** Where a client of another style may have put its provider key, after the provider's own header and the bearer. */
const COMMON_KEY_HEADERS = ['x-api-key', 'api-key']

export interface Credentials {
  /** Absent when the call brought none. */
  readonly gatewayKey?: string
  readonly callerKeys: CallerKeys
}

/**
 * Sorts out which header holds the gateway key and which a provider key: `x-gateway-api-key` wins; without it
 * `Authorization` is the gateway key and holds no provider key. A header that repeats the gateway key never counts as
 * a provider key, so the gateway key is never sent on.
 */
export const readCredentials = (headers: Headers, gatewayHeaders: GatewayHeaders): Credentials => {
  const authorization = bearerValue(headers.get('authorization'))
  const explicit = gatewayHeaders.get('api-key')
  const gatewayKey = explicit ?? authorization
  const isProviderKey = (value: string | undefined | null): value is string =>
    value !== undefined && value !== null && value !== '' && value !== gatewayKey
  const callerKeys: CallerKeys = {
    isGatewayKey: (value) => gatewayKey !== undefined && gatewayKey !== '' && value.includes(gatewayKey),
    providerKey(keyHeader) {
      const own = keyHeader === undefined ? undefined : headers.get(keyHeader)
      if (isProviderKey(own)) return own
      if (isProviderKey(authorization)) return authorization
      for (const name of COMMON_KEY_HEADERS) {
        const value = headers.get(name)
        if (isProviderKey(value)) return value
      }
      return undefined
    },
  }
  return gatewayKey === undefined ? { callerKeys } : { gatewayKey, callerKeys }
}

/** The token of `Bearer <token>`; a bare token counts too, as old clients send it. */
const bearerValue = (header: string | null): string | undefined => {
  if (header === null) return undefined
  // `Bearer` alone is what a client with an empty key sends: no token, and not one called so.
  const value = header.replace(/^bearer(?:\s+|$)/i, '').trim()
  return value === '' ? undefined : value
}
