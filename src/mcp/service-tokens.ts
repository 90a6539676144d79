import { createHash } from 'node:crypto'
import { createBoundedMap } from '../core/bounded-map.ts'
import { isRecord } from '../core/json/record.ts'
import type { Logins } from '../core/logins.ts'
import { UpstreamUnreachable } from '../errors/gateway-error.ts'
import { basicOf } from './basic.ts'

/** A service account at an authorization server: the grant `client_credentials` of OAuth 2.0 (RFC 6749, section 4.4). */
export interface ServiceAccount {
  readonly tokenEndpoint: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scope: string | undefined
  readonly audience: string | undefined
  readonly resource: string | undefined
  readonly method: 'client_secret_post' | 'client_secret_basic'
}

/** Tokens of service accounts, each asked for once and again before it ends. */
export interface ServiceTokens {
  /** @throws UpstreamUnreachable when the server gives none; EgressRefused for one that may not be reached */
  of(account: ServiceAccount): string | Promise<string>
  /** The server behind did not take it: the next call asks for another. @returns false where there was none */
  forget(account: ServiceAccount): boolean
}

interface Kept {
  readonly token: string
  readonly endsAtMs: number
}

const MAX_ACCOUNTS = 1_000
/** Of a token that does not say how long it lives. */
const DEFAULT_SECONDS = 300
/** Milliseconds before its end from which a token is not used any more. */
const MARGIN_MS = 30_000

export const createServiceTokens = (logins: Pick<Logins, 'send'>, now: () => number): ServiceTokens => {
  const kept = createBoundedMap<string, Kept>(MAX_ACCOUNTS)
  const asking = new Map<string, Promise<string>>()
  return {
    of(account) {
      const key = keyOf(account)
      const known = kept.get(key)
      if (known !== undefined && now() < known.endsAtMs - MARGIN_MS) return known.token
      const running = asking.get(key)
      if (running !== undefined) return running
      const started = ask(logins, account)
        .then(({ token, seconds }) => {
          kept.set(key, { token, endsAtMs: now() + seconds * 1000 })
          return token
        })
        .finally(() => asking.delete(key))
      asking.set(key, started)
      return started
    },
    forget: (account) => kept.delete(keyOf(account)),
  }
}

const keyOf = (account: ServiceAccount): string =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(account).sort()))
    .digest('hex')

const ask = async (
  logins: Pick<Logins, 'send'>,
  { tokenEndpoint, clientId, clientSecret, method, ...asked }: ServiceAccount,
): Promise<{ readonly token: string; readonly seconds: number }> => {
  const form = new URLSearchParams({ grant_type: 'client_credentials' })
  for (const [name, value] of Object.entries(asked)) if (value !== undefined) form.set(name, value)
  const headers: Record<string, string> = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
  }
  if (method === 'client_secret_basic') {
    headers.authorization = basicOf(clientId, clientSecret)
  } else {
    form.set('client_id', clientId)
    form.set('client_secret', clientSecret)
  }
  const { status, text } = await logins.send({ method: 'POST', url: tokenEndpoint, headers, body: form.toString() })
  const answer = readAnswer(text)
  const { access_token: token, expires_in: seconds = DEFAULT_SECONDS } = answer
  if (status !== 200 || typeof token !== 'string' || token === '') {
    // What the server says may repeat what it was sent: its word for the error is enough.
    const word = typeof answer.error === 'string' && /^[\w.-]{1,64}$/.test(answer.error) ? ` (${answer.error})` : ''
    throw new UpstreamUnreachable(`The authorization server of the MCP server gave no token: status ${status}${word}.`)
  }
  return { token, seconds: typeof seconds === 'number' && seconds > 0 ? seconds : DEFAULT_SECONDS }
}

const readAnswer = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}
