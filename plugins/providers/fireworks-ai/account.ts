import { InvalidHeader } from '#kit'
import { type AdapterContext, FILE_SETTINGS } from '#kit/provider'

export const SETTINGS = { fireworks_account_id: 'fireworks-account-id', ...FILE_SETTINGS } as const

/** The account that a call names. @throws InvalidHeader for what cannot be one */
export const accountOf = ({ fireworks_account_id: account = '' }: AdapterContext['settings']): string | undefined => {
  if (account === '') return undefined
  if (/^[A-Za-z0-9][A-Za-z0-9-]{0,62}$/.test(account)) return account
  const param = `x-gateway-${SETTINGS.fireworks_account_id}`
  throw new InvalidHeader('The Fireworks account may hold only letters, digits and hyphens.', { param })
}

/** @param what needs it: `Fine-tuning` @throws InvalidHeader without one */
export const neededAccount = (settings: AdapterContext['settings'], what: string): string => {
  const account = accountOf(settings)
  if (account !== undefined) return account
  const param = `x-gateway-${SETTINGS.fireworks_account_id}`
  throw new InvalidHeader(`${what} at Fireworks needs an account: send ${param}, or set it in the config.`, { param })
}

/** Its control plane is beside its models. */
export const controlURL = (baseURL: string): string => baseURL.replace(/\/inference\/v1$/, '/v1')

/** The last part of a name: `accounts/acme/datasets/one` is `one`. */
export const lastOf = (name: unknown): string => String(name).split('/').at(-1) ?? ''

/** Models have the name of their account in front; one that says none is of the account that the call names. */
export const modelOf = (model: string, { settings }: Pick<AdapterContext, 'settings'>): string => {
  if (model.includes('/')) return model
  const account = accountOf(settings)
  return account === undefined ? model : `accounts/${account}/models/${model}`
}
