import { HeaderList } from '../../core/header-fields.ts'
import type { Logins } from '../../core/logins.ts'
import { loginRefused, sendLogin } from '../provider/login/login-answer.ts'
import type { Login } from '../provider/login/token-cache.ts'
import { keysInJson, keysInXml } from './credentials-answer.ts'
import type { AwsLogin } from './login.ts'
import { serviceURL } from './region.ts'
import { type AwsKeys, signRequest } from './sign.ts'

/** What it takes to ask for keys. */
export interface Exchange {
  readonly logins: Logins
  /** Id of the provider, for errors. */
  readonly provider: string
  /** Milliseconds since 1970. */
  now(): number
}

/** Name of the sessions of Weir in the logs of AWS. */
const SESSION = 'weir'
/** Seconds, the most that a role taken on by a role may last ("AssumeRole", API reference of STS, read 2026-11-22). */
const ROLE_LIFE_S = '3600'

/**
 * Takes on a role with keys ("AssumeRole").
 * @throws a catalogue error that says that it is the login which failed
 */
export const assumeRole = async (
  { logins, provider, now }: Exchange,
  { arn, externalId }: NonNullable<AwsLogin['role']>,
  keys: AwsKeys,
  region: string,
): Promise<Login<AwsKeys>> => {
  const body = new URLSearchParams({
    Action: 'AssumeRole',
    Version: '2011-06-15',
    RoleArn: arn,
    RoleSessionName: SESSION,
    DurationSeconds: ROLE_LIFE_S,
    ...(externalId === undefined ? {} : { ExternalId: externalId }),
  }).toString()
  const url = stsURL(logins, region)
  const headers = new HeaderList()
  headers.set('content-type', FORM)
  await signRequest(
    headers,
    keys,
    { region, service: 'sts' },
    { method: 'POST', url, body, isStreamed: false },
    new Date(now()),
  )
  const answer = await sendLogin(logins, provider, { method: 'POST', url, headers: Object.fromEntries(headers), body })
  return keysInXml(answer, { provider, secrets: secretsOf(keys) }, now())
}

const FORM = 'application/x-www-form-urlencoded; charset=utf-8'

/** Where the operator's environment says, as for AWS's own SDKs; else the service of the region. */
const stsURL = ({ environment }: Logins, region: string): string => {
  const named = environment.AWS_ENDPOINT_URL_STS ?? ''
  return `${named === '' ? serviceURL('sts', region) : named.replace(/\/+$/, '')}/`
}

const secretsOf = ({ secretAccessKey, sessionToken = '' }: AwsKeys): readonly string[] => [
  secretAccessKey,
  sessionToken,
]

/**
 * The keys of the machine that Weir runs on, in the order of AWS's own SDKs: environment, web identity (IRSA), container (ECS, EKS Pod
 * Identity), instance (IMDSv2). Source: botocore 1.44.5, `credentials.py` and `utils.py`, read 2026-11-22; profiles in files are not
 * looked at.
 * @throws a catalogue error that says that it is the login which failed
 */
export const machineKeys = (exchange: Exchange, region: string): Promise<Login<AwsKeys>> => {
  const { environment } = exchange.logins
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = environment
  if (accessKeyId !== '' && secretAccessKey !== '') {
    const { AWS_SESSION_TOKEN: sessionToken = '' } = environment
    const value = { accessKeyId, secretAccessKey, ...(sessionToken === '' ? {} : { sessionToken }) }
    return Promise.resolve({ value, expiresAtMs: exchange.now() + ENVIRONMENT_LIFE_MS })
  }
  if (isSet(environment.AWS_WEB_IDENTITY_TOKEN_FILE) && isSet(environment.AWS_ROLE_ARN)) {
    return webIdentity(exchange, environment.AWS_WEB_IDENTITY_TOKEN_FILE, environment.AWS_ROLE_ARN, region)
  }
  if (isSet(environment.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI)) {
    return ofContainer(exchange, `${CONTAINER_URL}${environment.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI}`)
  }
  if (isSet(environment.AWS_CONTAINER_CREDENTIALS_FULL_URI)) {
    return ofContainer(exchange, environment.AWS_CONTAINER_CREDENTIALS_FULL_URI)
  }
  return ofInstance(exchange)
}

/** Keys of the environment do not end, as far as anybody can tell: they are looked at again. */
const ENVIRONMENT_LIFE_MS = 60 * 60_000
const CONTAINER_URL = 'http://169.254.170.2'
const INSTANCE_URL = 'http://169.254.169.254'
/** Seconds, as AWS's SDKs ask for. */
const INSTANCE_TOKEN_LIFE = '21600'

const isSet = (value: string | undefined): value is string => value !== undefined && value !== ''

/** A file that the platform writes anew, read each time. */
const readSecret = async ({ logins, provider }: Exchange, path: string): Promise<string> => {
  try {
    return (await logins.readFile(path)).trim()
  } catch {
    throw loginRefused(provider, 'the token file of this machine cannot be read')
  }
}

const webIdentity = async (exchange: Exchange, path: string, arn: string, region: string): Promise<Login<AwsKeys>> => {
  const { logins, provider, now } = exchange
  const token = await readSecret(exchange, path)
  const body = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: arn,
    RoleSessionName: logins.environment.AWS_ROLE_SESSION_NAME || SESSION,
    WebIdentityToken: token,
  }).toString()
  const url = stsURL(logins, logins.environment.AWS_REGION || region)
  const answer = await sendLogin(logins, provider, { method: 'POST', url, headers: { 'content-type': FORM }, body })
  return keysInXml(answer, { provider, secrets: [token] }, now())
}

const ofContainer = async (exchange: Exchange, url: string): Promise<Login<AwsKeys>> => {
  const { logins, provider, now } = exchange
  const { AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file, AWS_CONTAINER_AUTHORIZATION_TOKEN: said } = logins.environment
  const token = isSet(file) ? await readSecret(exchange, file) : (said ?? '')
  const headers = token === '' ? {} : { authorization: token }
  const answer = await sendLogin(logins, provider, { method: 'GET', url, headers, asMachine: true })
  return keysInJson(answer, { provider, secrets: [token] }, now())
}

const ofInstance = async ({ logins, provider, now }: Exchange): Promise<Login<AwsKeys>> => {
  const { AWS_EC2_METADATA_SERVICE_ENDPOINT: named, AWS_EC2_METADATA_DISABLED: disabled } = logins.environment
  if (disabled?.toLowerCase() === 'true') throw loginRefused(provider, 'this machine has no keys for AWS')
  const base = `${(named || INSTANCE_URL).replace(/\/+$/, '')}/latest`
  const ask = (method: 'GET' | 'PUT', path: string, headers: Readonly<Record<string, string>>) =>
    sendLogin(logins, provider, { method, url: `${base}${path}`, headers, asMachine: true })
  const opened = await ask('PUT', '/api/token', { 'x-aws-ec2-metadata-token-ttl-seconds': INSTANCE_TOKEN_LIFE })
  const token = opened.text.trim()
  if (opened.status !== 200 || !/^[\x21-\x7e]+$/.test(token)) {
    throw loginRefused(provider, 'the metadata service of this machine gives no token')
  }
  const headers = { 'x-aws-ec2-metadata-token': token }
  const roles = await ask('GET', '/meta-data/iam/security-credentials/', headers)
  const role = roles.text.split('\n', 1)[0]?.trim() ?? ''
  if (roles.status !== 200 || !/^[\w+=,.@-]{1,64}$/.test(role)) throw loginRefused(provider, 'this machine has no role')
  const answer = await ask('GET', `/meta-data/iam/security-credentials/${role}`, headers)
  return keysInJson(answer, { provider, secrets: [token] }, now())
}
