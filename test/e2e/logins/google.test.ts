import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportPKCS8, generateKeyPair, jwtVerify } from 'jose'
import { jsonPlan } from '../../../plugins/providers/mock/plan.ts'
import { type MockServer, startMockServer } from '../../../plugins/providers/mock/server.ts'
import { eventually } from '../../support/start-process.ts'
import {
  ask,
  CANARY,
  formOf,
  headerOf,
  type LoginGateway,
  saidBy,
  startLoginGateway,
  startTokenServer,
  storedAs,
  type TokenServer,
} from './support.ts'

const GEMINI = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
}
const PLACE = { vertex_project_id: 'project-1', vertex_region: 'us-central1' }
const MODEL = 'gemini-2.5-flash'

const keys = await generateKeyPair('RS256', { extractable: true })
const PRIVATE_KEY = await exportPKCS8(keys.privateKey)
const ACCOUNT = {
  type: 'service_account',
  project_id: 'project-1',
  private_key_id: 'key-1',
  private_key: PRIVATE_KEY,
  client_email: 'robot@project-1.iam.gserviceaccount.com',
  // Not looked at: a call may not say where its claims are sent.
  token_uri: 'https://evil.example/token',
}
const withAccount = (account: object = ACCOUNT) => ({
  'x-gateway-config': JSON.stringify({ provider: 'vertex-ai', ...PLACE, vertex_service_account_json: account }),
})

let vertex: MockServer
let tokens: TokenServer
let folder: string
let vertexStatus = 200
const opened: LoginGateway[] = []
beforeAll(async () => {
  vertex = await startMockServer({ answer: () => jsonPlan(vertexStatus, vertexStatus === 200 ? GEMINI : {}) })
  folder = await mkdtemp(join(tmpdir(), 'weir-google-'))
})
beforeEach(async () => {
  vertexStatus = 200
  tokens = await startTokenServer()
})
afterEach(() => tokens.close())
afterAll(async () => {
  for (const gateway of opened) await gateway.close()
  await vertex.close()
  await rm(folder, { recursive: true })
})

const start = async (
  settings: Readonly<Record<string, unknown>> = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<LoginGateway> => {
  const own = { baseURL: vertex.url, tokenURL: `${tokens.url}/token`, ...settings }
  const gateway = await startLoginGateway({ plugins: ['defaults', { 'vertex-ai': own }] }, environment, [
    storedAs('robot', 'vertex-ai', { ...PLACE, vertex_service_account_json: JSON.stringify(ACCOUNT) }),
    storedAs('bare', 'vertex-ai', PLACE),
  ])
  opened.push(gateway)
  return gateway
}

const fileOf = async (name: string, content: unknown): Promise<string> => {
  const path = join(folder, name)
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const OWN = { 'x-gateway-provider': 'vertex-ai' }
const withLogin = (credentialsFile: string) => ({
  projectId: 'project-1',
  region: 'us-central1',
  login: { mode: 'adc', credentialsFile },
})

describe('a service account', () => {
  test('shows a claim that it signed, once for many calls, and again before its token ends', async () => {
    const gateway = await start()
    tokens.latencyMs = 50
    const first = await Promise.all(Array.from({ length: 20 }, () => ask(gateway, withAccount(), { model: MODEL })))
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set([200]))
    expect(tokens.requests).toHaveLength(1)
    const [request] = tokens.requests
    expect([request?.method, request?.path]).toEqual(['POST', '/token'])
    const { grant_type: grant, assertion = '' } = request === undefined ? {} : formOf(request)
    expect(grant).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
    const { payload, protectedHeader } = await jwtVerify(assertion, keys.publicKey)
    expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'key-1' })
    expect(payload).toEqual({
      iss: ACCOUNT.client_email,
      aud: 'https://oauth2.googleapis.com/token',
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      iat: expect.any(Number),
      exp: Number(payload.iat) + 3600,
    })
    expect(vertex.requests.at(-1)?.path).toBe(
      '/v1beta1/projects/project-1/locations/us-central1/publishers/google/models/gemini-2.5-flash:generateContent',
    )
    expect(headerOf(vertex, 'authorization')).toBe(`Bearer token-1-${CANARY}`)

    gateway.advance(3_600_000 - 200_000)
    expect((await ask(gateway, withAccount(), { model: MODEL })).status).toBe(200)
    expect(headerOf(vertex, 'authorization')).toBe(`Bearer token-1-${CANARY}`)
    await tokens.server.idle()
    // The service has answered; the gateway has it a moment later.
    const isRenewed = async (): Promise<boolean> => {
      await ask(gateway, withAccount(), { model: MODEL })
      return headerOf(vertex, 'authorization') === `Bearer token-2-${CANARY}`
    }
    expect(await eventually(isRenewed, 5_000)).toBe(true)
    expect(tokens.requests).toHaveLength(2)
    const said = saidBy(gateway, ...first)
    for (const secret of [CANARY, assertion, PRIVATE_KEY.slice(40, 80)]) expect(said).not.toContain(secret)
  })

  test('stored in an integration logs in too', async () => {
    const gateway = await start()
    expect((await ask(gateway, { 'x-gateway-provider': '@robot' }, { model: MODEL })).status).toBe(200)
    expect(headerOf(vertex, 'authorization')).toBe(`Bearer token-1-${CANARY}`)
  })

  test('that Google refuses, or whose key is none, is said so without the key', async () => {
    const gateway = await start()
    tokens.answer = () => jsonPlan(400, { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' })
    const refused = await ask(gateway, withAccount(), { model: MODEL })
    expect([refused.status, refused.error.code, refused.error.message]).toEqual([
      401,
      'provider_login_failed',
      "The login at 'vertex-ai' was refused: invalid_grant: Invalid JWT Signature (status 400).",
    ])
    const broken = await ask(gateway, withAccount({ ...ACCOUNT, private_key: `-----${CANARY}-----` }), { model: MODEL })
    expect([broken.status, broken.error.message]).toEqual([
      401,
      "The login at 'vertex-ai' was refused: the private key of the service account cannot be read.",
    ])
    expect(saidBy(gateway, refused, broken)).not.toContain(CANARY)
  })

  test('gets a new token after the old one was revoked', async () => {
    const gateway = await start()
    await ask(gateway, withAccount(), { model: MODEL })
    gateway.advance(61_000)
    vertexStatus = 401
    expect((await ask(gateway, withAccount(), { model: MODEL })).status).toBe(401)
    vertexStatus = 200
    expect((await ask(gateway, withAccount(), { model: MODEL })).status).toBe(200)
    expect(headerOf(vertex, 'authorization')).toBe(`Bearer token-2-${CANARY}`)
  })
})

describe('the operator’s login', () => {
  test('is an account of the metadata service, for calls to the operator’s project alone', async () => {
    const gateway = await start(
      { projectId: 'project-1', region: 'global', login: { mode: 'metadata' } },
      { GCE_METADATA_HOST: new URL(tokens.url).host },
    )
    expect((await ask(gateway, OWN, { model: MODEL })).status).toBe(200)
    const [request] = tokens.requests
    expect([request?.path, request?.headers.get('metadata-flavor')]).toEqual([
      '/computeMetadata/v1/instance/service-accounts/default/token',
      'Google',
    ])
    expect(headerOf(vertex, 'authorization')).toBe(`Bearer token-1-${CANARY}`)
    for (const headers of [
      { ...OWN, 'x-gateway-vertex-project-id': 'other-1' },
      { ...OWN, 'x-gateway-custom-host': vertex.url },
      { 'x-gateway-provider': '@bare' },
    ]) {
      const { status, error } = await ask(gateway, headers, { model: MODEL })
      expect([status, error.code]).toEqual([401, 'provider_key_required'])
    }
    await ask(gateway, { ...OWN, authorization: 'Bearer token-of-the-call' }, { model: MODEL })
    expect(headerOf(vertex, 'authorization')).toBe('Bearer token-of-the-call')
  })

  test('is the person of a credentials file, whose project pays', async () => {
    const file = await fileOf('user.json', {
      type: 'authorized_user',
      client_id: 'id',
      client_secret: `secret-${CANARY}`,
      refresh_token: `refresh-${CANARY}`,
      quota_project_id: 'payer-1',
    })
    const gateway = await start(
      { ...withLogin(file), login: { mode: 'adc' } },
      { GOOGLE_APPLICATION_CREDENTIALS: file },
    )
    const answer = await ask(gateway, OWN, { model: MODEL })
    expect(answer.status).toBe(200)
    expect(tokens.requests.map(formOf)).toEqual([
      {
        grant_type: 'refresh_token',
        client_id: 'id',
        client_secret: `secret-${CANARY}`,
        refresh_token: `refresh-${CANARY}`,
      },
    ])
    expect(headerOf(vertex, 'x-goog-user-project')).toBe('payer-1')
    expect(saidBy(gateway, answer)).not.toContain(CANARY)
  })

  test('is a workload of another cloud: its token is exchanged, then an account acted as', async () => {
    const subject = await fileOf('subject.json', { id_token: `subject-${CANARY}` })
    const file = await fileOf('external.json', {
      type: 'external_account',
      audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/k8s',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: `${tokens.url}/v1/token`,
      credential_source: { file: subject, format: { type: 'json', subject_token_field_name: 'id_token' } },
      service_account_impersonation_url: `${tokens.url}/v1/projects/-/serviceAccounts/robot:generateAccessToken`,
    })
    const gateway = await start(withLogin(file))
    tokens.answer = ({ path }) =>
      path.endsWith(':generateAccessToken')
        ? jsonPlan(200, {
            accessToken: `robot-${CANARY}`,
            expireTime: new Date(Date.now() + 3_600_000).toISOString(),
          })
        : undefined
    const answers = [await ask(gateway, OWN, { model: MODEL }), await ask(gateway, OWN, { model: MODEL })]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(tokens.requests.map(({ path }) => path)).toEqual([
      '/v1/token',
      '/v1/projects/-/serviceAccounts/robot:generateAccessToken',
    ])
    const [exchange, acted] = tokens.requests
    expect(exchange && formOf(exchange)).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/k8s',
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      subject_token: `subject-${CANARY}`,
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    })
    expect(acted?.headers.get('authorization')).toBe(`Bearer token-1-${CANARY}`)
    expect(headerOf(vertex, 'authorization')).toBe(`Bearer robot-${CANARY}`)
    expect(saidBy(gateway, ...answers)).not.toContain(CANARY)
  })

  test.each([
    ['nothing', undefined, 'cannot be read'],
    ['text', 'no json', 'type null'],
    ['another kind', { type: 'gdch_service_account' }, 'gdch_service_account'],
    ['half a person', { type: 'authorized_user', client_id: 'id' }, 'lacks a field'],
    [
      'a source that is not known',
      {
        type: 'external_account',
        audience: 'a',
        subject_token_type: 't',
        token_url: 'https://sts.googleapis.com/v1/token',
        credential_source: { environment_id: 'aws1' },
      },
      'credential_source',
    ],
  ])('says what is wrong with a file of %s', async (name, content, words) => {
    const file = content === undefined ? join(folder, 'none') : await fileOf(`${name}.json`, content)
    const { status, error } = await ask(await start(withLogin(file)), OWN, { model: MODEL })
    expect([status, error.code]).toEqual([401, 'provider_login_failed'])
    expect(error.message).toContain(words)
    expect(error.message).not.toContain(folder)
  })

  test('is refused beside a key', async () => {
    expect(await start({ apiKey: 'k', login: { mode: 'adc' } }).catch(String)).toContain('apiKey')
  })
})
