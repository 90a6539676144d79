/**
 * Tokens of Entra, and of the identities that Azure gives a machine, for whatever is on Azure. Inside the repository it is
 * `#kit/azure`.
 * Sources, all from PyPI, read 2026-11-22: msal 1.x `managed_identity.py` (IMDS and App Service: paths, headers, versions,
 * `expires_on`), `oauth2cli/oauth2.py` (client assertion); azure-identity 1.27.0 `_credentials/workload_identity.py`,
 * `_constants.py` (variables and authority hosts); RFC 6749, section 4.4, for the request with a secret.
 */
import type { LoginAnswer, Logins } from '../core/logins.ts'
import type { Clock } from '../core/ports.ts'
import { GatewayError } from '../errors/gateway-error.ts'
import { loginRefused, readToken, sendLogin } from './provider/login/login-answer.ts'
import type { Login } from './provider/login/token-cache.ts'

export interface TokenService {
  /** Id of the provider that wants the token. */
  readonly provider: string
  readonly clock: Pick<Clock, 'now'>
  readonly logins: Logins
  /** Base URL of Entra: `https://login.microsoftonline.com`. */
  readonly authorityHost: string
}

export interface Application {
  readonly tenantId: string
  readonly clientId: string
  readonly scope: string
}

const IMDS = 'http://169.254.169.254'
const IMDS_VERSION = '2018-02-01'
const APP_SERVICE_VERSION = '2019-08-01'
const JWT_BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** An application with a secret. */
export const entraToken = (
  service: TokenService,
  application: Application & { readonly clientSecret: string },
): Promise<Login<string>> =>
  askEntra(service, application, { client_secret: application.clientSecret }, [application.clientSecret])

/** An application that trusts the tokens which Kubernetes writes into a file; read for each login, as they change. */
export const workloadToken = async (
  service: TokenService,
  { tenantId, clientId, scope }: { readonly tenantId?: string; readonly clientId?: string; readonly scope: string },
): Promise<Login<string>> => {
  const { environment } = service.logins
  const tenant = tenantId ?? environment.AZURE_TENANT_ID
  const client = clientId ?? environment.AZURE_CLIENT_ID
  const path = environment.AZURE_FEDERATED_TOKEN_FILE
  for (const [name, value] of [
    ['AZURE_TENANT_ID', tenant],
    ['AZURE_CLIENT_ID', client],
    ['AZURE_FEDERATED_TOKEN_FILE', path],
  ]) {
    if (!value) throw loginRefused(service.provider, `the workload identity of this machine lacks ${name}`)
  }
  const assertion = await readAssertion(service, path ?? '')
  const application = { tenantId: tenant ?? '', clientId: client ?? '', scope }
  return askEntra(service, application, { client_assertion_type: JWT_BEARER, client_assertion: assertion }, [assertion])
}

const readAssertion = async ({ logins, provider }: TokenService, path: string): Promise<string> => {
  try {
    return (await logins.readFile(path)).trim()
  } catch {
    throw loginRefused(provider, 'the file of AZURE_FEDERATED_TOKEN_FILE cannot be read')
  }
}

const askEntra = async (
  service: TokenService,
  { tenantId, clientId, scope }: Application,
  proof: Readonly<Record<string, string>>,
  secrets: readonly string[],
): Promise<Login<string>> => {
  const { logins, provider, clock } = service
  const answer = await sendLogin(logins, provider, {
    method: 'POST',
    url: `${service.authorityHost}/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, scope, ...proof }).toString(),
  })
  return readToken(answer, { provider, secrets }, clock.now())
}

/** The identity that Azure gives this machine: of App Service and Container Apps where they say so, else of IMDS. */
export const managedToken = async (
  service: TokenService,
  { clientId, scope }: { readonly clientId?: string | undefined; readonly scope: string },
): Promise<Login<string>> => {
  const { logins, provider, clock } = service
  const { IDENTITY_ENDPOINT, IDENTITY_HEADER, IDENTITY_SERVER_THUMBPRINT, AZURE_POD_IDENTITY_AUTHORITY_HOST } =
    logins.environment
  const resource = scope.replace(/\/\.default$/, '')
  const ask = (endpoint: string, version: string, headers: Readonly<Record<string, string>>): Promise<LoginAnswer> => {
    const query = new URLSearchParams({ 'api-version': version, resource })
    if (clientId !== undefined) query.set('client_id', clientId)
    const url = `${endpoint}${endpoint.includes('?') ? '&' : '?'}${query}`
    return sendLogin(logins, provider, {
      method: 'GET',
      url,
      headers: { Metadata: 'true', ...headers },
      asMachine: true,
    })
  }
  if (IDENTITY_SERVER_THUMBPRINT) throw loginRefused(provider, 'identities of Service Fabric are not known here')
  if (IDENTITY_ENDPOINT && IDENTITY_HEADER) {
    const answer = await ask(IDENTITY_ENDPOINT, APP_SERVICE_VERSION, { 'X-IDENTITY-HEADER': IDENTITY_HEADER })
    return readToken(answer, { provider, secrets: [IDENTITY_HEADER] }, clock.now())
  }
  const host = (AZURE_POD_IDENTITY_AUTHORITY_HOST || IMDS).replace(/\/+$/, '')
  try {
    const answer = await ask(`${host}/metadata/identity/oauth2/token`, IMDS_VERSION, {})
    return readToken(answer, { provider, secrets: [] }, clock.now())
  } catch (thrown) {
    if (!(thrown instanceof GatewayError) || thrown.code !== 'connect_timeout') throw thrown
    throw loginRefused(provider, 'this machine has no managed identity: the metadata service does not answer')
  }
}
