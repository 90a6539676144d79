import { InvalidRequest } from '../../errors/gateway-error.ts'
import type { AwsKeys } from './sign.ts'

type Settings = Readonly<Record<string, string>>

/** How requests come to the keys that they are signed with. */
export interface AwsLogin {
  /** Absent: the machine's own. */
  readonly keys?: AwsKeys | undefined
  /** Taken on with those keys. */
  readonly role?: { readonly arn: string; readonly externalId?: string | undefined } | undefined
}

/** Settings of a login, by their names in configs, and the suffixes of their headers (behaviour reference, section 1.3). */
export const LOGIN_SETTINGS = {
  aws_auth_type: 'aws-auth-type',
  aws_access_key_id: 'aws-access-key-id',
  aws_secret_access_key: 'aws-secret-access-key',
  aws_session_token: 'aws-session-token',
  aws_role_arn: 'aws-role-arn',
  aws_external_id: 'aws-external-id',
} as const

export const ROLE_ARN = /^arn:aws(?:-[a-z]+){0,3}:iam::\d{12}:role\/[\w+=,.@/-]{1,576}$/
/** As STS takes it ("AssumeRole", API reference of STS, read 2026-11-22). */
export const EXTERNAL_ID = /^[\w+=,.@:/-]{2,1224}$/
const ACCESS_KEY_ID = /^\w{16,128}$/
const VISIBLE = /^[\x21-\x7e]{1,8192}$/

const refuse = (param: string, problem: string): never => {
  throw new InvalidRequest(`\`${param}\` ${problem}`, { param })
}

/**
 * The login that settings say, undefined where they say none. A setting that cannot be followed is refused: nothing else takes its
 * place.
 * @throws InvalidRequest naming the setting
 */
export const readLogin = (settings: Settings): AwsLogin | undefined => {
  const said = (name: keyof typeof LOGIN_SETTINGS): string | undefined => settings[name] || undefined
  const type = said('aws_auth_type')
  if (type !== undefined && type !== 'accessKey' && type !== 'assumedRole') {
    return refuse('aws_auth_type', 'must be accessKey or assumedRole.')
  }
  const keys = readKeys(settings)
  const arn = said('aws_role_arn')
  if (arn !== undefined && !ROLE_ARN.test(arn)) return refuse('aws_role_arn', 'must be the ARN of a role.')
  const externalId = said('aws_external_id')
  if (externalId !== undefined && !EXTERNAL_ID.test(externalId)) return refuse('aws_external_id', 'is no external id.')
  if (arn === undefined || type === 'accessKey') {
    if (externalId !== undefined && arn === undefined) return refuse('aws_external_id', 'needs `aws_role_arn`.')
    if (type === 'assumedRole') return refuse('aws_auth_type', 'needs `aws_role_arn` for assumedRole.')
    if (type === 'accessKey' && keys === undefined) {
      return refuse('aws_auth_type', 'needs `aws_access_key_id` and `aws_secret_access_key` for accessKey.')
    }
    return keys === undefined ? undefined : { keys }
  }
  return { keys, role: { arn, externalId } }
}

const readKeys = ({
  aws_access_key_id: accessKeyId = '',
  aws_secret_access_key: secretAccessKey = '',
  aws_session_token: sessionToken = '',
}: Settings): AwsKeys | undefined => {
  if (accessKeyId === '' && secretAccessKey === '') {
    return sessionToken === '' ? undefined : refuse('aws_session_token', 'needs the keys that it belongs to.')
  }
  if (secretAccessKey === '') return refuse('aws_access_key_id', 'needs `aws_secret_access_key`.')
  if (accessKeyId === '') return refuse('aws_secret_access_key', 'needs `aws_access_key_id`.')
  if (!ACCESS_KEY_ID.test(accessKeyId)) return refuse('aws_access_key_id', 'is no id of an access key.')
  if (!VISIBLE.test(secretAccessKey)) return refuse('aws_secret_access_key', 'is no secret key.')
  if (sessionToken !== '' && !VISIBLE.test(sessionToken)) return refuse('aws_session_token', 'is no session token.')
  return { accessKeyId, secretAccessKey, ...(sessionToken === '' ? {} : { sessionToken }) }
}
