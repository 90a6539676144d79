import type { TProperties } from '@sinclair/typebox'

/**
 * A service that checks have accounts with, and that no model is asked through: what is stored of one. Workspaces store it
 * as they do a provider; its integrations name it as `ai_provider_id`.
 */
export interface PartnerAccount {
  /** No provider has the same. */
  readonly id: string
  /**
   * What its integrations may hold as `configurations`, besides `custom_host` and `custom_headers`. Those whose names end in
   * `key`, `secret`, `token` or `password` are kept sealed.
   */
  readonly settings?: TProperties
  /** Settings without which there is no account. */
  readonly required?: readonly string[]
  /** Settings that say to which host its key goes: with another one the key has to be given again. */
  readonly hostSettings?: readonly string[]
}
