import {
  type Clock,
  defined,
  type HeaderFields,
  InvalidHeader,
  type Logger,
  ProviderKeyRequired,
  UnsupportedConfig,
} from '#kit'
import { entraToken, managedToken, type TokenService, workloadToken } from '#kit/azure'
import { type Credentials, createTokenCache, type Login, type Logins, type OutgoingRequest } from '#kit/provider'
import { LOGIN_SETTINGS, type LoginConfig, type Mode, modeOf, TENANT, WITH_KEY } from './login-settings.ts'

type Settings = Readonly<Record<string, string>>

export interface AzureLoginOptions extends LoginConfig {
  readonly provider: string
  readonly host: { readonly clock: Clock; readonly log: Logger; readonly logins: Logins }
  /** The operator's key. */
  readonly apiKey?: string
  /** Where a key goes, and how. Default: the header `api-key`. */
  readonly setKey?: (headers: HeaderFields, key: string, request: OutgoingRequest) => void
  /** Whether the place that these settings name is the operator's own. */
  readonly isOwnPlace: (settings: Settings) => boolean
  /** Whether it is the operator's own, or a place at Azure: a token of the machine goes nowhere else. */
  readonly isAtAzure: (settings: Settings) => boolean
}

export interface AzureLogin {
  /** Puts a token or the key into a header. */
  authorize(headers: HeaderFields, credentials: Credentials, request: OutgoingRequest): void | Promise<void>
  refused(credentials: Credentials): void
}

/** A login that is asked for: which token it is, and how it is got. */
interface Asked {
  readonly identity: readonly string[]
  readonly get: () => Promise<Login<string>>
}

const AUTHORITY = 'https://login.microsoftonline.com'
const SCOPE = 'https://cognitiveservices.azure.com/.default'

/**
 * Logins of Azure: a key, a token of the call's own, or one that is got with an application's secret or an identity of the
 * machine. The machine's are for the operator's own login and for stored providers: what a call says of itself does not do.
 * @throws Error for an operator's login that lacks something
 */
export const createAzureLogin = (options: AzureLoginOptions): AzureLogin => {
  const { provider, host, login, apiKey: ownKey, isOwnPlace, setKey = setKeyHeader } = options
  if (login !== undefined) checkLogin(options)
  const tokens = createTokenCache<string>({ provider, ...host })
  const service: TokenService = { provider, ...host, authorityHost: authorityOf(options) }
  const scope = options.scope ?? SCOPE
  const own = login && ownLogin(service, login, scope)

  const asked = (credentials: Credentials): Asked | undefined => {
    const { settings, apiKey, isStored, hasCustomHost } = credentials
    const mode = modeOf(settings)
    if (mode !== undefined) {
      const isStoredPlace = isStored === true && hasCustomHost === undefined && options.isAtAzure(settings)
      const mayBeMachine = isStoredPlace && options.storedMachineLogin !== false
      return settingsLogin(service, mode, credentials, settings.azure_entra_scope || scope, mayBeMachine)
    }
    if (apiKey !== '' || own === undefined) return undefined
    if (isStored === undefined && hasCustomHost === undefined && isOwnPlace(settings)) return own
    // A host that came with a stored model gets what is stored with that model alone.
    if (isStored === true && hasCustomHost === true) return undefined
    throw new ProviderKeyRequired('The call names a place of its own at Azure, so it must bring the key of it too.')
  }

  return {
    authorize(headers, credentials, request) {
      const { settings, apiKey } = credentials
      const given = settings.azure_ad_token ?? ''
      if (given !== '') return setToken(headers, given)
      const login = asked(credentials)
      if (login !== undefined) {
        const token = tokens.get(login.identity, login.get)
        return token instanceof Promise ? token.then((late) => setBearer(headers, late)) : setBearer(headers, token)
      }
      if (apiKey === '') {
        if (settings.azure_auth_mode === WITH_KEY) throw new ProviderKeyRequired(`'${provider}' needs a key.`)
        return
      }
      if (apiKey === ownKey && credentials.isStored === undefined && !isOwnPlace(settings)) {
        // A client may not choose where the operator's key is sent.
        throw new ProviderKeyRequired('The call names a place of its own at Azure, so it must bring the key of it too.')
      }
      setKey(headers, apiKey, request)
    },
    refused(credentials) {
      if ((credentials.settings.azure_ad_token ?? '') !== '') return
      const login = asked(credentials)
      if (login !== undefined) tokens.refused(login.identity)
    },
  }
}

const authorityOf = ({ authorityHost, host }: AzureLoginOptions): string => {
  const named = authorityHost ?? host.logins.environment.AZURE_AUTHORITY_HOST
  if (named === undefined || named === '') return AUTHORITY
  return (named.includes('://') ? named : `https://${named}`).replace(/\/+$/, '')
}

const checkLogin = ({ login, apiKey }: AzureLoginOptions): void => {
  if (apiKey !== undefined) throw new Error('`apiKey` and `login` are two ways to log in: leave one out')
  if (login?.mode !== 'entra') return
  for (const name of ['tenantId', 'clientId', 'clientSecret'] as const) {
    if (login[name] === undefined) throw new Error(`\`login.${name}\` is missing: mode \`entra\` needs it`)
  }
}

const ownLogin = (service: TokenService, login: NonNullable<LoginConfig['login']>, scope: string): Asked => {
  const { mode, tenantId, clientId, clientSecret = '' } = login
  const identity = [mode, tenantId ?? '', clientId ?? '', clientSecret, scope]
  if (mode === 'entra') {
    const application = { tenantId: tenantId ?? '', clientId: clientId ?? '', clientSecret, scope }
    return { identity, get: () => entraToken(service, application) }
  }
  if (mode === 'managed') return { identity, get: () => managedToken(service, { clientId, scope }) }
  return { identity, get: () => workloadToken(service, { ...defined({ tenantId, clientId }), scope }) }
}

const settingsLogin = (
  service: TokenService,
  { name, by }: Mode,
  { settings }: Credentials,
  scope: string,
  mayBeMachine: boolean,
): Asked => {
  if (name === 'entra') return entraLogin(service, by, settings, scope)
  if (!mayBeMachine) {
    throw new UnsupportedConfig(
      `\`${by}\` asks for an identity of the gateway's own machine: it is for stored providers without a host of their own, where the operator allows it, and for the operator's own login.`,
      { param: by },
    )
  }
  const clientId = settings[name === 'managed' ? 'azure_managed_client_id' : 'azure_workload_client_id'] || undefined
  const identity = [name, '', clientId ?? '', '', scope]
  if (name === 'managed') return { identity, get: () => managedToken(service, { clientId, scope }) }
  return { identity, get: () => workloadToken(service, { ...defined({ clientId }), scope }) }
}

const entraLogin = (service: TokenService, by: string, settings: Settings, scope: string): Asked => {
  const {
    azure_entra_tenant_id: tenantId = '',
    azure_entra_client_id: clientId = '',
    azure_entra_client_secret: clientSecret = '',
  } = settings
  const missing = ['azure_entra_tenant_id', 'azure_entra_client_id', 'azure_entra_client_secret'].find(
    (name) => (settings[name] ?? '') === '',
  )
  if (missing !== undefined) {
    throw new UnsupportedConfig(`\`${by}\` asks for a login at Entra, which needs \`${missing}\` too.`, { param: by })
  }
  if (!TENANT.test(tenantId)) {
    throw new UnsupportedConfig('The tenant is neither an id nor a domain.', { param: 'azure_entra_tenant_id' })
  }
  return {
    identity: ['entra', tenantId, clientId, clientSecret, scope],
    get: () => entraToken(service, { tenantId, clientId, clientSecret, scope }),
  }
}

/** @throws InvalidHeader for a token that no header can hold. */
const setToken = (headers: HeaderFields, token: string): void => {
  const param = `x-gateway-${LOGIN_SETTINGS.azure_ad_token}`
  if (!/^[\x21-\x7e]+$/.test(token)) throw new InvalidHeader('The Azure token is no token.', { param })
  setBearer(headers, token)
}

const setKeyHeader = (headers: HeaderFields, key: string): void => headers.set('api-key', key)

const setBearer = (headers: HeaderFields, token: string): void => headers.set('authorization', `Bearer ${token}`)
