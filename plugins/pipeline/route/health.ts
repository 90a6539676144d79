import { splitModel } from '#calls/config/model-name'
import { type Call, GatewayError, Pipe, type ReadyStream } from '#kit'
import type { BreakerPolicy, Leaf } from '#kit/plan'
import { type CallConfig, callConfig, gatewayHeaders, principal } from '#kit/slots'
import type { Tried } from './attempt.ts'
import { type Breakers, type EndOptions, type Health, isFailingStatus, type Probe } from './breaker.ts'
import type { Stop } from './cursor.ts'
import { judgeError } from './failure.ts'

/** The breakers of all calls. */
export interface AllBreakers {
  /** Shared by all processes, by version of the config and place in it. */
  readonly saved: Breakers
  /** By target. Of this process alone: whoever may call could invent any number of them. */
  readonly inline: Breakers
}

/** The health of the targets of one call's config. */
export class TargetHealth {
  readonly #call: Call
  readonly #config: CallConfig
  readonly #breakers: Breakers

  constructor({ saved, inline }: AllBreakers, call: Call) {
    this.#call = call
    this.#config = call.get(callConfig)
    this.#breakers = this.#config.versionId === undefined ? inline : saved
  }

  /** False for a target that is to be left alone now. */
  readonly isAvailable = (leaf: Leaf): boolean => {
    const key = this.#keyOf(leaf)
    return key === undefined || this.#breakers.isAvailable(key)
  }

  /** An attempt at a target begins; `end` follows, with what this gives. */
  begin({ leaf }: Stop): Probe | undefined {
    const key = this.#keyOf(leaf)
    return key === undefined ? undefined : this.#breakers.begin(key)
  }

  /** @param tried absent when the target was not asked after all */
  end(stop: Stop, probe: Probe | undefined, tried?: Tried): void {
    this.#report(stop, (policy) => (tried === undefined ? 'none' : healthOf(policy, tried)), { probe })
  }

  /** A stream of a target with a breaker, watched until its end: one that breaks is a failure after all. */
  watch(stop: Stop, stream: ReadyStream): ReadyStream {
    if (this.#keyOf(stop.leaf) === undefined || policyOf(stop) === undefined) return stream
    return new Pipe(stream, {
      push: (piece, out) => out.write(piece),
      fail: (thrown) => {
        const judgement = judgeError(thrown)
        const isBad = (policy: BreakerPolicy) => !judgement.ends && isFailingStatus(policy, judgement.status)
        this.#report(stop, (policy) => (isBad(policy) ? 'bad' : 'none'), { isCounted: true })
        throw thrown
      },
    })
  }

  #report(stop: Stop, health: (policy: BreakerPolicy) => Health, options: EndOptions): void {
    const key = this.#keyOf(stop.leaf)
    const policy = policyOf(stop)
    if (key !== undefined && policy !== undefined) this.#breakers.end(key, policy, health(policy), options)
  }

  /** A new version of a saved config may mean other targets. */
  #keyOf(leaf: Leaf): string | undefined {
    const { versionId, plan } = this.#config
    if (versionId !== undefined) return `breaker:${versionId}:${leaf.path}`
    return plan.usesBreakers ? targetIdentity(this.#call, leaf) : undefined
  }
}

/** That of the branch the target hangs on, which has inherited it; conditions choose regardless of health. */
const policyOf = ({ parent }: Stop): BreakerPolicy | undefined =>
  parent === undefined || parent.mode === 'conditional' ? undefined : parent.breaker

/** Only what the provider did counts: not a refusal of ours, an answer from the cache, or a client that left. */
const healthOf = (policy: BreakerPolicy, { fork, judgement, thrown }: Tried): Health => {
  const tookTooLong = thrown instanceof GatewayError && thrown.code === 'total_timeout'
  if (!fork.reachedProvider || (judgement.ends && !tookTooLong)) return 'none'
  return isFailingStatus(policy, judgement.status) ? 'bad' : 'good'
}

/** What headers say of a target that does not name its provider itself. */
const NAMING_HEADERS = ['provider', 'virtual-key', 'mode', 'custom-host'] as const

const digests = new WeakMap<Leaf, string>()

/**
 * Says which place a target of an inline config is, so that calls which bring the same one know of each other: within one
 * workspace, whatever else their configs hold. Keys and settings are only in it as a digest.
 */
export const targetIdentity = (call: Call, leaf: Leaf): string => {
  const { organisationId, workspaceId = organisationId } = call.get(principal)
  const own = digests.getOrInsertComputed(leaf, digestOfLeaf)
  return namesProvider(leaf) ? `${workspaceId}:${own}` : `${workspaceId}:${own}:${digestOfCall(call)}`
}

const digestOfLeaf = ({ provider, virtualKey, apiKey, customHost, settings, overrideParams }: Leaf): string =>
  digest([provider, virtualKey, apiKey, customHost, Object.entries(settings).sort(), overrideParams?.model])

const digestOfCall = (call: Call): string => {
  const headers = call.get(gatewayHeaders)
  return digest([...NAMING_HEADERS.map((name) => headers.get(name)), call.params.model])
}

const namesProvider = ({ provider, virtualKey, overrideParams }: Leaf): boolean =>
  provider !== undefined || virtualKey !== undefined || splitModel(overrideParams?.model) !== undefined

const digest = (parts: readonly unknown[]): string =>
  new Bun.CryptoHasher('sha256').update(JSON.stringify(parts.map((part) => part ?? null))).digest('base64url')
