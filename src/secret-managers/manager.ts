import type { SecretsConfig } from '../config/secrets.ts'
import type { Logins } from '../core/logins.ts'
import type { SecretManagerType } from '../store/schema/secret-references.ts'

/** What says where a secret is kept and how to get it; its own secrets in clear. */
export interface SecretSource {
  readonly managerType: SecretManagerType
  /** `auth_config`, by the names of the interface. */
  readonly auth: Readonly<Record<string, string>>
  readonly path: string
}

/** What a manager gave. */
export interface Secret {
  readonly text: string
  /** Its fields, where the manager keeps secrets as fields. */
  readonly fields?: Readonly<Record<string, unknown>>
}

/** What secrets are reached with, by the config that runs now. */
export interface SecretMeans {
  readonly logins: Logins
  readonly settings: SecretsConfig
  /** Whether the operator trusts the host of a URL. */
  trusts(url: string): boolean
}

/** What became of a request for a secret, for the metrics. */
export type Outcome = 'ok' | 'away' | 'refused' | 'unusable'

/**
 * A secret cannot be had. `away`: nobody has answered, so that what was said last still holds. `refused`: the manager has said
 * no. `unusable`: what it gave is no value. The message says why in our words: it goes to callers, so it holds no path and no
 * value, nor what the manager wrote.
 */
export class SecretFailure extends Error {
  readonly outcome: Exclude<Outcome, 'ok'>

  constructor(outcome: Exclude<Outcome, 'ok'>, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.outcome = outcome
  }
}

/** Bytes of the largest secret: what AWS keeps at most, and more than the others' keys need. */
export const MAX_SECRET_BYTES = 64 * 1024

/** Reads a secret where it is kept. @throws SecretFailure, or a catalogue error of a login or a request */
export type ReadSecret = (source: SecretSource) => Promise<Secret>
