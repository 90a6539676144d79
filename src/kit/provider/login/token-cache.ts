import { createBoundedMap } from '../../../core/bounded-map.ts'
import type { Clock, Logger } from '../../../core/ports.ts'
import { GatewayError } from '../../../errors/gateway-error.ts'

/** What a login gave, and how long it is good for. */
export interface Login<Value> {
  readonly value: Value
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number
}

/** Logins that are good for a while, so that calls do not wait for them. */
export interface TokenCache<Value> {
  /**
   * What a login gives: at once where a token is at hand, which is all but the first call. One that is about to end is
   * renewed while calls go on with it; however many calls wait for a login, it is made once.
   * @param identity all that decides which token it is: kind of login, account, secret, scope. Kept as a hash alone.
   * @throws the error of the login; for a moment, also to those who come later
   */
  get(identity: readonly string[], login: () => Promise<Login<Value>>): Value | Promise<Value>
  /** The provider refused it: the next call logs in anew, unless that was done a moment ago. */
  refused(identity: readonly string[]): void
}

/** Logins kept at once; those that were not used for longest go first. */
const MAX_LOGINS = 1_000
/**
 * Milliseconds before its end when a token is renewed; for a short one, a third of its life. Metadata services give the old
 * one until 5 minutes before (GCP and AWS document so), and Azure's SDK renews 5 minutes before too.
 */
const RENEW_MS = 4 * 60_000
/** Milliseconds before its end when a token is not sent any more: it has to arrive. */
const ARRIVAL_MS = 10_000
/** Milliseconds between two tries to renew a token that is still good. */
const RENEW_AGAIN_MS = 15_000
/** Milliseconds for which a login that was refused is not tried again, and one whose service did not answer. */
const REFUSED_MS = 5_000
const AWAY_MS = 1_000
/** Milliseconds that a token is held to be good although the provider refused it: a refusal may have another reason. */
const FRESH_MS = 60_000

interface Entry<Value> {
  /** The last one that was good. */
  login: Login<Value> | undefined
  /** When it is renewed, in milliseconds since 1970. */
  renewAtMs: number
  /** When it is not good any more. */
  endsAtMs: number
  madeAtMs: number
  pending: Promise<Value> | undefined
  failed: { readonly error: unknown; readonly untilMs: number } | undefined
}

export interface TokenCacheOptions {
  /** Id of the provider, for the log. */
  readonly provider: string
  readonly clock: Pick<Clock, 'now'>
  readonly log: Pick<Logger, 'warn'>
}

export const createTokenCache = <Value>({ provider, clock, log }: TokenCacheOptions): TokenCache<Value> => {
  const entries = createBoundedMap<string, Entry<Value>>(MAX_LOGINS)

  const start = (entry: Entry<Value>, login: () => Promise<Login<Value>>): Promise<Value> => {
    const pending = attempt(login).then(
      (made) => {
        keep(entry, made, clock.now())
        return made.value
      },
      (error: unknown) => {
        const nowMs = clock.now()
        entry.pending = undefined
        entry.renewAtMs = nowMs + RENEW_AGAIN_MS
        entry.failed = { error, untilMs: nowMs + (isRefusal(error) ? REFUSED_MS : AWAY_MS) }
        log.warn('a login at a provider failed', {
          provider,
          error: error instanceof Error ? error.message : 'unknown',
        })
        throw error
      },
    )
    entry.pending = pending
    return pending
  }

  return {
    get(identity, login) {
      const key = keyOf(identity)
      const nowMs = clock.now()
      const entry = entries.get(key) ?? NOTHING()
      if (entry.login !== undefined && nowMs < entry.endsAtMs) {
        // Whoever waits for none of it does not hear of a failure: the log does.
        if (nowMs >= entry.renewAtMs && entry.pending === undefined) start(entry, login).catch(() => undefined)
        return entry.login.value
      }
      if (entry.pending !== undefined) return entry.pending
      if (entry.failed !== undefined && nowMs < entry.failed.untilMs) throw entry.failed.error
      entries.set(key, entry)
      return start(entry, login)
    },
    refused(identity) {
      const entry = entries.peek(keyOf(identity))
      if (entry !== undefined && clock.now() - entry.madeAtMs >= FRESH_MS) entry.endsAtMs = 0
    },
  }
}

/** Also a login that throws at once is one that failed. */
const attempt = async <Value>(login: () => Promise<Login<Value>>): Promise<Login<Value>> => login()

const keep = <Value>(entry: Entry<Value>, made: Login<Value>, nowMs: number): void => {
  const lifeMs = made.expiresAtMs - nowMs
  entry.login = made
  entry.madeAtMs = nowMs
  entry.endsAtMs = made.expiresAtMs - Math.min(ARRIVAL_MS, lifeMs / 10)
  entry.renewAtMs = made.expiresAtMs - Math.min(RENEW_MS, lifeMs / 3)
  entry.pending = undefined
  entry.failed = undefined
}

const NOTHING = <Value>(): Entry<Value> => ({
  login: undefined,
  renewAtMs: 0,
  endsAtMs: 0,
  madeAtMs: 0,
  pending: undefined,
  failed: undefined,
})

/** No text of it can be read from the key, and no two identities share one. */
const keyOf = (identity: readonly string[]): string =>
  Bun.CryptoHasher.hash('sha256', JSON.stringify(identity), 'base64')

/** The service has answered: it will say so again. */
const isRefusal = (error: unknown): boolean => error instanceof GatewayError && error.status < 500
