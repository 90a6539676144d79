import { afterEach, describe, expect, test } from 'bun:test'
import type { SecretSource } from '../../../src/secret-managers/manager.ts'
import { type FakeVault, type FakeVaultOptions, startFakeVault } from '../../support/fake-vault.ts'
import { CANARY, type ReaderSetup, startReader, type TestReader } from './support.ts'

let vault: FakeVault
let reader: TestReader
const start = (options: FakeVaultOptions = {}, setup: ReaderSetup = {}): void => {
  vault = startFakeVault(options)
  vault.tokens.add(`hvs.${CANARY}`)
  vault.secrets.set('secret/openai', { api_key: `sk-${CANARY}` })
  vault.secrets.set('old/team/openai', { api_key: `sk-old-${CANARY}` })
  reader = startReader(setup)
}
afterEach(async () => {
  reader.close()
  await vault.stop()
})

const source = (path: string, auth: Readonly<Record<string, string>> = {}): SecretSource => ({
  managerType: 'hashicorp_vault',
  path,
  auth: { vault_auth_type: 'token', vault_addr: vault.url, vault_token: `hvs.${CANARY}`, ...auth },
})
const SECRET = { api_key: `sk-${CANARY}` }
const approle = () => ({ vault_auth_type: 'approle', vault_token: '', vault_role_id: 'role', vault_secret_id: CANARY })

describe('a path of KV', () => {
  test('is read by the version of its mount', async () => {
    start()
    expect(await reader.read(source('secret/openai'))).toEqual({ text: JSON.stringify(SECRET), fields: SECRET })
    expect((await reader.read(source('secret/data/openai'))).fields).toEqual(SECRET)
    expect((await reader.read(source('old/team/openai'))).fields).toEqual({ api_key: `sk-old-${CANARY}` })
    expect(vault.requests).toEqual([
      'GET /v1/sys/internal/ui/mounts/secret/openai',
      'GET /v1/secret/data/openai',
      'GET /v1/sys/internal/ui/mounts/secret/data/openai',
      'GET /v1/secret/data/openai',
      'GET /v1/sys/internal/ui/mounts/old/team/openai',
      'GET /v1/old/team/openai',
    ])
  })

  test('is read in both forms where the mounts may not be looked at', async () => {
    start()
    vault.hidesMounts = true
    expect((await reader.read(source('secret/openai'))).fields).toEqual(SECRET)
    expect((await reader.read(source('old/team/openai'))).fields).toEqual({ api_key: `sk-old-${CANARY}` })
    expect(await reader.failure(source('secret/none'))).toEqual(['refused', 'its manager has no such secret'])
  })

  test('goes on the wire part by part, so that nothing in it is read as something else', async () => {
    start()
    vault.secrets.set('secret/a b+c@d', SECRET)
    expect((await reader.read(source('secret/a b+c@d'))).fields).toEqual(SECRET)
    expect(vault.requests.at(-1)).toBe('GET /v1/secret/data/a%20b%2Bc%40d')
  })

  test.each(['secret/../sys/health', 'secret/a%2f..', 'secret/a\0', 'secret', 'secret/a?list=true'])(
    'such as %j is never asked for',
    async (path) => {
      start()
      expect((await reader.failure(source(path)))[0]).toBe('refused')
      expect(vault.requests).toEqual([])
    },
  )
})

describe('a login', () => {
  test('with AppRole is made once for all secrets, and again when its lease is over', async () => {
    start({ roleId: 'role', secretId: CANARY, leaseSeconds: 600, namespace: 'team/blue' })
    const login = { ...approle(), vault_namespace: 'team/blue/' }
    const logins = () => vault.requests.filter((line) => line === 'POST /v1/auth/approle/login team/blue').length
    await Promise.all([reader.read(source('secret/openai', login)), reader.read(source('old/team/openai', login))])
    expect(logins()).toBe(1)
    expect(vault.requests.every((line) => line.endsWith(' team/blue'))).toBe(true)
    reader.advance(600_000)
    await reader.read(source('secret/openai', login))
    expect(logins()).toBe(2)
  })

  test('whose token was revoked is made anew', async () => {
    start({ roleId: 'role', secretId: CANARY })
    await reader.read(source('secret/openai', approle()))
    vault.tokens.clear()
    reader.advance(60_000)
    expect(await reader.failure(source('secret/openai', approle()))).toEqual([
      'refused',
      'its manager refuses to show it',
    ])
    expect((await reader.read(source('secret/openai', approle()))).fields).toEqual(SECRET)
  })

  test('that is refused says so without a word of what was sent', async () => {
    start({ roleId: 'role', secretId: 'another' })
    expect(await reader.failure(source('secret/openai', approle()))).toEqual([
      'refused',
      'its manager refuses the login',
    ])
    expect(await reader.failure(source('secret/openai', { vault_token: 'hvs.wrong' }))).toEqual([
      'refused',
      'its manager refuses to show it',
    ])
  })

  test('of Kubernetes uses the token of the pod, at a host that the operator trusts', async () => {
    const files = { '/var/run/secrets/kubernetes.io/serviceaccount/token': `jwt-${CANARY}\n` }
    start({ jwt: `jwt-${CANARY}` }, { files })
    const login = { vault_auth_type: 'kubernetes', vault_token: '', vault_role: 'weir' }
    expect((await reader.read(source('secret/openai', login))).fields).toEqual(SECRET)
    reader.close()
    reader = startReader({ files, settings: { machineLogin: false } })
    expect((await reader.failure(source('secret/openai', login)))[1]).toContain('`secrets.machineLogin`')
    const elsewhere = { ...login, vault_addr: 'https://vault.example.com' }
    reader.close()
    reader = startReader({ files })
    expect((await reader.failure(source('secret/openai', elsewhere)))[1]).toContain('`egress.trustedHosts`')
    reader.close()
    reader = startReader()
    expect(await reader.failure(source('secret/openai', login))).toEqual(['refused', 'its manager refuses the login'])
  })
})

describe('a Vault', () => {
  test('in a private network is reached only where the operator trusts it', async () => {
    start({}, { trust: [] })
    expect(await reader.failure(source('secret/openai'))).toEqual([
      'refused',
      'its `vault_addr` must begin with https:// unless the operator trusts the host',
    ])
    const secure = { vault_addr: vault.url.replace('http:', 'https:') }
    expect(await reader.failure(source('secret/openai', secure))).toEqual([
      'refused',
      'the address of its manager is private or reserved, and the operator does not trust it (`egress.trustedHosts`)',
    ])
    expect(vault.requests).toEqual([])
  })

  test.each([
    [
      () => Response.json({ errors: [`sealed ${CANARY}`] }, { status: 503 }),
      'away',
      'its manager answers with status 503',
    ],
    [() => Response.json({}, { status: 429 }), 'away', 'its manager answers with status 429'],
    [() => new Response(`<html>${CANARY}`), 'away', 'its manager answers with what is no JSON object'],
    [() => Response.redirect('http://127.0.0.1:1/', 307), 'refused', 'its manager answers with status 307'],
    [() => new Response(new Uint8Array(10 * 1024 * 1024)), 'unusable', 'it is larger than 64 KiB'],
  ])('that answers otherwise is no secret: %#', async (instead, outcome, message) => {
    start()
    vault.instead = instead
    expect(await reader.failure(source('secret/openai'))).toEqual([outcome, message])
  })

  test('that is not there is away', async () => {
    start()
    await vault.stop()
    expect(await reader.failure(source('secret/openai'))).toEqual(['away', 'its manager does not answer'])
    expect((await reader.failure(source('secret/openai', approle())))[0]).toBe('away')
  })

  test('gives what is deleted, empty or too large to nobody', async () => {
    start()
    vault.secrets.set('secret/gone', { deleted: true })
    vault.secrets.set('secret/empty', {})
    vault.secrets.set('secret/large', { api_key: 'x'.repeat(64 * 1024) })
    expect((await reader.failure(source('secret/gone')))[1]).toBe('its manager has no such secret')
    expect(await reader.failure(source('secret/empty'))).toEqual(['unusable', 'it is empty'])
    expect(await reader.failure(source('secret/large'))).toEqual(['unusable', 'it is larger than 64 KiB'])
  })
})
