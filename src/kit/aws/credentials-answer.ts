import type { LoginAnswer } from '../../core/logins.ts'
import { UpstreamInvalid } from '../../errors/gateway-error.ts'
import { type LoginOf, refusal, toRecord } from '../provider/login/login-answer.ts'
import type { Login } from '../provider/login/token-cache.ts'
import type { AwsKeys } from './sign.ts'

/** Milliseconds that keys are taken to be good for where their service does not say. */
const DEFAULT_LIFE_MS = 15 * 60_000

/**
 * Keys in JSON, as the services of a machine give them: `AccessKeyId`, `SecretAccessKey`, `Token`, `Expiration` (botocore 1.44.5,
 * `InstanceMetadataFetcher` and `ContainerMetadataFetcher`, read 2026-11-22).
 * @throws UpstreamError, UpstreamInvalid
 */
export const keysInJson = (answer: LoginAnswer, of: LoginOf, nowMs: number): Login<AwsKeys> => {
  const body = toRecord(answer.text)
  if (answer.status !== 200)
    throw refusal(answer, { error: body.code ?? body.Code, error_description: body.message }, of)
  return toKeys(body.AccessKeyId, body.SecretAccessKey, body.Token, body.Expiration, of, nowMs)
}

/**
 * Keys in the XML of the Security Token Service: `Credentials` of `AssumeRole` and `AssumeRoleWithWebIdentity` (botocore 1.44.5, `sts`,
 * read 2026-11-22).
 * @throws UpstreamError, UpstreamInvalid
 */
export const keysInXml = ({ status, text }: LoginAnswer, of: LoginOf, nowMs: number): Login<AwsKeys> => {
  if (status !== 200) {
    const words = { error: element(text, 'Code'), error_description: element(text, 'Message') }
    throw refusal({ status, text }, words, of)
  }
  const [id, secret, token, end] = ['AccessKeyId', 'SecretAccessKey', 'SessionToken', 'Expiration'].map((name) =>
    element(text, name),
  )
  return toKeys(id, secret, token, end, of, nowMs)
}

const toKeys = (
  accessKeyId: unknown,
  secretAccessKey: unknown,
  sessionToken: unknown,
  expiration: unknown,
  { provider }: LoginOf,
  nowMs: number,
): Login<AwsKeys> => {
  if (!isText(accessKeyId) || !isText(secretAccessKey)) {
    throw new UpstreamInvalid(`The login at '${provider}' was answered without keys.`, {
      wireCode: 'provider_login_failed',
      provider,
    })
  }
  const endMs = typeof expiration === 'string' ? Date.parse(expiration) : Number.NaN
  return {
    value: { accessKeyId, secretAccessKey, ...(isText(sessionToken) ? { sessionToken } : {}) },
    expiresAtMs: Number.isNaN(endMs) ? nowMs + DEFAULT_LIFE_MS : endMs,
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)

/** Text of the first element of a name. What is read holds no markup and no entities. */
const element = (xml: string, name: string): string | undefined => {
  const start = xml.indexOf(`<${name}>`)
  const end = xml.indexOf(`</${name}>`, start)
  return start === -1 || end === -1 ? undefined : xml.slice(start + name.length + 2, end).trim()
}
