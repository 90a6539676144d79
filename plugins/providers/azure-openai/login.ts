import { type HeaderFields, InvalidHeader, UnsupportedConfig } from '#kit'
import { SETTINGS } from './address.ts'

type Settings = Readonly<Record<string, string>>

/** Settings of logins that fetch a token first, which is not done here. */
const OTHER_LOGINS = [
  'azure_entra_tenant_id',
  'azure_entra_client_id',
  'azure_entra_client_secret',
  'azure_entra_scope',
  'azure_managed_client_id',
  'azure_workload_client_id',
] as const

/** The login with a key, as stored providers call it. */
const WITH_KEY = 'default'

/**
 * A call that asks for another login must not go out with the key instead, and not without any.
 * @throws UnsupportedConfig naming the setting
 */
export const refuseOtherLogins = (settings: Settings): void => {
  const mode = settings.azure_auth_mode ?? ''
  const asked =
    mode !== '' && mode !== WITH_KEY ? 'azure_auth_mode' : OTHER_LOGINS.find((name) => (settings[name] ?? '') !== '')
  if (asked === undefined) return
  throw new UnsupportedConfig(
    `\`${asked}\` asks for a login that Azure OpenAI lacks here: send the key, or a token as \`azure_ad_token\`.`,
    { param: asked },
  )
}

/** @throws InvalidHeader for a token that no header can hold. */
export const setToken = (headers: HeaderFields, token: string): void => {
  const param = `x-gateway-${SETTINGS.azure_ad_token}`
  if (!/^[\x21-\x7e]+$/.test(token)) throw new InvalidHeader('The Azure token is no token.', { param })
  headers.set('authorization', `Bearer ${token}`)
}
