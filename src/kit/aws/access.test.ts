import { describe, expect, test } from 'bun:test'
import { HeaderList } from '../../core/header-fields.ts'
import type { LoginAnswer, LoginRequest } from '../../core/logins.ts'
import { GatewayError, InvalidRequest, ProviderKeyRequired } from '../../errors/gateway-error.ts'
import type { Credentials } from '../provider/provider.ts'
import { FAKE_NOW_MS, fakeHost } from '../testing.ts'
import { type AwsConfig, createAwsAccess } from './access.ts'

const KEYS = { aws_access_key_id: 'AKIDEXAMPLE12345', aws_secret_access_key: 'secret-of-the-caller' }
const ROLE = 'arn:aws:iam::123456789012:role/models'
const REQUEST = {
  method: 'POST',
  url: 'https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse',
  body: '{}',
  isStreamed: false,
}

const later = (ms: number) => new Date(FAKE_NOW_MS + ms).toISOString()
const xml = (id: string) =>
  `<R><Credentials><AccessKeyId>${id}</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken><Expiration>${later(3_600_000)}</Expiration></Credentials></R>`
const json = (id: string) =>
  JSON.stringify({ AccessKeyId: id, SecretAccessKey: 's', Token: 't', Expiration: later(3_600_000) })

interface Setting {
  readonly config?: AwsConfig
  readonly apiKey?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly answer?: (request: LoginRequest) => LoginAnswer | Promise<LoginAnswer>
  readonly takesApiKeys?: boolean
}

const start = ({ config = {}, apiKey, environment = {}, answer, takesApiKeys = true }: Setting) => {
  const asked: LoginRequest[] = []
  const host = fakeHost({
    logins: {
      environment,
      readFile: async (path) => `token of ${path}\n`,
      send: async (request) => {
        asked.push(request)
        if (answer === undefined) throw new Error('nobody is asked')
        return answer(request)
      },
    },
  })
  const access = createAwsAccess({ provider: 'bedrock', service: 'bedrock', config, host, apiKey, takesApiKeys })
  const send = async (given: Partial<Credentials> & { readonly own?: boolean }) => {
    const headers = new HeaderList()
    const { own, ...credentials } = given
    const settings = { aws_region: 'us-east-1', ...credentials.settings }
    await access.authorize(
      headers,
      { apiKey: own === true ? (access.apiKey ?? '') : '', ...credentials, settings },
      REQUEST,
    )
    return Object.fromEntries(headers)
  }
  return { access, asked, host, send }
}

const idOf = ({ authorization = '' }: Readonly<Record<string, string>>) => /Credential=(\w+)\//.exec(authorization)?.[1]

const thrownBy = async (run: () => unknown): Promise<unknown> => {
  try {
    await run()
  } catch (error) {
    return error
  }
  return undefined
}

test('keys of the call sign it', async () => {
  const { send, asked } = start({})
  const headers = await send({ settings: { ...KEYS, aws_session_token: 'token' } })
  expect(idOf(headers)).toBe(KEYS.aws_access_key_id)
  expect(headers['x-amz-security-token']).toBe('token')
  expect(asked).toEqual([])
})

test('an API key is sent as it is, where the service has such keys', async () => {
  expect(await start({}).send({ apiKey: 'bedrock-key' })).toEqual({ authorization: 'Bearer bedrock-key' })
  const thrown = await thrownBy(() => start({ takesApiKeys: false }).send({ apiKey: 'bedrock-key' }))
  expect(thrown).toBeInstanceOf(ProviderKeyRequired)
})

test('a call without any login is not signed', async () => {
  expect(await start({ config: { accessKeyId: KEYS.aws_access_key_id, secretAccessKey: 'own' } }).send({})).toEqual({})
})

describe('settings that cannot be followed are refused by their name', () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ['aws_access_key_id', { aws_access_key_id: KEYS.aws_access_key_id }],
    ['aws_access_key_id', { ...KEYS, aws_access_key_id: 'a b' }],
    ['aws_secret_access_key', { aws_secret_access_key: 'x' }],
    ['aws_secret_access_key', { ...KEYS, aws_secret_access_key: 'a\r\nb' }],
    ['aws_session_token', { aws_session_token: 'x' }],
    ['aws_role_arn', { ...KEYS, aws_role_arn: 'x' }],
    ['aws_role_arn', { aws_role_arn: ROLE }],
    ['aws_external_id', { ...KEYS, aws_external_id: 'xyz' }],
    ['aws_external_id', { ...KEYS, aws_role_arn: ROLE, aws_external_id: '<' }],
    ['aws_auth_type', { ...KEYS, aws_auth_type: 'magic' }],
    ['aws_auth_type', { aws_auth_type: 'accessKey' }],
    ['aws_auth_type', { ...KEYS, aws_auth_type: 'assumedRole' }],
    ['aws_region', { ...KEYS, aws_region: 'moon' }],
  ])('%s in %j', async (param, settings) => {
    const { send } = start({ config: { machineLogin: true } })
    const thrown = await thrownBy(() => send({ settings, own: true }))
    expect(thrown).toBeInstanceOf(InvalidRequest)
    expect(thrown).toMatchObject({ options: { param } })
  })

  test.each<[string, AwsConfig]>([
    ['a lone access key', { accessKeyId: KEYS.aws_access_key_id }],
    ['an external id without a role', { externalId: 'abc' }],
  ])('%s stops the start', (_, config) => {
    expect(() => start({ config })).toThrow('bedrock: ')
  })

  test('an API key beside another login stops the start', () => {
    expect(() => start({ apiKey: 'k', config: { machineLogin: true } })).toThrow('exclude each other')
  })
})

describe('the login of the operator', () => {
  const config = { accessKeyId: 'AKIDOPERATOR1234', secretAccessKey: 'secret of the operator' }

  test('signs calls that are given it, and no others', async () => {
    const { send } = start({ config: { ...config, secretAccessKey: 'secret-of-the-operator' } })
    expect(idOf(await send({ own: true }))).toBe('AKIDOPERATOR1234')
    expect(await send({ apiKey: 'guess' })).toEqual({ authorization: 'Bearer guess' })
    expect(idOf(await send({ own: true, settings: KEYS }))).toBe(KEYS.aws_access_key_id)
  })

  test('is not what the engine takes for its key', () => {
    const { access } = start({ config: { ...config, secretAccessKey: 'secret-of-the-operator' } })
    expect(access.apiKey).not.toContain('secret')
    expect(access.apiKey).toStartWith('bedrock-login-')
  })
})

describe('a role', () => {
  const answer = () => ({ status: 200, text: xml('ASIAROLE12345678') })
  const settings = { ...KEYS, aws_role_arn: ROLE, aws_external_id: 'ext-1', aws_auth_type: 'assumedRole' }

  test('is taken on once for all calls, with the keys of the call', async () => {
    const { send, asked } = start({ answer })
    const all = await Promise.all([send({ settings }), send({ settings }), send({ settings })])
    expect(all.map(idOf)).toEqual(['ASIAROLE12345678', 'ASIAROLE12345678', 'ASIAROLE12345678'])
    expect(all[0]?.['x-amz-security-token']).toBe('t')
    expect(asked.length).toBe(1)
    const [{ url, body, headers, asMachine } = { url: '' }] = asked
    expect(url).toBe('https://sts.us-east-1.amazonaws.com/')
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      Action: 'AssumeRole',
      Version: '2011-06-15',
      RoleArn: ROLE,
      RoleSessionName: 'weir',
      DurationSeconds: '3600',
      ExternalId: 'ext-1',
    })
    expect(headers?.authorization).toContain('/us-east-1/sts/aws4_request')
    expect(asMachine).toBeUndefined()
  })

  test('of other keys is another one', async () => {
    const { send, asked } = start({ answer })
    await send({ settings })
    await send({ settings: { ...settings, aws_secret_access_key: 'another' } })
    await send({ settings: { ...settings, aws_external_id: 'ext-2' } })
    expect(asked.length).toBe(3)
  })

  test('is at hand at once when it is known, and renewed before it ends', async () => {
    const { access, host, send, asked } = start({ answer })
    await send({ settings })
    host.advance(3_500_000)
    const headers = new HeaderList()
    await access.authorize(headers, { apiKey: '', settings: { ...settings, aws_region: 'us-east-1' } }, REQUEST)
    expect(headers.get('authorization')).toContain('ASIAROLE')
    expect(asked.length).toBe(2)
  })

  test('that is refused is told without secrets', async () => {
    const text = `<Error><Code>AccessDenied</Code><Message>not you, ${KEYS.aws_secret_access_key}</Message></Error>`
    const { send } = start({ answer: () => ({ status: 403, text }) })
    const thrown = await thrownBy(() => send({ settings }))
    expect(thrown).toBeInstanceOf(GatewayError)
    expect(thrown).toMatchObject({ status: 401, options: { wireCode: 'provider_login_failed' } })
    expect(String(thrown)).toContain('AccessDenied')
    expect(String(thrown)).not.toContain(KEYS.aws_secret_access_key)
  })

  test('needs the machine where no keys come with it: only a stored provider may ask for that', async () => {
    const environment = { AWS_ACCESS_KEY_ID: 'AKIDMACHINE12345', AWS_SECRET_ACCESS_KEY: 's' }
    const { send, asked } = start({ answer, environment })
    const roleOnly = { aws_role_arn: ROLE, aws_auth_type: 'assumedRole' }
    expect(await thrownBy(() => send({ settings: roleOnly }))).toMatchObject({ options: { param: 'aws_role_arn' } })
    expect(asked).toEqual([])
    expect(idOf(await send({ settings: roleOnly, isStored: true }))).toBe('ASIAROLE12345678')
    expect(asked[0]?.headers?.authorization).toContain('AKIDMACHINE12345')
  })

  test('goes to the service that the environment names', async () => {
    const { send, asked } = start({ answer, environment: { AWS_ENDPOINT_URL_STS: 'https://sts.example/' } })
    await send({ settings })
    expect(asked[0]?.url).toBe('https://sts.example/')
  })
})

describe('the identity of the machine', () => {
  const own = { config: { machineLogin: true } }

  test('comes from the environment', async () => {
    const environment = { AWS_ACCESS_KEY_ID: 'AKIDMACHINE12345', AWS_SECRET_ACCESS_KEY: 's', AWS_SESSION_TOKEN: 't' }
    const { send } = start({ ...own, environment })
    expect(await send({ own: true })).toMatchObject({ 'x-amz-security-token': 't' })
  })

  test('comes from a web identity (IRSA)', async () => {
    const environment = { AWS_WEB_IDENTITY_TOKEN_FILE: '/token', AWS_ROLE_ARN: ROLE, AWS_REGION: 'eu-west-1' }
    const { send, asked } = start({
      ...own,
      environment,
      answer: () => ({ status: 200, text: xml('ASIAWEB123456789') }),
    })
    expect(idOf(await send({ own: true }))).toBe('ASIAWEB123456789')
    expect(asked[0]?.url).toBe('https://sts.eu-west-1.amazonaws.com/')
    const form = new URLSearchParams(asked[0]?.body)
    expect(form.get('Action')).toBe('AssumeRoleWithWebIdentity')
    expect(form.get('WebIdentityToken')).toBe('token of /token')
  })

  test.each<[string, Readonly<Record<string, string>>, string, string | undefined]>([
    [
      'ECS',
      { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/v2/credentials/1' },
      'http://169.254.170.2/v2/credentials/1',
      undefined,
    ],
    [
      'EKS',
      {
        AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://169.254.170.23/v1/credentials',
        AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: '/token',
      },
      'http://169.254.170.23/v1/credentials',
      'token of /token',
    ],
  ])('comes from a container of %s', async (_, environment, url, token) => {
    const { send, asked } = start({
      ...own,
      environment,
      answer: () => ({ status: 200, text: json('ASIACONT12345678') }),
    })
    expect(idOf(await send({ own: true }))).toBe('ASIACONT12345678')
    expect(asked[0]).toMatchObject({ method: 'GET', url, asMachine: true })
    expect(asked[0]?.headers?.authorization).toBe(token as string)
  })

  test('comes from the instance, with a token first (IMDSv2)', async () => {
    const { send, asked } = start({
      ...own,
      answer: ({ method, url }) => {
        if (method === 'PUT') return { status: 200, text: 'imds-token' }
        return { status: 200, text: url.endsWith('/models-role') ? json('ASIAINST12345678') : 'models-role\n' }
      },
    })
    expect(idOf(await send({ own: true }))).toBe('ASIAINST12345678')
    const base = 'http://169.254.169.254/latest'
    expect(asked.map(({ method, url, asMachine }) => [method, url, asMachine])).toEqual([
      ['PUT', `${base}/api/token`, true],
      ['GET', `${base}/meta-data/iam/security-credentials/`, true],
      ['GET', `${base}/meta-data/iam/security-credentials/models-role`, true],
    ])
    expect(asked[1]?.headers?.['x-aws-ec2-metadata-token']).toBe('imds-token')
  })

  test.each<[string, Setting]>([
    ['switched off', { ...own, environment: { AWS_EC2_METADATA_DISABLED: 'true' } }],
    ['without a token', { ...own, answer: () => ({ status: 403, text: '' }) }],
    ['without a role', { ...own, answer: ({ method }) => ({ status: method === 'PUT' ? 200 : 404, text: 'x' }) }],
    [
      'without keys',
      {
        ...own,
        environment: { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/x' },
        answer: () => ({ status: 200, text: '{}' }),
      },
    ],
  ])('that is %s is an error that says so', async (_, setting) => {
    const thrown = await thrownBy(() => start(setting).send({ own: true }))
    expect(thrown).toBeInstanceOf(GatewayError)
    expect(String(thrown)).toContain("login at 'bedrock'")
  })
})

test('a body that streams is refused', async () => {
  const { access } = start({})
  const credentials = { apiKey: '', settings: { ...KEYS, aws_region: 'us-east-1' } }
  const thrown = await thrownBy(() => access.authorize(new HeaderList(), credentials, { ...REQUEST, isStreamed: true }))
  expect(thrown).toMatchObject({ options: { param: 'body' } })
})
