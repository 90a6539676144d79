import type { Metrics } from '../core/metrics.ts'
import type { Clock, Logger } from '../core/ports.ts'
import { SecretUnavailable } from '../errors/gateway-error.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import type { ProviderSnapshot } from '../store/memory/provider-snapshot.ts'
import type { StoredReference } from '../store/memory/stored-references.ts'
import { toFailure } from './answer.ts'
import { type Outcome, type ReadSecret, type Secret, SecretFailure } from './manager.ts'
import { CachedSecret } from './secret-cache.ts'

/** A secret as it is now, and the field of it that its reference means. */
export interface FoundSecret {
  readonly slug: string
  readonly secretKey: string | null
  readonly secret: Secret
}

/** Secrets that are kept elsewhere, in memory. */
export interface SecretReferences {
  /**
   * The secret of a reference, by its id or slug, for a workspace: at once where it is at hand, which is all but the first call. The same object
   * as long as neither the reference nor the secret has changed.
   * @throws SecretUnavailable for one that cannot be had, or is not for the workspace
   */
  get(organisationId: string, workspaceId: string, reference: string): FoundSecret | Promise<FoundSecret>
}

export interface SecretReferencesOptions {
  readonly snapshot: Pick<ProviderSnapshot, 'findReference' | 'references'>
  readonly secretBox: Pick<SecretBox, 'open'>
  /** By the config that runs now. */
  readonly read: ReadSecret
  /** Name under which a secret of a login is sealed. */
  readonly sealedField: (name: string) => string
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly log: Pick<Logger, 'warn'>
  readonly metrics: Metrics
}

/** A secret, and what was made of it last. */
interface Kept {
  readonly cached: CachedSecret
  found: FoundSecret | undefined
}

export const createSecretReferences = (options: SecretReferencesOptions): SecretReferences => {
  const { snapshot, clock, log, metrics } = options
  const now = (): number => clock.monotonicMs()
  const kept = new WeakMap<StoredReference, Kept>()
  const reads = metrics.counter({
    name: 'weir.secrets.reads',
    description: 'Times that a secret was asked for at its manager, by what became of it.',
    unit: '{read}',
  })
  metrics.gauge(
    {
      name: 'weir.secrets.stale.seconds',
      description: 'Age of the oldest secret that is used although its manager does not answer; 0 while all do.',
      unit: 's',
      across: 'max',
    },
    () => [[oldest(snapshot.references(), kept) / 1000]],
  )

  const read = async (reference: StoredReference): Promise<Secret> => {
    const { slug, managerType, secretPath: path } = reference
    const count = (outcome: Outcome): void => reads({ manager: managerType, outcome }).add(1)
    try {
      const secret = await options.read({ managerType, path, auth: await openAuth(reference, options) })
      count('ok')
      return secret
    } catch (thrown) {
      const failure = toFailure(thrown)
      count(failure.outcome)
      const { outcome, message } = failure
      log.warn('a secret could not be read', { reference: slug, manager: managerType, outcome, error: message })
      throw failure
    }
  }

  const keep = (reference: StoredReference): Kept => {
    const made = { cached: new CachedSecret(() => read(reference), now), found: undefined }
    kept.set(reference, made)
    return made
  }

  return {
    get(organisationId, workspaceId, name) {
      const access = snapshot.findReference(organisationId, name)
      if (access === undefined) throw unavailable(name, new SecretFailure('refused', 'there is none of this name'))
      const { reference } = access
      const { slug, secretKey } = reference
      if (!access.isFor(workspaceId)) {
        throw unavailable(slug, new SecretFailure('refused', 'it is not for this workspace'))
      }
      const entry = kept.get(reference) ?? keep(reference)
      const toFound = (secret: Secret): FoundSecret => {
        if (entry.found?.secret !== secret) entry.found = { slug, secretKey, secret }
        return entry.found
      }
      try {
        const secret = entry.cached.get()
        if (!(secret instanceof Promise)) return toFound(secret)
        return secret.then(toFound, (thrown: unknown) => Promise.reject(unavailable(slug, thrown)))
      } catch (thrown) {
        throw unavailable(slug, thrown)
      }
    },
  }
}

/** What a caller hears of a secret that cannot be had: the name of its reference, and why, in our words. */
export const unavailable = (slug: string, thrown: unknown): SecretUnavailable => {
  const failure = toFailure(thrown)
  return new SecretUnavailable(`The secret reference '${slug}' cannot be used: ${failure.message}.`, {
    cause: failure,
    ...(failure.outcome === 'away' ? { retryAfterMs: 1_000 } : {}),
  })
}

/** The login of a reference, its secrets in clear. */
const openAuth = async (
  { id, organisationId, authConfig, secrets }: StoredReference,
  { secretBox, sealedField }: SecretReferencesOptions,
): Promise<Readonly<Record<string, string>>> => {
  const auth: Record<string, string> = { ...authConfig }
  for (const [name, sealed] of Object.entries(secrets)) {
    auth[name] = await secretBox.open(organisationId, id, sealedField(name), sealed)
  }
  return auth
}

const oldest = (references: Iterable<StoredReference>, kept: WeakMap<StoredReference, Kept>): number => {
  let oldestMs = 0
  for (const reference of references) oldestMs = Math.max(oldestMs, kept.get(reference)?.cached.staleMs ?? 0)
  return oldestMs
}
