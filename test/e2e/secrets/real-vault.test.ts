import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { isRecord } from '../../../src/core/json/record.ts'
import type { SecretSource } from '../../../src/secret-managers/manager.ts'
import { type RealVault, startRealVault } from '../../support/real-vault.ts'
import { CANARY, startReader, type TestReader } from './support.ts'

setDefaultTimeout(60_000)

/** In the place of the fake: the same questions, of which the answers are a server's own. */
const SECRET = { api_key: `sk-${CANARY}`, region: 'eu' }
/** Names of this run alone: a server that is given may serve many. */
const RUN = crypto.randomUUID().slice(0, 8)
const KV2 = `weir-${RUN}-kv2`
const KV1 = `weir-${RUN}-kv1`
const POLICY = `weir-${RUN}-read`
const NAMESPACE = `weir-${RUN}-team`

let vault: RealVault
let reader: TestReader
let limited: string

const text = (found: unknown): string => {
  if (typeof found !== 'string') throw new Error('the server answered without it')
  return found
}
const inside = (answer: Readonly<Record<string, unknown>>, part: string, name: string): string => {
  const found = answer[part]
  return text(isRecord(found) ? found[name] : undefined)
}

beforeAll(async () => {
  vault = await startRealVault()
  await vault.call('POST', `sys/mounts/${KV2}`, { type: 'kv', options: { version: '2' } })
  await vault.call('POST', `sys/mounts/${KV1}`, { type: 'kv', options: { version: '1' } })
  const policy = `path "${KV2}/data/*" { capabilities = ["read"] }\npath "${KV1}/*" { capabilities = ["read"] }`
  await vault.call('PUT', `sys/policies/acl/${POLICY}`, { policy })
  const made = await vault.call('POST', 'auth/token/create', { policies: [POLICY], ttl: '1h' })
  limited = inside(made, 'auth', 'client_token')
  // A KV 2 is made ready in the background.
  for (let tries = 0; ; tries++) {
    try {
      await vault.call('POST', `${KV2}/data/openai`, { data: SECRET })
      break
    } catch (thrown) {
      if (tries >= 100) throw thrown
      await Bun.sleep(50)
    }
  }
  await vault.call('POST', `${KV1}/team/openai`, SECRET)
})
afterAll(() => vault.stop())
afterEach(() => reader.close())

const source = (path: string, auth: Readonly<Record<string, string>> = {}): SecretSource => ({
  managerType: 'hashicorp_vault',
  path,
  auth: { vault_auth_type: 'token', vault_addr: vault.url, vault_token: limited, ...auth },
})

describe('a real server', () => {
  test('gives secrets of both versions of KV, by the path of a policy or of the command', async () => {
    reader = startReader()
    expect(await reader.read(source(`${KV2}/openai`))).toEqual({ text: JSON.stringify(SECRET), fields: SECRET })
    expect((await reader.read(source(`${KV2}/data/openai`))).fields).toEqual(SECRET)
    expect((await reader.read(source(`${KV1}/team/openai`))).fields).toEqual(SECRET)
  })

  test('finds odd names as they are', async () => {
    reader = startReader()
    await vault.call('POST', `${KV2}/data/a%20b%2Bc%40d`, { data: { api_key: 'odd' } })
    expect((await reader.read(source(`${KV2}/a b+c@d`))).fields).toEqual({ api_key: 'odd' })
  })

  test('gives the latest version, and none that is deleted, destroyed or was never there', async () => {
    reader = startReader()
    await vault.call('POST', `${KV2}/data/changed`, { data: { api_key: 'first' } })
    await vault.call('POST', `${KV2}/data/changed`, { data: { api_key: 'second' } })
    expect((await reader.read(source(`${KV2}/changed`))).fields).toEqual({ api_key: 'second' })
    await vault.call('DELETE', `${KV2}/data/changed`)
    const none = ['refused', 'its manager has no such secret'] as const
    expect(await reader.failure(source(`${KV2}/changed`))).toEqual(none)
    await vault.call('PUT', `${KV2}/destroy/changed`, { versions: [1, 2] })
    expect(await reader.failure(source(`${KV2}/changed`))).toEqual(none)
    expect(await reader.failure(source(`${KV2}/never`))).toEqual(none)
    expect(await reader.failure(source(`${KV1}/never`))).toEqual(none)
  })

  test('refuses what its policy does not allow, and a token that is none', async () => {
    reader = startReader()
    const refused = ['refused', 'its manager refuses to show it'] as const
    expect(await reader.failure(source('cubbyhole-of/others'))).toEqual(refused)
    expect(await reader.failure(source(`${KV2}/openai`, { vault_token: 'hvs.wrong' }))).toEqual(refused)
    const token = await tokenWith(POLICY)
    expect((await reader.read(source(`${KV2}/openai`, { vault_token: token }))).fields).toEqual(SECRET)
    await vault.call('POST', 'auth/token/revoke', { token })
    expect(await reader.failure(source(`${KV2}/openai`, { vault_token: token }))).toEqual(refused)
  })

  test('lets a role of AppRole in, and again when its token was revoked', async () => {
    reader = startReader()
    const role = await approle()
    expect((await reader.read(source(`${KV2}/openai`, role))).fields).toEqual(SECRET)
    expect((await reader.read(source(`${KV1}/team/openai`, role))).fields).toEqual(SECRET)
    await vault.call('POST', 'sys/leases/revoke-prefix/auth/approle/login')
    reader.advance(60_000)
    expect((await reader.failure(source(`${KV2}/openai`, role)))[0]).toBe('refused')
    expect((await reader.read(source(`${KV2}/openai`, role))).fields).toEqual(SECRET)
    const wrong = { ...role, vault_secret_id: CANARY }
    expect(await reader.failure(source(`${KV2}/openai`, wrong))).toEqual(['refused', 'its manager refuses the login'])
  })

  test('keeps namespaces apart', async () => {
    reader = startReader()
    await vault.call('POST', `sys/namespaces/${NAMESPACE}`)
    await vault.call('POST', 'sys/mounts/inner', { type: 'kv', options: { version: '1' } }, NAMESPACE)
    await vault.call('POST', 'inner/openai', SECRET, NAMESPACE)
    const root = { vault_token: vault.rootToken }
    expect((await reader.read(source('inner/openai', { ...root, vault_namespace: `${NAMESPACE}/` }))).fields).toEqual(
      SECRET,
    )
    expect((await reader.failure(source('inner/openai', root)))[0]).toBe('refused')
  })
})

const tokenWith = async (policy: string): Promise<string> =>
  inside(await vault.call('POST', 'auth/token/create', { policies: [policy] }), 'auth', 'client_token')

/** Weir logs in at `auth/approle`, so that this is where the role must be. */
const approle = async () => {
  const mounts = await vault.call('GET', 'sys/auth')
  if (mounts['approle/'] === undefined) await vault.call('POST', 'sys/auth/approle', { type: 'approle' })
  const path = `auth/approle/role/weir-${RUN}`
  await vault.call('POST', path, { token_policies: [POLICY], token_ttl: '10m' })
  const roleId = inside(await vault.call('GET', `${path}/role-id`), 'data', 'role_id')
  const secretId = inside(await vault.call('POST', `${path}/secret-id`), 'data', 'secret_id')
  return { vault_auth_type: 'approle', vault_token: '', vault_role_id: roleId, vault_secret_id: secretId }
}
