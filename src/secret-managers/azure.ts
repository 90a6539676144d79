import { entraToken, managedToken, type TokenService, workloadToken } from '../kit/azure.ts'
import { createTokenCache, type Login } from '../kit/provider/login/token-cache.ts'
import { ask, bodyOf, checkedText, statusFailure, toFailure } from './answer.ts'
import { type ReadSecret, SecretFailure, type SecretSource } from './manager.ts'
import type { ReaderOptions } from './readers.ts'

const API_VERSION = '7.4'
const AUTHORITY = 'https://login.microsoftonline.com'

/** Where the tokens of a cloud come from, by the end of its vaults' names ("Azure Key Vault endpoints", read 2026-11-25). */
const AUTHORITIES: readonly (readonly [suffix: string, authority: string])[] = [
  ['.vault.azure.cn', 'https://login.chinacloudapi.cn'],
  ['.vault.usgovcloudapi.net', 'https://login.microsoftonline.us'],
]

/**
 * Azure Key Vault, "Get Secret" of its REST reference, version 7.4 (read 2026-11-25): `GET /secrets/{name}/{version}` with a
 * token for the vault's cloud.
 */
export const createAzureReader = ({ clock, log, means }: ReaderOptions): ReadSecret => {
  const tokens = createTokenCache<string>({ provider: 'azure_kv', clock, log })
  return async ({ auth, path }) => {
    const { logins } = means
    const vault = (auth.azure_vault_url ?? '').replace(/\/+$/, '')
    const { hostname } = new URL(vault)
    const suffix = hostname.slice(hostname.indexOf('.'))
    const named = logins.environment.AZURE_AUTHORITY_HOST ?? ''
    const authorityHost =
      named === ''
        ? (AUTHORITIES.find(([end]) => end === suffix)?.[1] ?? AUTHORITY)
        : (named.includes('://') ? named : `https://${named}`).replace(/\/+$/, '')
    const scope = `https://${suffix.slice(1)}/.default`
    const login = loginOf({ provider: 'azure_kv', clock, logins, authorityHost }, auth, scope)
    try {
      const token = await tokens.get(login.identity, login.get)
      const [name = '', version] = path.split('/')
      const url = `${vault}/secrets/${name}${version === undefined ? '' : `/${version}`}?api-version=${API_VERSION}`
      const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
      const answer = await ask(logins, { method: 'GET', url, headers })
      if (answer.status === 401) tokens.refused(login.identity)
      if (answer.status !== 200) throw statusFailure(answer.status)
      const { value } = bodyOf(answer)
      if (typeof value !== 'string') throw new SecretFailure('unusable', 'it is no text')
      return { text: checkedText(value) }
    } catch (thrown) {
      throw toFailure(thrown)
    }
  }
}

/** A login that is asked for: which token it is, and how it is got. */
interface Asked {
  readonly identity: readonly string[]
  readonly get: () => Promise<Login<string>>
}

const loginOf = (service: TokenService, auth: SecretSource['auth'], scope: string): Asked => {
  const {
    azure_auth_mode: mode = 'default',
    azure_entra_tenant_id: tenantId = '',
    azure_entra_client_id: clientId = '',
    azure_entra_client_secret: clientSecret = '',
    azure_managed_client_id: managedId,
  } = auth
  const entra = (application: { tenantId: string; clientId: string; clientSecret: string }): Asked => ({
    identity: ['entra', service.authorityHost, ...Object.values(application), scope],
    get: () => entraToken(service, { ...application, scope }),
  })
  if (mode === 'entra') return entra({ tenantId, clientId, clientSecret })
  const { environment } = service.logins
  // In the order of Azure's own SDKs: environment, workload identity, managed identity (azure-identity 1.27.0, `DefaultAzureCredential`).
  if (mode === 'default') {
    const { AZURE_TENANT_ID: tenant, AZURE_CLIENT_ID: client, AZURE_CLIENT_SECRET: secret } = environment
    if (tenant && client && secret) return entra({ tenantId: tenant, clientId: client, clientSecret: secret })
    if (environment.AZURE_FEDERATED_TOKEN_FILE) {
      return { identity: ['workload', scope], get: () => workloadToken(service, { scope }) }
    }
  }
  const identity = managedId ?? (mode === 'default' ? environment.AZURE_CLIENT_ID : undefined)
  return {
    identity: ['managed', identity ?? '', scope],
    get: () => managedToken(service, { clientId: identity, scope }),
  }
}
