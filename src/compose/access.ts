import type { OperatorConfig } from '../config/schema.ts'
import { defined } from '../core/defined.ts'
import type { StoredGuardrails } from '../core/guardrails.ts'
import type { Metrics } from '../core/metrics.ts'
import type { Clock, Logger, StoredConfigs, StoredPrompts } from '../core/ports.ts'
import type { StoredPrices } from '../core/prices.ts'
import { errorFields } from '../errors/error-fields.ts'
import { StoreUnavailable } from '../errors/gateway-error.ts'
import type { FoundKey, KeyDirectory, StoredProviders } from '../kit/plugin.ts'
import type { Actors } from '../management/actor.ts'
import { openConfig } from '../management/configs/secrets.ts'
import { revealHeaders } from '../management/guardrails/secrets.ts'
import { createStoredPrices } from '../management/providers/stored-prices.ts'
import { createStoredProviders, type StoredProvidersOptions } from '../management/providers/stored-providers.ts'
import { sealedAuthField } from '../management/secret-references/service.ts'
import { createAccessTokens } from '../management/tokens/access-tokens.ts'
import { createActors } from '../management/tokens/actors.ts'
import { createAppTokens } from '../management/tokens/app-tokens.ts'
import { createGrantsById } from '../management/tokens/grants-by-id.ts'
import { createExternalTokens, type ExternalTokens } from '../management/tokens/jwt.ts'
import { createKeysById } from '../management/tokens/keys-by-id.ts'
import { createOAuthHandler } from '../management/tokens/oauth-handler.ts'
import { createWorkspaceDirectory, type WorkspaceDirectory } from '../management/tokens/workspace-directory.ts'
import type { ReadSecret } from '../secret-managers/manager.ts'
import { createSecretReferences, type SecretReferences } from '../secret-managers/secret-references.ts'
import { openSecretBox, type SecretBox } from '../secrets/secret-box.ts'
import type { Store } from '../store/db.ts'
import { StoreUnavailable as StoreAway } from '../store/errors.ts'
import { createConfigSnapshot } from '../store/memory/config-snapshot.ts'
import { createGuardrailSnapshot } from '../store/memory/guardrail-snapshot.ts'
import { createKeyCache } from '../store/memory/key-cache.ts'
import { createPeopleSnapshot, type PeopleSnapshot } from '../store/memory/people-snapshot.ts'
import { createPromptSnapshot } from '../store/memory/prompt-snapshot.ts'
import { createProviderSnapshot } from '../store/memory/provider-snapshot.ts'
import { fetchJson, issuerUpstream } from './issuer-upstream.ts'
import { loadOwnMasterKeys, type Surroundings } from './own-store.ts'
import { openSignIn, type SignIn } from './sign-in.ts'

/** Who may do what, and with which stored credentials: everything between the store and the two planes. */
export interface Access {
  readonly keys: KeyDirectory
  /** An active workspace. */
  readonly workspaces: Pick<WorkspaceDirectory, 'find'>
  readonly stored: StoredProviders
  readonly people: PeopleSnapshot
  /** Secrets that are kept elsewhere. */
  readonly references: SecretReferences
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
  readonly signIn: SignIn
  close(): Promise<void>
}

export interface AccessOptions {
  readonly surroundings: Surroundings
  readonly config: OperatorConfig
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  readonly randomId: () => string
  /** The parts of the config that runs now. */
  readonly running: () => RunningParts
}

/** What values that are kept elsewhere are read and checked with. */
export type RunningParts = ReturnType<StoredProvidersOptions['running']> & {
  readonly readSecret: ReadSecret
  /** Operator's prefix of all paths. */
  readonly basePath: string
}

/** @throws StoreUnavailable, MasterKeyRefused, ConfigError */
export const openAccess = async (store: Store, options: AccessOptions): Promise<Access> => {
  const { surroundings, config, clock, log, metrics, randomId, running } = options
  const masterKeys = await loadOwnMasterKeys(surroundings, store)
  const secretBox = await openSecretBox(store.db, masterKeys)
  const onError = (error: unknown): void =>
    log.warn('the database could not be followed; what was read last stays in use', errorFields(error))
  const monotonicMs = (): number => clock.monotonicMs()
  const keyCache = await createKeyCache(store, { onError, now: clock.now, monotonicMs })
  const keysById = await createKeysById(store, { onError, monotonicMs })
  const grants = await createGrantsById(store, { onError, monotonicMs })
  const snapshot = await createProviderSnapshot(store, { onError })
  const configs = await createConfigSnapshot(store, { onError, open: (sealed) => openConfig(secretBox, sealed) })
  const guardrails = await createGuardrailSnapshot(store, {
    onError,
    open: ({ checks, ...owner }) => revealHeaders(secretBox, owner, checks),
  })
  const prompts = await createPromptSnapshot(store, { onError })
  const references = createSecretReferences({
    ...{ snapshot, secretBox, clock, log, metrics },
    read: (source) => running().readSecret(source),
    sealedField: sealedAuthField,
  })
  const workspaces = await createWorkspaceDirectory(store, onError)
  const people = await createPeopleSnapshot(store, { onError })
  const upstream = issuerUpstream(config, clock)
  const jwt = externalTokens(config, { fetchJson: (url) => fetchJson(upstream, url), clock, log })
  const tokens = createAccessTokens({ masterKeys, clock, randomId })
  const actors = createActors(
    defined({ keys: keyCache, keysById, tokens, apps: { grants, people }, clock, jwt, workspaces }),
  )
  const signIn = await openSignIn({
    ...{ store, masterKeys, config, keys: keyCache, people, tokens, workspaces, actorOfKey: actors.actorOfKey },
    ...{ upstreamOf: (changed) => issuerUpstream(changed, clock), clock, log, randomId, onError },
  })
  return {
    keys: {
      find: (token, place) => forCalls(() => actors.findPrincipal(token, place?.path.slice(running().basePath.length))),
      challenge: signIn.challenge,
    },
    workspaces,
    stored: createStoredProviders({ snapshot, secretBox, references, running, now: clock.now }),
    people,
    references,
    storedPrices: createStoredPrices(snapshot),
    configs,
    guardrails,
    prompts,
    actors,
    findKey: async (id) => actors.findKey(id),
    secretBox,
    exchangeToken: createOAuthHandler({
      ...{ keys: keyCache, tokens, clock, log },
      apps: createAppTokens({ db: store.db, tokens, people, clock }),
    }),
    signIn,
    async close() {
      upstream.close()
      await signIn.close()
      await Promise.allSettled([
        keyCache.close(),
        keysById.close(),
        grants.close(),
        snapshot.close(),
        configs.close(),
        guardrails.close(),
        prompts.close(),
        workspaces.close(),
        people.close(),
      ])
    },
  }
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
