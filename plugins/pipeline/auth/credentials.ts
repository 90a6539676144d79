import type { CallerKeyPolicy, CallerKeys } from '#calls/slots'
import { holdsEncoded, holdsKey, isKey } from '#core/key-form'
import type { Provider } from '#kit'
import type { GatewayHeaders } from '#kit/slots'

/** Where clients put their one key, in the order in which it is looked for. */
const KEY_HEADERS = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'] as const

/** Where a client of another style may have put its provider key, after the provider's own header and the bearer. */
const COMMON_KEY_HEADERS = ['x-api-key', 'api-key'] as const

/** Parameters in which clients of Gemini send their key, and those of Azure in a browser. */
const QUERY_KEYS = ['key', 'api-key'] as const

/** What a browser's WebSocket can say of a key (OpenAI's Realtime guide, "Connect with WebSockets"; read 2026-11-22). */
const SUBPROTOCOL = /(?:^|[,\s])openai-insecure-api-key\.([^,\s]+)/

/** Shorter texts are no key: nobody can have one (see `key-material.ts` of the store). */
const SHORTEST_KEY = 32

type Fields = Readonly<Record<string, string>>

/**
 * Sorts out which header holds the gateway key and which a provider key. `x-gateway-api-key` is always the gateway key.
 * Without it, a key of Weir's own form is, wherever it stands; else the first that turns out to be known. A value that is
 * or holds a gateway key never counts as a provider key, so it is never sent on.
 */
export class Credentials implements CallerKeys {
  readonly #fields: Fields
  readonly #search: string
  readonly policy: CallerKeyPolicy | undefined
  /** The texts that may be the gateway key, likeliest first: to be looked up in this order. Empty when the call brought none. */
  readonly candidates: readonly string[]
  #gatewayKey: string | undefined

  /**
   * @param fields all headers of the call, by their names in lower case
   * @param search the query as the client wrote it, with its `?`
   */
  constructor(fields: Fields, gatewayHeaders: GatewayHeaders, search: string, policy?: CallerKeyPolicy) {
    this.#fields = fields
    this.#search = search
    this.policy = policy
    const named = gatewayHeaders.get('api-key')
    this.candidates = named === undefined ? carriedKeys(fields, search) : [named]
    this.#gatewayKey = this.candidates[0]
  }

  /** @param key the candidate that turned out to be known */
  settle(key: string): void {
    this.#gatewayKey = key
  }

  /** The candidate that turned out to be known. */
  get settled(): string | undefined {
    return this.#gatewayKey
  }

  repeatsGatewayKey(text: string): boolean {
    const key = this.#gatewayKey
    return key !== undefined && key !== '' && text.includes(key)
  }

  isGatewayKey(text: string): boolean {
    if (this.repeatsGatewayKey(text) || holdsKey(text)) return true
    const key = this.#gatewayKey
    // What is of Weir's form was looked for in every encoding.
    if (key === undefined || key.length < SHORTEST_KEY || isKey(key)) return false
    return holdsEncoded(text, (decoded) => decoded.includes(key))
  }

  providerKey({ keyHeader, keyParameter }: Pick<Provider, 'keyHeader' | 'keyParameter'>): string | undefined {
    const fields = this.#fields
    const own = keyHeader === undefined ? undefined : fields[keyHeader]
    if (this.#isProviderKey(own)) return own
    const inQuery = keyParameter === undefined ? undefined : readQuery(this.#search, keyParameter)
    if (this.#isProviderKey(inQuery)) return inQuery
    const bearer = withoutBearer(fields.authorization)
    if (this.#isProviderKey(bearer)) return bearer
    for (const name of COMMON_KEY_HEADERS) {
      const value = fields[name]
      if (this.#isProviderKey(value)) return value
    }
    return undefined
  }

  #isProviderKey(value: string | undefined): value is string {
    return value !== undefined && value !== '' && !this.isGatewayKey(value)
  }
}

const carriedKeys = (fields: Fields, search: string): readonly string[] => {
  const found: string[] = []
  for (const name of KEY_HEADERS) {
    const value = withoutBearer(fields[name])
    if (value === undefined) continue
    if (isKey(value)) return [value]
    if (!found.includes(value)) found.push(value)
  }
  const inQuery = QUERY_KEYS.map((name) => readQuery(search, name))
  for (const value of [...inQuery, SUBPROTOCOL.exec(fields['sec-websocket-protocol'] ?? '')?.[1]]) {
    if (value === undefined || value === '') continue
    if (isKey(value)) return [value]
    if (!found.includes(value)) found.push(value)
  }
  return found
}

const readQuery = (search: string, name: string): string | undefined =>
  search.includes(`${name}=`) ? (new URLSearchParams(search).get(name) ?? undefined) : undefined

/** How nearly all clients write it. */
const BEARER = 'Bearer '

/** The token of `Bearer <token>`; a bare token counts too, as old clients send it. */
const withoutBearer = (header: string | undefined): string | undefined => {
  if (header === undefined) return undefined
  // `Bearer` alone is what a client with an empty key sends: no token, and not one called so.
  const token = header.startsWith(BEARER) ? header.slice(BEARER.length) : header.replace(/^bearer(?:\s+|$)/i, '')
  const value = token.trim()
  return value === '' ? undefined : value
}
