/**
 * Tokens of Google. Sources: google-auth-library 10.9.1 of npm (gtoken/jwsSign.js, gtoken/getToken.js, baseexternalclient.js,
 * stscredentials.js, identitypoolclient.js, refreshclient.js) and google-auth 2.62.2 of PyPI (compute_engine/_metadata.py), read
 * 2026-11-22.
 */
import { importPKCS8, SignJWT } from 'jose'
import { type Clock, isRecord } from '#kit'
import { type Login, type LoginAnswer, type Logins, loginRefused, readToken, sendLogin, toRecord } from '#kit/provider'
import { readAccount, type ServiceAccount } from './account.ts'

type Fields = Readonly<Record<string, unknown>>

export interface TokenService {
  readonly provider: string
  readonly clock: Pick<Clock, 'now'>
  readonly logins: Logins
  /** Where accounts and users get tokens. */
  readonly tokenURL: string
}

/** A token, and the project that pays for calls with it where that is not the one of the call. */
export interface GoogleToken {
  readonly token: string
  readonly quotaProject?: string
}

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
/** What a signed claim is for, wherever it is sent. */
const AUDIENCE = 'https://oauth2.googleapis.com/token'
const LIFE_S = 3600

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'

/** A service account shows a claim that it has signed. */
export const accountToken = async (service: TokenService, account: ServiceAccount): Promise<Login<GoogleToken>> => {
  const assertion = await sign(service, account)
  const form = { grant_type: JWT_BEARER, assertion }
  return asGoogle(await askForm(service, service.tokenURL, form, [assertion, account.privateKey]))
}

const sign = async ({ provider, clock }: TokenService, account: ServiceAccount): Promise<string> => {
  const nowS = Math.floor(clock.now() / 1000)
  try {
    const key = await importPKCS8(account.privateKey, 'RS256')
    return await new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(account.keyId === undefined ? {} : { kid: account.keyId }) })
      .setIssuer(account.email)
      .setAudience(AUDIENCE)
      .setIssuedAt(nowS)
      .setExpirationTime(nowS + LIFE_S)
      .sign(key)
  } catch {
    // What went wrong may repeat the key.
    throw loginRefused(provider, 'the private key of the service account cannot be read')
  }
}

/** The account of the machine: Compute Engine, Cloud Run, GKE with workload identity. */
export const metadataToken = async ({ provider, clock, logins }: TokenService): Promise<Login<GoogleToken>> => {
  const host = logins.environment.GCE_METADATA_HOST || 'metadata.google.internal'
  const answer = await sendLogin(logins, provider, {
    method: 'GET',
    url: `http://${host}/computeMetadata/v1/instance/service-accounts/default/token`,
    headers: { 'Metadata-Flavor': 'Google' },
    asMachine: true,
  })
  return asGoogle(readToken(answer, { provider, secrets: [] }, clock.now()))
}

/** The credentials that a file of the operator's holds; it is read for each login, as they may have changed. */
export const fileToken = async (service: TokenService, path: string): Promise<Login<GoogleToken>> =>
  credentialsToken(service, toRecord(await readOwn(service, path, 'the credentials file')))

const credentialsToken = async (service: TokenService, file: Fields): Promise<Login<GoogleToken>> => {
  const made = await tokenOf(service, file)
  const { quota_project_id: quotaProject } = file
  if (typeof quotaProject !== 'string') return made
  return { ...made, value: { ...made.value, quotaProject } }
}

const tokenOf = async (service: TokenService, file: Fields): Promise<Login<GoogleToken>> => {
  const account = readAccount(file)
  if (account !== undefined) return accountToken(service, account)
  const { type, source_credentials: source } = file
  if (type === 'authorized_user') return userToken(service, file)
  if (type === 'external_account') return externalToken(service, file)
  if (type === 'impersonated_service_account' && isRecord(source)) {
    return impersonate(service, file, await tokenOf(service, source))
  }
  throw loginRefused(service.provider, `credentials of type ${JSON.stringify(type ?? null)} are not known here`)
}

/** A person who logged in with `gcloud auth application-default login`. */
const userToken = async (service: TokenService, file: Fields): Promise<Login<GoogleToken>> => {
  const { client_id: id, client_secret: secret, refresh_token: refresh } = file
  if (typeof id !== 'string' || typeof secret !== 'string' || typeof refresh !== 'string') throw broken(service)
  const form = { grant_type: 'refresh_token', client_id: id, client_secret: secret, refresh_token: refresh }
  return asGoogle(await askForm(service, service.tokenURL, form, [secret, refresh]))
}

/** A token of another cloud or cluster, exchanged for one of Google's (workload identity federation). */
const externalToken = async (service: TokenService, file: Fields): Promise<Login<GoogleToken>> => {
  const { audience, subject_token_type: kind, token_url: url, credential_source: source } = file
  if (typeof audience !== 'string' || typeof kind !== 'string' || typeof url !== 'string' || !isRecord(source)) {
    throw broken(service)
  }
  const subject = await subjectToken(service, source)
  const made = await askForm(
    service,
    url,
    {
      grant_type: EXCHANGE,
      audience,
      scope: SCOPE,
      requested_token_type: ACCESS_TOKEN,
      subject_token: subject,
      subject_token_type: kind,
    },
    [subject],
  )
  return impersonate(service, file, asGoogle(made))
}

const subjectToken = async (service: TokenService, source: Fields): Promise<string> => {
  const { file, url, headers, format } = source
  const text =
    typeof file === 'string'
      ? await readOwn(service, file, 'the token file')
      : typeof url === 'string'
        ? await askSource(service, url, headers)
        : undefined
  if (text === undefined) throw loginRefused(service.provider, 'tokens of this `credential_source` are not known here')
  const field = isRecord(format) && format.type === 'json' ? format.subject_token_field_name : undefined
  const token = typeof field === 'string' ? toRecord(text)[field] : text.trim()
  if (typeof token !== 'string' || token === '') throw loginRefused(service.provider, 'the token file holds no token')
  return token
}

const askSource = async ({ logins, provider }: TokenService, url: string, headers: unknown): Promise<string> => {
  const fields = isRecord(headers) ? headers : {}
  const named = Object.entries(fields).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
  const answer = await sendLogin(logins, provider, {
    method: 'GET',
    url,
    headers: Object.fromEntries(named),
    asMachine: true,
  })
  if (answer.status === 200) return answer.text
  throw loginRefused(provider, `the source of the token answered with status ${answer.status}`)
}

/** Goes on as the account that the file names, if it names one. */
const impersonate = async (
  service: TokenService,
  file: Fields,
  made: Login<GoogleToken>,
): Promise<Login<GoogleToken>> => {
  const { service_account_impersonation_url: url, delegates } = file
  if (typeof url !== 'string') return made
  const { logins, provider, clock } = service
  const { token } = made.value
  const answer = await sendLogin(logins, provider, {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ scope: [SCOPE], lifetime: `${LIFE_S}s`, ...(delegates === undefined ? {} : { delegates }) }),
  })
  const { accessToken, expireTime } = toRecord(answer.text)
  const endsAtMs = typeof expireTime === 'string' ? Date.parse(expireTime) : Number.NaN
  const lifeS = Number.isNaN(endsAtMs) ? undefined : Math.floor((endsAtMs - clock.now()) / 1000)
  const text = answer.status === 200 ? JSON.stringify({ access_token: accessToken, expires_in: lifeS }) : answer.text
  return asGoogle(readToken({ status: answer.status, text }, { provider, secrets: [token] }, clock.now()))
}

const askForm = async (
  { logins, provider, clock }: TokenService,
  url: string,
  form: Readonly<Record<string, string>>,
  secrets: readonly string[],
): Promise<Login<string>> => {
  const answer: LoginAnswer = await sendLogin(logins, provider, {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams(form).toString(),
  })
  return readToken(answer, { provider, secrets }, clock.now())
}

const readOwn = async ({ logins, provider }: TokenService, path: string, what: string): Promise<string> => {
  try {
    return await logins.readFile(path)
  } catch {
    throw loginRefused(provider, `${what} cannot be read`)
  }
}

const asGoogle = ({ value, expiresAtMs }: Login<string>): Login<GoogleToken> => ({
  value: { token: value },
  expiresAtMs,
})

const broken = ({ provider }: TokenService) => loginRefused(provider, 'the credentials file lacks a field')
