import type { PartnerAccount } from '../../kit/partner-account.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import type { BudgetsDeps } from '../own-budgets/live-budgets.ts'

/** What the management of providers needs to know of a running provider plugin. */
export interface RunningProvider {
  readonly id: string
  /** Settings that a call may carry: name to header suffix. */
  readonly settings?: Readonly<Record<string, string>>
  /** Headers of calls that it passes on, which a config may set. */
  readonly headers?: readonly string[]
  /** Models that it lists in Weir's own catalogue. */
  readonly models?: readonly string[]
  /** It is no provider of models: what is stored of an account with it. */
  readonly account?: PartnerAccount
}

/** All that integrations can be made of. */
export const storable = (running: {
  readonly providers: readonly RunningProvider[]
  readonly accounts: readonly PartnerAccount[]
}): readonly RunningProvider[] => [
  ...running.providers,
  ...running.accounts.map((account) => ({ id: account.id, account })),
]

/** What a new provider needs: its time and its suffix. */
export type NewProviderDeps = Pick<ProviderDeps, 'now' | 'randomId'>

/** Shared by the groups integrations, providers, virtual keys and models, which all show the same few records. */
export interface ProviderDeps {
  /** Those that run now: a reload of the operator's file may change them. */
  readonly providers: () => readonly RunningProvider[]
  /**
   * Checks a base URL; gives it without trailing slashes.
   * @throws EgressRefused for a host that calls may not reach.
   */
  readonly checkCustomHost: (url: string) => string
  readonly secretBox: SecretBox
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Version 4 UUID. */
  readonly randomId: () => string
}

/** What changes of providers and grants need: whose counts they show and reset. */
export interface ProviderRoutesDeps extends ProviderDeps, BudgetsDeps {}
