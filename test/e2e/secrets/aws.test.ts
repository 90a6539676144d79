import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { AwsClient } from 'aws4fetch'
import type { SecretSource } from '../../../src/secret-managers/manager.ts'
import { freePort, spawnMoto } from '../../support/moto.ts'
import { eventually, stopChild } from '../../support/start-process.ts'
import { type FakeAws, startFakeAws } from '../logins/fake-aws.ts'
import { CANARY as SIGNED } from '../logins/support.ts'
import { CANARY, startReader, type TestReader } from './support.ts'

const REGION = 'eu-central-1'
const source = (auth: Readonly<Record<string, string>>, path = 'prod/openai'): SecretSource => ({
  managerType: 'aws_sm',
  path,
  auth: { aws_region: REGION, ...auth },
})
const CALLER = {
  aws_auth_type: 'accessKey',
  aws_access_key_id: 'AKIDCALLER123456',
  aws_secret_access_key: `caller-${SIGNED}`,
}
const ROLE = {
  aws_auth_type: 'assumedRole',
  aws_role_arn: 'arn:aws:iam::123456789012:role/weir',
  aws_external_id: 'ours',
}

describe('requests, each signature made again by another implementation', () => {
  let aws: FakeAws
  let reader: TestReader
  beforeEach(() => {
    aws = startFakeAws('bedrock')
    // As the API reference of `GetSecretValue` shows it (read 2026-11-25).
    aws.instead = {
      ARN: `arn:aws:secretsmanager:${REGION}:123456789012:secret:prod/openai-a1b2c3`,
      Name: 'prod/openai',
      VersionId: 'a1b2c3d4-5678-90ab-cdef-EXAMPLE11111',
      SecretString: `{"api_key":"sk-${CANARY}"}`,
      VersionStages: ['AWSCURRENT'],
      CreatedDate: 1_523_477_145.713,
    }
    reader = startReader({
      environment: {
        AWS_ENDPOINT_URL_SECRETS_MANAGER: `${aws.url}/secrets`,
        AWS_ENDPOINT_URL_STS: aws.url,
        AWS_ACCESS_KEY_ID: 'AKIDOPERATOR1234',
        AWS_SECRET_ACCESS_KEY: `operator-${SIGNED}`,
      },
    })
  })
  afterEach(async () => {
    reader.close()
    await aws.close()
  })
  const signers = () =>
    aws.requests.map(({ headers }) =>
      /Credential=(\w+)\/\d+\/([\w-]+)\/(\w+)/.exec(headers.get('authorization') ?? '')?.slice(1),
    )

  test('are of the documented form, and signed with the keys of the reference', async () => {
    expect(await reader.read(source(CALLER))).toEqual({ text: `{"api_key":"sk-${CANARY}"}` })
    const [sent] = aws.requests
    expect([sent?.method, sent?.path, sent?.body]).toEqual(['POST', '/secrets/', '{"SecretId":"prod/openai"}'])
    expect(sent?.headers.get('x-amz-target')).toBe('secretsmanager.GetSecretValue')
    expect(sent?.headers.get('content-type')).toBe('application/x-amz-json-1.1')
    expect(signers()).toEqual([['AKIDCALLER123456', REGION, 'secretsmanager']])
  })

  test('are signed as this machine for `serviceRole`, and with a role that it takes on for `assumedRole`', async () => {
    await reader.read({
      ...source({ aws_auth_type: 'serviceRole' }),
      auth: { aws_auth_type: 'serviceRole', aws_region: REGION },
    })
    await Promise.all([reader.read(source(ROLE)), reader.read(source(ROLE, 'prod/other'))])
    expect(signers()).toEqual([
      ['AKIDOPERATOR1234', REGION, 'secretsmanager'],
      ['AKIDOPERATOR1234', REGION, 'sts'],
      ['ASIAROLE12345678', REGION, 'secretsmanager'],
      ['ASIAROLE12345678', REGION, 'secretsmanager'],
    ])
    expect(aws.requests[1]?.body).toContain('ExternalId=ours')
    expect(aws.roles).toBe(1)
  })

  test('without a region go to that of the machine, or nowhere', async () => {
    const { aws_region: _, ...auth } = source({ aws_auth_type: 'serviceRole' }).auth
    expect(await reader.failure({ managerType: 'aws_sm', path: 'a', auth })).toEqual([
      'refused',
      'it names no region, and this machine has none (`AWS_REGION`)',
    ])
  })

  test('that are refused say who refused them', async () => {
    const wrong = { ...CALLER, aws_secret_access_key: `wrong-${CANARY}` }
    expect(await reader.failure(source(wrong))).toEqual(['refused', 'its manager refuses to show it'])
    aws.roleStatus = 403
    expect(await reader.failure(source(ROLE))).toEqual(['refused', 'its manager refuses the login'])
    aws.roleStatus = 500
    expect((await reader.failure(source({ ...ROLE, aws_external_id: 'others' })))[0]).toBe('away')
    const bytes = { SecretBinary: Buffer.from(`sk-${CANARY}`).toString('base64') }
    aws.instead = bytes
    expect(await reader.read(source(CALLER))).toEqual({ text: `sk-${CANARY}` })
    aws.instead = { SecretBinary: Buffer.from([0xff, 0xfe]).toString('base64') }
    expect(await reader.failure(source(CALLER))).toEqual(['unusable', 'it is no text'])
    aws.instead = { SecretString: '' }
    expect(await reader.failure(source(CALLER))).toEqual(['unusable', 'it is empty'])
  })
})

test.each([
  // Errors of "GetSecretValue" and the common ones, API reference, read 2026-11-25.
  ['com.amazonaws.secretsmanager#ResourceNotFoundException', 400, 'refused', 'its manager has no such secret'],
  ['InvalidRequestException', 400, 'refused', 'its manager does not give it out'],
  ['AccessDeniedException', 400, 'refused', 'its manager refuses to show it'],
  ['ThrottlingException', 400, 'away', 'its manager answers with status 503'],
  ['InternalServiceError', 500, 'away', 'its manager answers with status 503'],
  ['', 502, 'away', 'its manager answers with status 502'],
] as const)('what AWS says with %s', async (type, status, outcome, message) => {
  const text = JSON.stringify({ __type: type, Message: `something of ${CANARY}` })
  const reader = startReader({ send: async () => ({ status, text }) })
  expect(await reader.failure(source(CALLER))).toEqual([outcome, message])
  reader.close()
})

describe('moto, which is the whole of Secrets Manager and STS', () => {
  let moto: Bun.Subprocess
  let reader: TestReader
  beforeAll(async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    moto = spawnMoto(port)
    const client = new AwsClient({
      accessKeyId: 'an-id',
      secretAccessKey: 'a-key',
      region: REGION,
      service: 'secretsmanager',
      retries: 0,
    })
    const create = async (): Promise<boolean> => {
      const body = JSON.stringify({ Name: 'prod/openai', SecretString: `sk-${CANARY}` })
      const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'secretsmanager.CreateSecret' }
      return client.fetch(`${url}/`, { method: 'POST', headers, body }).then(
        ({ ok }) => ok,
        () => false,
      )
    }
    if (!(await eventually(create, 60_000))) throw new Error('moto did not start')
    reader = startReader({
      environment: {
        AWS_ENDPOINT_URL_SECRETS_MANAGER: url,
        AWS_ENDPOINT_URL_STS: url,
        AWS_ACCESS_KEY_ID: 'AKIDOPERATOR1234',
        AWS_SECRET_ACCESS_KEY: 'a-key-of-the-machine',
      },
    })
  }, 70_000)
  afterAll(async () => {
    reader?.close()
    if (moto !== undefined) await stopChild(moto, 'SIGKILL')
  })

  test('gives a secret by its name, to keys and to a role, and knows no other', async () => {
    expect(await reader.read(source(CALLER))).toEqual({ text: `sk-${CANARY}` })
    expect(await reader.read(source(ROLE))).toEqual({ text: `sk-${CANARY}` })
    expect(await reader.failure(source(CALLER, 'prod/none'))).toEqual(['refused', 'its manager has no such secret'])
  })
})
