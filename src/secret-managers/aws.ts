import { HeaderList } from '../core/header-fields.ts'
import { createAwsAccess } from '../kit/aws/access.ts'
import { serviceURL } from '../kit/aws/region.ts'
import { ask, bodyOf, checkedText, notThere, parsedRecord, statusFailure, toFailure } from './answer.ts'
import { type ReadSecret, SecretFailure } from './manager.ts'
import type { ReaderOptions } from './readers.ts'

const SERVICE = 'secretsmanager'
const TYPE = 'application/x-amz-json-1.1'

/**
 * AWS Secrets Manager, `GetSecretValue`: JSON 1.1, signed (version 4). Source: API reference of Secrets Manager and
 * botocore 1.44.5, `data/secretsmanager/2017-10-17/service-2.json` (read 2026-11-25).
 */
export const createAwsReader = ({ clock, log, randomId, means }: ReaderOptions): ReadSecret => {
  const access = createAwsAccess({
    provider: 'aws_sm',
    service: SERVICE,
    // For references without keys of their own: whether they may, the rules say.
    config: { machineLogin: true },
    host: { clock, log, randomId, logins: means.logins },
    takesApiKeys: false,
  })
  return async ({ auth, path }) => {
    const { environment } = means.logins
    const region = auth.aws_region ?? environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION ?? ''
    if (region === '')
      throw new SecretFailure('refused', 'it names no region, and this machine has none (`AWS_REGION`)')
    const isMachine = auth.aws_auth_type === 'serviceRole'
    const { aws_auth_type: type, ...fields } = auth
    const settings = {
      ...fields,
      aws_region: region,
      ...(isMachine || type === undefined ? {} : { aws_auth_type: type }),
    }
    const credentials = { apiKey: isMachine ? (access.apiKey ?? '') : '', settings, isStored: true as const }
    const named = environment.AWS_ENDPOINT_URL_SECRETS_MANAGER ?? ''
    const body = JSON.stringify({ SecretId: path })
    const headers = new HeaderList()
    headers.set('content-type', TYPE)
    headers.set('x-amz-target', `${SERVICE}.GetSecretValue`)
    try {
      const url = `${named === '' ? serviceURL(SERVICE, region) : named.replace(/\/+$/, '')}/`
      await access.authorize(headers, credentials, { method: 'POST', url, body, isStreamed: false })
      const answer = await ask(means.logins, { method: 'POST', url, headers: Object.fromEntries(headers), body })
      if (answer.status !== 200) throw failureOf(answer.status, answer.text)
      return { text: checkedText(textOf(bodyOf(answer))) }
    } catch (thrown) {
      const failure = toFailure(thrown)
      if (failure.outcome === 'refused') access.refused?.(credentials)
      throw failure
    }
  }
}

/** A text, or bytes in base 64 that have to be one. */
const textOf = ({ SecretString: text, SecretBinary: binary }: Readonly<Record<string, unknown>>): string => {
  if (typeof text === 'string') return text
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(String(binary ?? ''), 'base64'))
  } catch {
    throw new SecretFailure('unusable', 'it is no text')
  }
}

/** Faults of AWS that pass, although it answers with 400. */
const PASSING = /Throttl|TooManyRequests|RequestLimitExceeded|InternalService|ServiceUnavailable/

const failureOf = (status: number, text: string): SecretFailure => {
  const type = String(parsedRecord(text)?.__type ?? '').replace(/^.*#/, '')
  if (PASSING.test(type)) return statusFailure(503)
  if (type === 'ResourceNotFoundException') return notThere()
  // Of a secret that is about to be deleted, too.
  if (type === 'InvalidRequestException') return new SecretFailure('refused', 'its manager does not give it out')
  return statusFailure(status === 400 ? 403 : status)
}
