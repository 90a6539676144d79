import { type Static, Type as t } from '@sinclair/typebox'
import type { HeaderFields } from '../../core/header-fields.ts'
import { InvalidRequest, ProviderKeyRequired } from '../../errors/gateway-error.ts'
import type { Host } from '../plugin.ts'
import { createTokenCache } from '../provider/login/token-cache.ts'
import type { Credentials, OutgoingRequest, Provider } from '../provider/provider.ts'
import { assumeRole, type Exchange, machineKeys } from './exchange.ts'
import { type AwsLogin, EXTERNAL_ID, LOGIN_SETTINGS, ROLE_ARN, readLogin } from './login.ts'
import { checkRegion, REGION } from './region.ts'
import { type AwsKeys, signRequest } from './sign.ts'

/** Settings that every provider on AWS has. */
export const AWS_SETTINGS = { aws_region: 'aws-region', ...LOGIN_SETTINGS } as const

/** The config block that every provider on AWS has: the operator's own region and login. */
export const awsConfig = {
  region: t.Optional(
    t.String({ pattern: REGION.source, description: 'Region of calls that name none: `eu-central-1`.' }),
  ),
  accessKeyId: t.Optional(
    t.String({
      minLength: 1,
      description: 'Access key of calls that bring none of their own. Needs `secretAccessKey`.',
    }),
  ),
  secretAccessKey: t.Optional(
    t.String({
      minLength: 1,
      description: 'Secret of `accessKeyId`. Write it as an environment reference: ${AWS_SECRET_ACCESS_KEY}.',
    }),
  ),
  sessionToken: t.Optional(t.String({ minLength: 1, description: 'Token of `accessKeyId`, for keys that end.' })),
  roleArn: t.Optional(
    t.String({
      pattern: ROLE_ARN.source,
      description: 'Role that is taken on with the access key, or without one as the machine that Weir runs on.',
    }),
  ),
  externalId: t.Optional(t.String({ pattern: EXTERNAL_ID.source, description: 'External id that the role asks for.' })),
  machineLogin: t.Optional(
    t.Boolean({
      description:
        'Calls that bring no login are made as the machine that Weir runs on: environment, web identity (IRSA), ECS or EKS Pod Identity, instance role.',
    }),
  ),
}

const Config = t.Object(awsConfig)
export type AwsConfig = Static<typeof Config>

export interface AwsAccessOptions {
  /** Id of the provider. */
  readonly provider: string
  /** Name that its requests are signed for: `bedrock`. */
  readonly service: string
  readonly config: AwsConfig
  readonly host: Pick<Host, 'clock' | 'log' | 'logins' | 'randomId'>
  /** Key of the service that is sent as it is, from the operator's config; `none` for a service without such keys. */
  readonly apiKey?: string | undefined
  /** Whether the service has keys that are sent as they are. */
  readonly takesApiKeys: boolean
  /** Whether the operator's login is for the files of the place that these settings name: for a provider with files in S3. */
  readonly isOwnBucket?: (settings: Readonly<Record<string, string>>) => boolean
}

/** What a provider on AWS takes over from here. */
export type AwsAccess = Pick<Provider, 'apiKey' | 'keySettings' | 'defaultSettings' | 'authorize' | 'refused'>

/**
 * The login of a provider on AWS: keys of the call, of a stored provider or of the operator, a role taken on with them, or the
 * identity of the machine, which only the operator and stored providers may ask for.
 * @throws Error for a config that cannot be followed
 */
export const createAwsAccess = (options: AwsAccessOptions): AwsAccess => {
  const { provider, config, host, takesApiKeys, isOwnBucket } = options
  const cache = createTokenCache<AwsKeys>({ provider, clock: host.clock, log: host.log })
  const exchange: Exchange = { logins: host.logins, provider, now: () => host.clock.now() }
  const own = ownLogin(config, provider)
  if (own !== undefined && options.apiKey !== undefined) {
    throw new Error(`${provider}: \`apiKey\` and another login exclude each other`)
  }
  // Stands for the operator's login where the engine asks for a key. Nobody can guess it, and it goes nowhere.
  const ownMark = own === undefined ? undefined : `${provider}-login-${host.randomId()}`

  /** Keys that a login is signed with, and what it is kept under where it has to be exchanged first. */
  const keysOf = (login: AwsLogin, region: string): AwsKeys | Promise<AwsKeys> => {
    const { role } = login
    const base = login.keys ?? (role === undefined ? undefined : own?.keys)
    if (role !== undefined) {
      return cache.get(identityOf(login, base, region), async () =>
        assumeRole(exchange, role, base ?? (await machine(region)), region),
      )
    }
    return base ?? machine(region)
  }
  const machine = (region: string): AwsKeys | Promise<AwsKeys> =>
    cache.get(['machine'], () => machineKeys(exchange, region))

  /** The login of a call; undefined for one that brings a key of the service, or none. */
  const loginOf = ({ apiKey, settings, isStored }: Credentials): AwsLogin | undefined => {
    const asked = readLogin(settings)
    if (asked === undefined) return ownMark !== undefined && apiKey === ownMark ? own : undefined
    if (asked.keys === undefined && isStored !== true) {
      throw new InvalidRequest(
        "The role would be taken on as this machine, whose identity is not its callers': send keys too.",
        {
          param: 'aws_role_arn',
        },
      )
    }
    return asked
  }

  const sign = (headers: HeaderFields, keys: AwsKeys, region: string, request: OutgoingRequest): Promise<void> => {
    const { service = options.service } = request
    return signRequest(headers, keys, { region, service }, request, new Date(host.clock.now()))
  }

  /** @throws ProviderKeyRequired for a bucket that the login of the call is not for */
  const checkBucket = (login: AwsLogin | undefined, settings: Credentials['settings']): void => {
    if (login === undefined) {
      throw new ProviderKeyRequired(`The files of '${provider}' are in S3, which takes an access key or a role alone.`)
    }
    if (login !== own || isOwnBucket?.(settings) === true) return
    throw new ProviderKeyRequired(
      "The call names a bucket that is not the operator's, so it must bring the keys of it too.",
    )
  }

  return {
    ...(ownMark === undefined ? (options.apiKey === undefined ? {} : { apiKey: options.apiKey }) : { apiKey: ownMark }),
    keySettings: Object.keys(LOGIN_SETTINGS),
    ...(config.region === undefined ? {} : { defaultSettings: { aws_region: config.region } }),
    authorize(headers, credentials, request) {
      const login = loginOf(credentials)
      if (request.service === S3) checkBucket(login, credentials.settings)
      if (login === undefined) {
        if (credentials.apiKey === '') return
        if (takesApiKeys) return headers.set('authorization', `Bearer ${credentials.apiKey}`)
        throw new ProviderKeyRequired(`The provider '${provider}' needs an access key of AWS: it has no other keys.`)
      }
      if (request.isStreamed && request.service !== S3) {
        throw new InvalidRequest('A body that streams cannot be signed for AWS: send it whole, or with an API key.', {
          param: 'body',
        })
      }
      const region = checkRegion(credentials.settings.aws_region)
      const keys = keysOf(login, region)
      return keys instanceof Promise
        ? keys.then((ready) => sign(headers, ready, region, request))
        : sign(headers, keys, region, request)
    },
    refused(credentials) {
      const login = loginOf(credentials)
      if (login?.role === undefined) return
      const region = credentials.settings.aws_region ?? ''
      cache.refused(identityOf(login, login.keys ?? own?.keys, region))
    },
  }
}

const S3 = 's3'

const identityOf = ({ role }: AwsLogin, keys: AwsKeys | undefined, region: string): readonly string[] => [
  'role',
  role?.arn ?? '',
  role?.externalId ?? '',
  region,
  keys?.accessKeyId ?? '',
  keys?.secretAccessKey ?? '',
  keys?.sessionToken ?? '',
]

/** @throws Error */
const ownLogin = (config: AwsConfig, provider: string): AwsLogin | undefined => {
  const { accessKeyId, secretAccessKey, sessionToken, roleArn, externalId, machineLogin } = config
  const said = {
    aws_access_key_id: accessKeyId,
    aws_secret_access_key: secretAccessKey,
    aws_session_token: sessionToken,
    aws_role_arn: roleArn,
    aws_external_id: externalId,
  }
  const settings = Object.fromEntries(
    Object.entries(said).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  try {
    return readLogin(settings) ?? (machineLogin === true ? {} : undefined)
  } catch (cause) {
    throw new Error(`${provider}: ${cause instanceof Error ? cause.message : 'the login is none'}`, { cause })
  }
}
