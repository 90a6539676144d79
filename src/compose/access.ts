import type { OperatorConfig } from '../config/schema.ts'
import { collect } from '../core/bodies/answer.ts'
import { defined } from '../core/defined.ts'
import type { StoredGuardrails } from '../core/guardrails.ts'
import type { Clock, Deadlines, Logger, StoredConfigs, StoredPrompts, Upstream } from '../core/ports.ts'
import type { StoredPrices } from '../core/prices.ts'
import { errorFields } from '../errors/error-fields.ts'
import { StoreUnavailable } from '../errors/gateway-error.ts'
import type { FoundKey, KeyDirectory, StoredProviders } from '../kit/plugin.ts'
import type { Actors } from '../management/actor.ts'
import { openConfig } from '../management/configs/secrets.ts'
import { createStoredPrices } from '../management/providers/stored-prices.ts'
import { createStoredProviders } from '../management/providers/stored-providers.ts'
import { createAccessTokens } from '../management/tokens/access-tokens.ts'
import { createActors } from '../management/tokens/actors.ts'
import { createExternalTokens, type ExternalTokens } from '../management/tokens/jwt.ts'
import { createKeysById } from '../management/tokens/keys-by-id.ts'
import { createOAuthHandler } from '../management/tokens/oauth-handler.ts'
import { createWorkspaceDirectory } from '../management/tokens/workspace-directory.ts'
import { openSecretBox, type SecretBox } from '../secrets/secret-box.ts'
import type { Store } from '../store/db.ts'
import { StoreUnavailable as StoreAway } from '../store/errors.ts'
import { createConfigSnapshot } from '../store/memory/config-snapshot.ts'
import { createGuardrailSnapshot } from '../store/memory/guardrail-snapshot.ts'
import { createKeyCache } from '../store/memory/key-cache.ts'
import { createPromptSnapshot } from '../store/memory/prompt-snapshot.ts'
import { createProviderSnapshot } from '../store/memory/provider-snapshot.ts'
import { createResolver } from '../upstream/resolver.ts'
import { createTrustedHosts } from '../upstream/trusted-hosts.ts'
import { createUpstream } from '../upstream/upstream.ts'
import { loadOwnMasterKeys, type Surroundings } from './own-store.ts'

/** Largest JWKS document, in bytes. */
const MAX_JWKS_BYTES = 1024 * 1024
/** The issuer is asked at most this long; its keys are kept when it is away. */
const JWKS_DEADLINES: Deadlines = { connectMs: 3_000, firstByteMs: 5_000, idleMs: 5_000, totalMs: 10_000 }
const RESOLVE_TIMEOUT_MS = 5_000

/** Who may do what, and with which stored credentials: everything between the store and the two planes. */
export interface Access {
  readonly keys: KeyDirectory
  readonly stored: StoredProviders
  readonly storedPrices: StoredPrices
  readonly configs: StoredConfigs
  readonly guardrails: StoredGuardrails
  readonly prompts: StoredPrompts
  readonly actors: Actors
  /** A stored key by its id, for a dry run. */
  readonly findKey: (id: string) => Promise<FoundKey | undefined>
  readonly secretBox: SecretBox
  /** `POST /oauth/token` */
  readonly exchangeToken: (request: Request) => Promise<Response>
  close(): Promise<void>
}

export interface AccessOptions {
  readonly surroundings: Surroundings
  readonly config: OperatorConfig
  readonly clock: Clock
  readonly log: Logger
  readonly randomId: () => string
}

/** @throws StoreUnavailable, MasterKeyRefused, ConfigError */
export const openAccess = async (store: Store, options: AccessOptions): Promise<Access> => {
  const { surroundings, config, clock, log, randomId } = options
  const masterKeys = await loadOwnMasterKeys(surroundings, store)
  const secretBox = await openSecretBox(store.db, masterKeys)
  const onError = (error: unknown): void =>
    log.warn('the database could not be followed; what was read last stays in use', errorFields(error))
  const monotonicMs = (): number => clock.monotonicMs()
  const keyCache = await createKeyCache(store, { onError, now: clock.now, monotonicMs })
  const keysById = await createKeysById(store, { onError, monotonicMs })
  const snapshot = await createProviderSnapshot(store, { onError })
  const configs = await createConfigSnapshot(store, { onError, open: (sealed) => openConfig(secretBox, sealed) })
  const guardrails = await createGuardrailSnapshot(store, { onError })
  const prompts = await createPromptSnapshot(store, { onError })
  const workspaces = config.jwt === undefined ? undefined : await createWorkspaceDirectory(store, onError)
  const upstream = issuerUpstream(config, clock)
  const jwt = externalTokens(config, { fetchJson: (url) => fetchJson(upstream, url), clock, log })
  const tokens = createAccessTokens({ masterKeys, clock, randomId })
  const actors = createActors(defined({ keys: keyCache, keysById, tokens, clock, jwt, workspaces }))
  return {
    keys: { find: (token) => forCalls(() => actors.findPrincipal(token)) },
    stored: createStoredProviders({ snapshot, secretBox, now: clock.now }),
    storedPrices: createStoredPrices(snapshot),
    configs,
    guardrails,
    prompts,
    actors,
    findKey: async (id) => actors.findKey(id),
    secretBox,
    exchangeToken: createOAuthHandler({ keys: keyCache, tokens, clock, log }),
    async close() {
      upstream.close()
      await Promise.allSettled([
        keyCache.close(),
        keysById.close(),
        snapshot.close(),
        configs.close(),
        guardrails.close(),
        prompts.close(),
        workspaces?.close(),
      ])
    },
  }
}

/** Keys of an issuer come from the operator's own URLs, through the same guard as every outgoing call. */
const issuerUpstream = ({ egress }: OperatorConfig, clock: Clock): Upstream & { close(): void } => {
  const now = (): number => clock.monotonicMs()
  return createUpstream({
    resolver: createResolver({ now, timeoutMs: RESOLVE_TIMEOUT_MS }),
    trusted: createTrustedHosts(egress.trustedHosts),
    now,
  })
}

const fetchJson = async (upstream: Upstream, url: string): Promise<unknown> => {
  const response = await upstream.send({
    method: 'GET',
    url,
    headers: new Headers({ accept: 'application/json' }),
    signal: new AbortController().signal,
    deadlines: JWKS_DEADLINES,
  })
  const bytes = await collect(response.body, MAX_JWKS_BYTES)
  if (response.status !== 200) throw new Error(`the issuer answered with status ${response.status}`)
  return JSON.parse(new TextDecoder().decode(bytes))
}

const externalTokens = (
  { jwt }: OperatorConfig,
  options: Parameters<typeof createExternalTokens>[1],
): ExternalTokens | undefined => (jwt === undefined ? undefined : createExternalTokens(jwt, options))

/** A store that is away is a 503 for a call, and never a key that is not known. */
const forCalls = <Found>(find: () => Found | Promise<Found>): Found | Promise<Found> => {
  try {
    const found = find()
    return found instanceof Promise ? found.catch((thrown: unknown) => Promise.reject(unavailable(thrown))) : found
  } catch (thrown) {
    throw unavailable(thrown)
  }
}

const unavailable = (thrown: unknown): unknown =>
  thrown instanceof StoreAway
    ? new StoreUnavailable('The gateway key cannot be checked now: the database does not answer.', {
        cause: thrown,
        retryAfterMs: 1000,
      })
    : thrown
