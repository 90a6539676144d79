import * as oidc from 'openid-client'
import type { SignInIssuer } from '../../config/sign-in.ts'
import type { Clock, Logger, Upstream } from '../../core/ports.ts'
import { createIssuerAsking } from './ask-issuer.ts'
import { issuerTrouble, troubleFields } from './trouble.ts'

/** An issuer that was discovered: what the operator says of it, and what it says of itself. */
export interface Issuer {
  readonly settings: SignInIssuer
  readonly client: oidc.Configuration
}

export interface Issuers {
  readonly list: readonly SignInIssuer[]
  /**
   * Discovers an issuer, at most once an hour. One that was found before is kept while it is away.
   * @returns undefined for one that is not listed
   * @throws ManagementUnavailable when it does not answer, or is not what the settings say
   */
  find(id: string): Promise<Issuer | undefined>
}

export interface IssuersOptions {
  readonly upstream: Upstream
  /** Whether the operator trusts a private host, which alone may do without https. */
  readonly isTrusted: (host: URL) => boolean
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly log: Pick<Logger, 'warn'>
}

/** What an issuer says of itself is asked for anew. */
const RENEW_MS = 3_600_000
/** Between two tries while it fails. */
const RETRY_MS = 5_000
/** Seconds for one request of the library. */
const TIMEOUT_SECONDS = 10

interface Known {
  issuer?: Issuer
  /** When it was last tried. */
  triedAtMs: number
  failure?: unknown
  running?: Promise<void>
}

export const createIssuers = (list: readonly SignInIssuer[], options: IssuersOptions): Issuers => {
  const { clock, log } = options
  const send = createIssuerAsking(options.upstream)
  const known = new Map<string, Known>(list.map(({ id }) => [id, { triedAtMs: Number.NEGATIVE_INFINITY }]))

  const discover = async (settings: SignInIssuer, entry: Known): Promise<void> => {
    entry.triedAtMs = clock.monotonicMs()
    try {
      entry.issuer = { settings, client: await configure(settings, send, options) }
      delete entry.failure
    } catch (thrown) {
      entry.failure = issuerTrouble(settings, thrown)
      log.warn('an issuer of sign-ins cannot be used', { issuer: settings.id, ...troubleFields(thrown) })
    } finally {
      delete entry.running
    }
  }

  return {
    list,
    async find(id) {
      const settings = list.find((each) => each.id === id)
      const entry = known.get(id)
      if (settings === undefined || entry === undefined) return undefined
      const ageMs = clock.monotonicMs() - entry.triedAtMs
      if (entry.running === undefined && ageMs >= (entry.failure === undefined ? RENEW_MS : RETRY_MS)) {
        entry.running = discover(settings, entry)
      }
      if (entry.issuer === undefined) await entry.running
      if (entry.issuer === undefined) throw entry.failure
      return entry.issuer
    },
  }
}

/** @throws what the library throws, and Error in words for the log */
const configure = async (
  settings: SignInIssuer,
  send: oidc.CustomFetch,
  { isTrusted }: IssuersOptions,
): Promise<oidc.Configuration> => {
  const address = new URL(settings.issuer)
  const isPlain = address.protocol === 'http:'
  if (isPlain && !isTrusted(address)) throw new Error('an issuer without https must be in egress.trustedHosts')
  const { clientSecret } = settings
  const client = await oidc.discovery(address, settings.clientId, {}, authenticateBy(clientSecret), {
    [oidc.customFetch]: send,
    timeout: TIMEOUT_SECONDS,
    // The signature of each ID token is checked, although it comes from the issuer itself.
    execute: [oidc.enableNonRepudiationChecks, ...(isPlain ? [oidc.allowInsecureRequests] : [])],
  })
  // To the letter: the library lets the issuers of many tenants pass, where anybody can have anybody's address.
  if (client.serverMetadata().issuer !== settings.issuer)
    throw new Error('the issuer has another name than signIn says')
  return client
}

/** As the issuer wants it: HTTP Basic unless it says otherwise (OpenID Connect Discovery 1.0, section 3). */
const authenticateBy = (secret: string | undefined): oidc.ClientAuth => {
  if (secret === undefined) return oidc.None()
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest)
  }
}
