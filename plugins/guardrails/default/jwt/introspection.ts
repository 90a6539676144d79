import { createBoundedMap } from '#core/bounded-map'
import { type CheckPowers, isRecord, parseJson } from '#kit'
import type { JwtParameters } from './parameters.ts'

type Fields = Readonly<Record<string, unknown>>

/** Tokens whose answers are kept, at most. */
const MAX_KEPT = 1_000

/** Asks a server what a token says (RFC 7662, OAuth 2.0 Token Introspection, October 2015). */
export class Introspection {
  readonly #endpoint: string
  readonly #isJson: boolean
  readonly #keptMs: number
  readonly #toleranceSeconds: number
  /** By the hash of the token. */
  readonly #kept = createBoundedMap<string, { readonly payload: Fields; readonly untilMs: number }>(MAX_KEPT)

  constructor(endpoint: string, { introspectContentType, introspectCacheMaxAge, clockTolerance }: JwtParameters) {
    this.#endpoint = endpoint
    this.#isJson = introspectContentType === 'application/json'
    this.#keptMs = introspectCacheMaxAge * 1_000
    this.#toleranceSeconds = clockTolerance
  }

  /** @throws Error for a token that is not active, and when the server does not say so */
  async payloadOf(token: string, powers: CheckPowers): Promise<Fields> {
    const key = await hashOf(token)
    const kept = this.#kept.get(key)
    const payload = kept !== undefined && Date.now() < kept.untilMs ? kept.payload : await this.#ask(token, powers)
    this.#checkTimes(payload)
    if (this.#keptMs > 0 && payload !== kept?.payload) {
      this.#kept.set(key, { payload, untilMs: Date.now() + this.#keptMs })
    }
    return payload
  }

  async #ask(token: string, powers: CheckPowers): Promise<Fields> {
    const response = await powers.fetch(this.#endpoint, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': this.#isJson ? 'application/json' : FORM },
      body: this.#isJson ? { token } : new URLSearchParams({ token }).toString(),
    })
    if (response.status !== 200) throw new Error(`the server that knows the tokens answered ${response.status}`)
    const payload = parseJson(response.text())
    if (!isRecord(payload) || payload.active !== true) throw new Error('the token is not active')
    return payload
  }

  #checkTimes({ exp, nbf }: Fields): void {
    const now = Date.now() / 1_000
    if (typeof exp === 'number' && now > exp + this.#toleranceSeconds) throw new Error('the token has expired')
    if (typeof nbf === 'number' && now < nbf - this.#toleranceSeconds) throw new Error('the token is not valid yet')
  }
}

const FORM = 'application/x-www-form-urlencoded'

const hashOf = async (token: string): Promise<string> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))).toHex()
