import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jsonPlan } from '../../../plugins/providers/mock/plan.ts'
import { type MockServer, startMockServer } from '../../../plugins/providers/mock/server.ts'
import { eventually } from '../../support/start-process.ts'
import {
  ask,
  CANARY,
  COMPLETION,
  formOf,
  headerOf,
  type LoginGateway,
  saidBy,
  startLoginGateway,
  startTokenServer,
  storedAs,
  type TokenServer,
} from './support.ts'

const SECRET = `secret-${CANARY}`
const ENTRA = { azure_entra_tenant_id: 'tenant-1', azure_entra_client_id: 'app-1', azure_entra_client_secret: SECRET }
const entraHeaders = (more: Readonly<Record<string, string>> = {}) => ({
  'x-gateway-config': JSON.stringify({ provider: 'azure-openai', ...ENTRA, ...more }),
})

let azure: MockServer
let tokens: TokenServer
let folder: string
let azureStatus: number
const opened: LoginGateway[] = []
beforeAll(async () => {
  azure = await startMockServer({ answer: () => jsonPlan(azureStatus, azureStatus === 200 ? COMPLETION : {}) })
  folder = await mkdtemp(join(tmpdir(), 'weir-azure-'))
})
beforeEach(async () => {
  azureStatus = 200
  tokens = await startTokenServer()
})
afterEach(() => tokens.close())
afterAll(async () => {
  for (const gateway of opened) await gateway.close()
  await azure.close()
  await rm(folder, { recursive: true })
})

const start = async (
  settings: Readonly<Record<string, unknown>> = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<LoginGateway> => {
  const own = { baseURL: azure.url, authorityHost: tokens.url, ...settings }
  const managed = { azure_auth_mode: 'managed', azure_managed_client_id: 'identity-1', resource_name: 'contoso' }
  const gateway = await startLoginGateway(
    { plugins: ['defaults', { 'azure-openai': own }] },
    { AZURE_POD_IDENTITY_AUTHORITY_HOST: tokens.url, ...environment },
    [
      storedAs('entra', 'azure-openai', { azure_auth_mode: 'entra', ...ENTRA, resource_name: 'contoso' }),
      storedAs('managed', 'azure-openai', managed),
      storedAs('elsewhere', 'azure-openai', managed, { customHost: azure.url }),
      storedAs(
        'modelhost',
        'azure-openai',
        { azure_auth_mode: 'entra', ...ENTRA },
        { customHost: azure.url, withoutKey: true },
      ),
      storedAs('workload', 'azure-openai', { azure_auth_mode: 'workload', azure_workload_client_id: 'app-2' }),
    ],
  )
  opened.push(gateway)
  return gateway
}

describe('an application of Entra', () => {
  test('logs in once for many calls at a time, and again only before its token ends', async () => {
    const gateway = await start()
    tokens.latencyMs = 50
    const first = await Promise.all(Array.from({ length: 20 }, () => ask(gateway, entraHeaders())))
    expect(first.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(tokens.requests).toHaveLength(1)
    const [request] = tokens.requests
    expect([request?.method, request?.path]).toEqual(['POST', '/tenant-1/oauth2/v2.0/token'])
    expect(request && formOf(request)).toEqual({
      grant_type: 'client_credentials',
      client_id: 'app-1',
      client_secret: SECRET,
      scope: 'https://cognitiveservices.azure.com/.default',
    })
    expect(headerOf(azure, 'authorization')).toBe(`Bearer token-1-${CANARY}`)
    expect(headerOf(azure, 'api-key')).toBeUndefined()

    gateway.advance(3_600_000 - 200_000)
    const during = await Promise.all(Array.from({ length: 5 }, () => ask(gateway, entraHeaders())))
    expect(during.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(headerOf(azure, 'authorization')).toBe(`Bearer token-1-${CANARY}`)
    await tokens.server.idle()
    expect(tokens.requests).toHaveLength(2)
    // The service has answered; the gateway has it a moment later.
    const isRenewed = async (): Promise<boolean> => {
      await ask(gateway, entraHeaders())
      return headerOf(azure, 'authorization') === `Bearer token-2-${CANARY}`
    }
    expect(await eventually(isRenewed, 5_000)).toBe(true)
    expect(tokens.requests).toHaveLength(2)
    expect(saidBy(gateway, ...first, ...during)).not.toContain(CANARY)
  })

  test('has a token of its own for each secret and scope', async () => {
    const gateway = await start()
    for (const more of [
      {},
      { azure_entra_client_secret: `other-${CANARY}` },
      { azure_entra_scope: 'https://ai.azure.com/.default' },
    ]) {
      expect((await ask(gateway, entraHeaders(more))).status).toBe(200)
    }
    expect(tokens.requests.map((request) => formOf(request).scope)).toEqual([
      'https://cognitiveservices.azure.com/.default',
      'https://cognitiveservices.azure.com/.default',
      'https://ai.azure.com/.default',
    ])
  })

  test('is refused in the words of Entra, which are remembered for a moment', async () => {
    const gateway = await start()
    const description = `AADSTS7000215: Invalid client secret provided.\r\nTrace ID: 0`
    tokens.answer = () => jsonPlan(401, { error: 'invalid_client', error_description: description })
    const refused = await ask(gateway, entraHeaders())
    expect([refused.status, refused.error.code]).toEqual([401, 'provider_login_failed'])
    expect(refused.error.message).toBe(
      "The login at 'azure-openai' was refused: invalid_client: AADSTS7000215: Invalid client secret provided (status 401).",
    )
    expect((await ask(gateway, entraHeaders())).status).toBe(401)
    expect(tokens.requests).toHaveLength(1)
    tokens.answer = undefined
    gateway.advance(5_000)
    expect((await ask(gateway, entraHeaders())).status).toBe(200)
    expect(saidBy(gateway, refused)).not.toContain(CANARY)
  })

  test('that cannot be reached fails over to the next target', async () => {
    const gateway = await start({ authorityHost: 'http://127.0.0.1:1' })
    const failed = await ask(gateway, entraHeaders())
    expect([failed.status, failed.error.code]).toEqual([502, 'provider_login_failed'])
    const config = {
      strategy: { mode: 'fallback' },
      targets: [{ provider: 'azure-openai', ...ENTRA }, { provider: 'mock' }],
    }
    const headers = { 'x-gateway-config': JSON.stringify(config) }
    const gatewayWithMock = await startLoginGateway({
      plugins: ['defaults', 'mock', { 'azure-openai': { baseURL: azure.url, authorityHost: 'http://127.0.0.1:1' } }],
    })
    opened.push(gatewayWithMock)
    expect((await ask(gatewayWithMock, headers, { model: 'mock' })).status).toBe(200)
  })

  test('gets a new token after Azure refused the one it had', async () => {
    const gateway = await start()
    await ask(gateway, entraHeaders())
    gateway.advance(61_000)
    azureStatus = 401
    expect((await ask(gateway, entraHeaders())).status).toBe(401)
    azureStatus = 200
    expect((await ask(gateway, entraHeaders())).status).toBe(200)
    expect(headerOf(azure, 'authorization')).toBe(`Bearer token-2-${CANARY}`)
  })

  test.each([
    [{ azure_entra_client_secret: '' }, 'azure_entra_tenant_id'],
    [{ azure_entra_tenant_id: '../x' }, 'azure_entra_tenant_id'],
    [{ azure_auth_mode: 'guess' }, 'azure_auth_mode'],
    [{ azure_auth_mode: 'entra', azure_entra_client_id: '' }, 'azure_auth_mode'],
  ])('is refused with %j before anything is sent', async (more, param) => {
    const gateway = await start()
    const { status, error } = await ask(gateway, entraHeaders(more))
    expect([status, error.code, error.param, tokens.requests.length]).toEqual([400, 'unsupported_config', param, 0])
  })

  test('stored in an integration, goes to the place that is stored alone', async () => {
    const gateway = await start()
    expect((await ask(gateway, { 'x-gateway-provider': '@entra' })).status).toBe(200)
    expect(headerOf(azure, 'authorization')).toBe(`Bearer token-1-${CANARY}`)
    // A host that came with a model gets neither the key nor a token.
    await ask(gateway, { 'x-gateway-provider': '@modelhost' })
    expect([headerOf(azure, 'authorization'), tokens.requests.length]).toEqual([undefined, 1])
  })
})

describe('a managed identity', () => {
  test('of a stored provider comes from the metadata service', async () => {
    const gateway = await start()
    expect((await ask(gateway, { 'x-gateway-provider': '@managed' })).status).toBe(200)
    const [request] = tokens.requests
    expect([request?.method, request?.path, request?.headers.get('metadata')]).toEqual([
      'GET',
      '/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https%3A%2F%2Fcognitiveservices.azure.com&client_id=identity-1',
      'true',
    ])
    expect(headerOf(azure, 'authorization')).toBe(`Bearer token-1-${CANARY}`)
  })

  test('comes from App Service and Container Apps where they say so, with an end in seconds since 1970', async () => {
    const header = `identity-header-${CANARY}`
    const gateway = await start({}, { IDENTITY_ENDPOINT: `${tokens.url}/msi/token`, IDENTITY_HEADER: header })
    const body = {
      access_token: `app-${CANARY}`,
      expires_on: `${Math.floor(Date.now() / 1000) + 3600}`,
      token_type: 'Bearer',
    }
    tokens.answer = () => jsonPlan(200, body)
    const answers = [await ask(gateway, { 'x-gateway-provider': '@managed' })]
    answers.push(await ask(gateway, { 'x-gateway-provider': '@managed' }))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(tokens.requests.map(({ path, headers }) => [path, headers.get('x-identity-header')])).toEqual([
      [
        '/msi/token?api-version=2019-08-01&resource=https%3A%2F%2Fcognitiveservices.azure.com&client_id=identity-1',
        header,
      ],
    ])
    expect(headerOf(azure, 'authorization')).toBe(`Bearer app-${CANARY}`)
    expect(saidBy(gateway, ...answers)).not.toContain(CANARY)
  })

  test.each([
    ['a call', { 'x-gateway-provider': 'azure-openai', 'x-gateway-azure-auth-mode': 'managed' }, 'azure_auth_mode'],
    [
      'the config of a call',
      { 'x-gateway-config': '{"provider":"azure-openai","azure_managed_client_id":"x"}' },
      'azure_managed_client_id',
    ],
    [
      'a call',
      { 'x-gateway-provider': 'azure-openai', 'x-gateway-azure-workload-client-id': 'x' },
      'azure_workload_client_id',
    ],
    ['a stored provider with a host of its own', { 'x-gateway-provider': '@elsewhere' }, 'azure_auth_mode'],
  ])('is not for %s', async (_who, headers, param) => {
    const gateway = await start()
    const { status, error } = await ask(gateway, headers)
    expect([status, error.code, error.param, tokens.requests.length]).toEqual([400, 'unsupported_config', param, 0])
  })

  test('is for no stored provider where the operator says so', async () => {
    const gateway = await start({ storedMachineLogin: false })
    expect((await ask(gateway, { 'x-gateway-provider': '@managed' })).status).toBe(400)
    expect((await ask(gateway, { 'x-gateway-provider': '@entra' })).status).toBe(200)
  })
})

describe('a workload identity', () => {
  test('shows the token that its file has now', async () => {
    const file = join(folder, 'token')
    await writeFile(file, `jwt-1-${CANARY}\n`)
    const gateway = await start({}, { AZURE_FEDERATED_TOKEN_FILE: file, AZURE_TENANT_ID: 'tenant-2' })
    const answers = [await ask(gateway, { 'x-gateway-provider': '@workload' })]
    await writeFile(file, `jwt-2-${CANARY}\n`)
    gateway.advance(3_600_000)
    answers.push(await ask(gateway, { 'x-gateway-provider': '@workload' }))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(tokens.requests.map(({ path }) => path)).toEqual(
      Array.from({ length: 2 }, () => '/tenant-2/oauth2/v2.0/token'),
    )
    expect(tokens.requests.map(formOf)).toEqual(
      [1, 2].map((turn) => ({
        grant_type: 'client_credentials',
        client_id: 'app-2',
        scope: 'https://cognitiveservices.azure.com/.default',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: `jwt-${turn}-${CANARY}`,
      })),
    )
    expect(saidBy(gateway, ...answers)).not.toContain(CANARY)
  })

  test.each([
    [{}, 'AZURE_TENANT_ID'],
    [{ AZURE_TENANT_ID: 't' }, 'AZURE_FEDERATED_TOKEN_FILE'],
    [{ AZURE_TENANT_ID: 't', AZURE_FEDERATED_TOKEN_FILE: '/nowhere/token' }, 'AZURE_FEDERATED_TOKEN_FILE'],
  ])('says what is missing of %j', async (environment, word) => {
    const { status, error } = await ask(await start({}, environment), { 'x-gateway-provider': '@workload' })
    expect([status, error.code]).toEqual([401, 'provider_login_failed'])
    expect(error.message).toContain(word)
    expect(error.message).not.toContain('/nowhere')
  })
})

describe('the operator’s login', () => {
  const login = { mode: 'managed', clientId: 'mine' }

  test('is for calls without a key, to the operator’s place', async () => {
    const gateway = await start({ login })
    expect((await ask(gateway, { 'x-gateway-provider': 'azure-openai' })).status).toBe(200)
    expect(headerOf(azure, 'authorization')).toBe(`Bearer token-1-${CANARY}`)
    expect(tokens.requests[0]?.path).toContain('client_id=mine')
    await ask(gateway, { 'x-gateway-provider': 'azure-openai', authorization: 'Bearer key-of-the-call' })
    expect([headerOf(azure, 'api-key'), headerOf(azure, 'authorization')]).toEqual(['key-of-the-call', undefined])
  })

  test('is not for a place that the call names', async () => {
    const gateway = await start({ login, baseURL: undefined, resourceName: 'contoso' })
    for (const headers of [
      { 'x-gateway-provider': 'azure-openai', 'x-gateway-azure-resource-name': 'other' },
      { 'x-gateway-provider': 'azure-openai', 'x-gateway-custom-host': azure.url },
    ]) {
      const { status, error } = await ask(gateway, headers)
      expect([status, error.code, tokens.requests.length]).toEqual([401, 'provider_key_required', 0])
    }
  })

  test.each([
    [{ login: { mode: 'entra', tenantId: 't', clientId: 'c' } }, 'clientSecret'],
    [{ login, apiKey: 'k' }, 'apiKey'],
  ])('must be whole: %j', async (settings, word) => {
    expect(await start(settings).catch(String)).toContain(word)
  })
})
