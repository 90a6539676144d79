import { isRecord } from '../../core/json/record.ts'
import { clip, openaiFailure } from '../provider/failure.ts'
import type { Failure } from '../provider/provider.ts'

/** What follows repeats the request as it was signed, tokens in it. */
const REPEATED = /\s*The Canonical String for this request should have been[\s\S]*/

/**
 * An error of AWS: `{message}` or `{Message}`, its name in `__type` (AWS JSON and REST-JSON protocols of the Smithy specification,
 * read 2026-11-22) or in `type`, where an event of a stream told it.
 */
export const awsFailure = (status: number, body: unknown): Failure => {
  if (typeof body === 'string') return inXML(status, body)
  if (!isRecord(body)) return openaiFailure(status, body)
  const message = textOf(body.message) ?? textOf(body.Message) ?? textOf(body.OriginalMessage)
  if (message === undefined) return openaiFailure(status, body)
  const name = (textOf(body.__type) ?? textOf(body.type) ?? '').split('#').at(-1)?.split(':')[0] ?? ''
  return { message: clip(message.replace(REPEATED, ''), status), type: name === '' ? null : name }
}

/** An error of S3 ("Error Responses" of its API reference, read 2026-11-25). */
const inXML = (status: number, body: string): Failure => {
  const [, code] = /<Code>([^<]*)<\/Code>/.exec(body) ?? []
  const [, message] = /<Message>([^<]*)<\/Message>/.exec(body) ?? []
  return code === undefined || !body.includes('<Error>')
    ? openaiFailure(status, body)
    : { message: clip(message ?? code, status), type: code }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Status of an exception that comes inside a stream (botocore 1.44.5, `bedrock-runtime` and `sagemaker-runtime`, read 2026-11-22). */
const STATUS_BY_NAME: Readonly<Record<string, number>> = {
  accessdeniedexception: 403,
  internalserverexception: 500,
  internalstreamfailure: 500,
  modelerrorexception: 424,
  modelnotreadyexception: 429,
  modelstreamerror: 424,
  modelstreamerrorexception: 424,
  modeltimeoutexception: 408,
  resourcenotfoundexception: 404,
  servicequotaexceededexception: 400,
  serviceunavailableexception: 503,
  throttlingexception: 429,
  validationexception: 400,
}

/** @param name of an exception, in any case */
export const statusOfException = (name: string): number => {
  const key = name.toLowerCase()
  return (Object.hasOwn(STATUS_BY_NAME, key) ? STATUS_BY_NAME[key] : undefined) ?? 502
}
