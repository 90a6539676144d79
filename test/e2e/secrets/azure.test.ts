import { describe, expect, test } from 'bun:test'
import type { LoginRequest } from '../../../src/core/logins.ts'
import type { SecretSource } from '../../../src/secret-managers/manager.ts'
import { CANARY, type ReaderSetup, startReader, type TestReader } from './support.ts'

/**
 * Azure Key Vault and Entra in the forms of their documentation, as far as Weir asks for them: "Get Secret" of the REST reference
 * (7.4), errors of "Common error codes", tokens of RFC 6749 and IMDS (read 2026-11-25). Written from it, not recorded.
 */
const start = (setup: ReaderSetup = {}) => {
  const requests: LoginRequest[] = []
  let given = 0
  const azure = { vaultStatus: 200, value: `sk-${CANARY}` as unknown, loginStatus: 200, good: (_token: string) => true }
  const reader: TestReader = startReader({
    ...setup,
    async send(request) {
      requests.push(request)
      const { pathname, hostname } = new URL(request.url)
      if (pathname.endsWith('/token')) {
        given += 1
        if (azure.loginStatus !== 200)
          return { status: azure.loginStatus, text: `{"error":"invalid_client","error_description":"${CANARY}"}` }
        return { status: 200, text: JSON.stringify({ access_token: `token-${given}`, expires_in: 3600 }) }
      }
      if (!azure.good(request.headers?.authorization ?? ''))
        return { status: 401, text: '{"error":{"code":"Unauthorized"}}' }
      const id = `https://${hostname}${pathname}`
      const text = JSON.stringify(
        azure.vaultStatus === 200 ? { value: azure.value, id } : { error: { code: 'x', message: CANARY } },
      )
      return { status: azure.vaultStatus, text }
    },
  })
  return { azure, reader, requests, urls: () => requests.map(({ method, url }) => `${method} ${url}`) }
}

const VAULT = 'https://contoso.vault.azure.net'
const source = (auth: Readonly<Record<string, string>>, path = 'openai-key'): SecretSource => ({
  managerType: 'azure_kv',
  path,
  auth: { azure_vault_url: VAULT, ...auth },
})
const ENTRA = {
  azure_auth_mode: 'entra',
  azure_entra_tenant_id: 'contoso.example',
  azure_entra_client_id: 'client',
  azure_entra_client_secret: CANARY,
}
const SECRET = { text: `sk-${CANARY}` }

describe('a key vault', () => {
  test('is asked for a secret, or a version of it, with a token that is got once', async () => {
    const { reader, requests, urls } = start()
    expect(await reader.read(source(ENTRA))).toEqual(SECRET)
    await reader.read(source({ ...ENTRA, azure_vault_url: `${VAULT}/` }, 'openai-key/0123456789abcdef0123456789abcdef'))
    expect(urls()).toEqual([
      'POST https://login.microsoftonline.com/contoso.example/oauth2/v2.0/token',
      `GET ${VAULT}/secrets/openai-key?api-version=7.4`,
      `GET ${VAULT}/secrets/openai-key/0123456789abcdef0123456789abcdef?api-version=7.4`,
    ])
    expect(Object.fromEntries(new URLSearchParams(requests[0]?.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'client',
      client_secret: CANARY,
      scope: 'https://vault.azure.net/.default',
    })
    expect(requests.slice(1).map(({ headers }) => headers?.authorization)).toEqual(['Bearer token-1', 'Bearer token-1'])
  })

  test('of a sovereign cloud has its tokens from there', async () => {
    const { reader, requests } = start()
    await reader.read(source({ ...ENTRA, azure_vault_url: 'https://contoso.vault.azure.cn' }))
    expect(requests[0]?.url).toStartWith('https://login.chinacloudapi.cn/')
    expect(requests[0]?.body).toContain(encodeURIComponent('https://vault.azure.cn/.default'))
  })

  test('is asked as this machine: by managed identity, and by what the environment says first', async () => {
    const managed = start()
    await managed.reader.read(source({ azure_auth_mode: 'managed', azure_managed_client_id: 'mine' }))
    const [asked] = managed.requests
    expect([asked?.asMachine, new URL(asked?.url ?? '').searchParams.get('client_id')]).toEqual([true, 'mine'])
    expect(new URL(asked?.url ?? '').searchParams.get('resource')).toBe('https://vault.azure.net')
    const application = { AZURE_TENANT_ID: 't', AZURE_CLIENT_ID: 'c', AZURE_CLIENT_SECRET: 's' }
    const byDefault = start({ environment: application })
    await byDefault.reader.read(source({ azure_auth_mode: 'default' }))
    expect(byDefault.requests[0]?.url).toBe('https://login.microsoftonline.com/t/oauth2/v2.0/token')
    const files = { '/token': 'assertion' }
    const workload = start({
      files,
      environment: { AZURE_TENANT_ID: 't', AZURE_CLIENT_ID: 'c', AZURE_FEDERATED_TOKEN_FILE: '/token' },
    })
    await workload.reader.read(source({ azure_auth_mode: 'default' }))
    expect(workload.requests[0]?.body).toContain('client_assertion=assertion')
    const plain = start()
    await plain.reader.read(source({ azure_auth_mode: 'default' }))
    expect(plain.requests[0]?.asMachine).toBe(true)
    const refused = start({ settings: { machineLogin: false } })
    expect((await refused.reader.failure(source({ azure_auth_mode: 'default' })))[1]).toContain(
      '`secrets.machineLogin`',
    )
    expect(refused.requests).toEqual([])
  })

  test.each([
    [404, 'refused', 'its manager has no such secret'],
    [403, 'refused', 'its manager refuses to show it'],
    [429, 'away', 'its manager answers with status 429'],
    [503, 'away', 'its manager answers with status 503'],
  ])('that answers %d gives no secret', async (status, outcome, message) => {
    const { azure, reader } = start()
    azure.vaultStatus = status
    expect(await reader.failure(source(ENTRA))).toEqual([outcome, message])
  })

  test('whose token is refused gets a new one, and one whose login is refused is not asked', async () => {
    const { azure, reader, urls } = start()
    await reader.read(source(ENTRA))
    azure.good = (token) => token !== 'Bearer token-1'
    reader.advance(60_000)
    expect((await reader.failure(source(ENTRA)))[0]).toBe('refused')
    expect(await reader.read(source(ENTRA))).toEqual(SECRET)
    azure.loginStatus = 401
    const before = urls().length
    expect(await reader.failure(source({ ...ENTRA, azure_entra_client_id: 'other' }))).toEqual([
      'refused',
      'its manager refuses the login',
    ])
    expect(urls().length).toBe(before + 1)
  })

  test('that gives what is no text, or nothing, gives no secret', async () => {
    const { azure, reader } = start()
    for (const [value, message] of [
      [{ a: CANARY }, 'it is no text'],
      ['', 'it is empty'],
      ['x'.repeat(65_537), 'it is larger than 64 KiB'],
    ] as const) {
      azure.value = value
      expect(await reader.failure(source(ENTRA))).toEqual(['unusable', message])
    }
  })
})
