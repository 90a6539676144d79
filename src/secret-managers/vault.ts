import { isRecord } from '../core/json/record.ts'
import type { LoginAnswer, LoginRequest } from '../core/logins.ts'
import { loginRefused, refusal, sendLogin } from '../kit/provider/login/login-answer.ts'
import { createTokenCache, type Login } from '../kit/provider/login/token-cache.ts'
import { ask, bodyOf, checkedText, notThere, parsedRecord, statusFailure, toFailure } from './answer.ts'
import { type ReadSecret, type Secret, SecretFailure, type SecretSource } from './manager.ts'
import type { ReaderOptions } from './readers.ts'

/** Where Kubernetes puts the token of a pod ("Kubernetes auth method", Vault's documentation, read 2026-11-25). */
const SERVICE_ACCOUNT_TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token'
/** Milliseconds that a token is taken to be good for whose lease does not end. */
const ENDLESS_MS = 60 * 60_000

/** A way to ask one Vault, in one namespace. */
type AskVault = (request: Pick<LoginRequest, 'method' | 'body'> & { readonly path: string }) => Promise<LoginAnswer>

/**
 * HashiCorp Vault, and OpenBao, which speaks the same: KV 1 and KV 2 ("KV secrets engine - API"), logins with AppRole and
 * Kubernetes ("AppRole auth method - API", "Kubernetes auth method - API"), all of Vault's documentation, read 2026-11-25.
 */
export const createVaultReader = ({ clock, log, means }: ReaderOptions): ReadSecret => {
  const tokens = createTokenCache<string>({ provider: 'hashicorp_vault', clock, log })
  return async ({ auth, path }) => {
    const { vault_addr: address = '', vault_namespace: namespace = '', vault_auth_type: type = '' } = auth
    const headersWith = (token?: string): Record<string, string> => ({
      accept: 'application/json',
      'x-vault-request': 'true',
      ...(namespace === '' ? {} : { 'x-vault-namespace': namespace.replace(/\/+$/, '') }),
      ...(token === undefined ? {} : { 'x-vault-token': token }),
    })
    const login = async (): Promise<Login<string>> => {
      const { method, body, secrets } = await loginBody(auth, means)
      const url = `${address}/v1/auth/${method}/login`
      const headers = { ...headersWith(), 'content-type': 'application/json' }
      const request = { method: 'POST' as const, url, headers, body: JSON.stringify(body) }
      return tokenOf(await sendLogin(means.logins, 'hashicorp_vault', request), secrets, clock.now())
    }
    const identity = [
      type,
      address,
      namespace,
      auth.vault_role_id ?? '',
      auth.vault_secret_id ?? '',
      auth.vault_role ?? '',
    ]
    try {
      const token = type === 'token' ? (auth.vault_token ?? '') : await tokens.get(identity, login)
      const askVault: AskVault = ({ path: below, ...request }) =>
        ask(means.logins, { ...request, url: `${address}/v1/${below}`, headers: headersWith(token) })
      return await readKv(askVault, path)
    } catch (thrown) {
      const failure = toFailure(thrown)
      if (failure.outcome === 'refused' && type !== 'token') tokens.refused(identity)
      throw failure
    }
  }
}

interface LoginBody {
  readonly method: 'approle' | 'kubernetes'
  readonly body: Readonly<Record<string, string>>
  readonly secrets: readonly string[]
}

const loginBody = async (auth: SecretSource['auth'], { logins }: ReaderOptions['means']): Promise<LoginBody> => {
  const { vault_role_id: role_id = '', vault_secret_id: secret_id = '', vault_role: role = '' } = auth
  if (auth.vault_auth_type === 'approle') {
    return { method: 'approle', body: { role_id, secret_id }, secrets: [secret_id] }
  }
  try {
    const jwt = (await logins.readFile(SERVICE_ACCOUNT_TOKEN)).trim()
    return { method: 'kubernetes', body: { role, jwt }, secrets: [jwt] }
  } catch {
    throw loginRefused('hashicorp_vault', 'this machine has no token of a service account')
  }
}

const tokenOf = (answer: LoginAnswer, secrets: readonly string[], nowMs: number): Login<string> => {
  if (answer.status !== 200) throw refusal(answer, {}, { provider: 'hashicorp_vault', secrets })
  const auth = parsedRecord(answer.text)?.auth
  const { client_token: token, lease_duration: seconds } = isRecord(auth) ? auth : {}
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
    throw loginRefused('hashicorp_vault', 'it was answered without a token')
  }
  const isEnding = typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0
  return { value: token, expiresAtMs: nowMs + (isEnding ? seconds * 1000 : ENDLESS_MS) }
}

/**
 * Reads a path of a KV engine. Which version its mount has is asked first, as Vault's own command does. Where that may not be
 * asked, the first part is taken for the mount, and both forms are tried.
 */
const readKv = async (askVault: AskVault, path: string): Promise<Secret> => {
  const mount = await mountOf(askVault, path)
  if (mount !== undefined) return read(askVault, path, mount.path, mount.version)
  const first = `${path.split('/', 1)[0]}/`
  try {
    return await read(askVault, path, first, 2)
  } catch (thrown) {
    if (!(thrown instanceof SecretFailure) || thrown.outcome !== 'refused') throw thrown
    return await read(askVault, path, first, 1)
  }
}

interface Mount {
  /** With a slash at its end. */
  readonly path: string
  readonly version: 1 | 2
}

/** `sys/internal/ui/mounts`: for the one who may read something there; Vaults before 0.10 do not have it. */
const mountOf = async (askVault: AskVault, path: string): Promise<Mount | undefined> => {
  const answer = await askVault({ method: 'GET', path: `sys/internal/ui/mounts/${encoded(path)}` })
  if (answer.status === 403 || answer.status === 404 || answer.status === 400) return undefined
  if (answer.status !== 200) throw statusFailure(answer.status)
  const { data } = bodyOf(answer)
  const { path: mount, options } = isRecord(data) ? data : {}
  if (typeof mount !== 'string' || !mount.endsWith('/') || !path.startsWith(mount)) return undefined
  return { path: mount, version: isRecord(options) && options.version === '2' ? 2 : 1 }
}

const read = async (askVault: AskVault, path: string, mount: string, version: 1 | 2): Promise<Secret> => {
  const below = path.slice(mount.length)
  // As it stands in a policy, or in the URL of the API.
  const isWhole = version === 1 || below.startsWith('data/')
  const answer = await askVault({ method: 'GET', path: encoded(isWhole ? path : `${mount}data/${below}`) })
  if (answer.status !== 200) throw statusFailure(answer.status)
  const { data } = bodyOf(answer)
  const fields = version === 2 && isRecord(data) ? data.data : data
  if (!isRecord(fields)) throw notThere()
  if (Object.keys(fields).length === 0) throw new SecretFailure('unusable', 'it is empty')
  return { text: checkedText(JSON.stringify(fields)), fields }
}

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/')
