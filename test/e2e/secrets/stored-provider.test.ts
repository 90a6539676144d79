import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { jsonPlan } from '../../../plugins/providers/mock/plan.ts'
import { type MockServer, startMockServer } from '../../../plugins/providers/mock/server.ts'
import { integrationsRoutes } from '../../../src/management/integrations/routes.ts'
import { createFixture, type Fixture } from '../../../src/management/integrations/test-support.ts'
import { createStoredProviders } from '../../../src/management/providers/stored-providers.ts'
import { secretReferencesRoutes } from '../../../src/management/secret-references/routes.ts'
import { sealedAuthField } from '../../../src/management/secret-references/service.ts'
import { createMetricRegistry } from '../../../src/observe/metrics/registry.ts'
import { createSecretReferences } from '../../../src/secret-managers/secret-references.ts'
import { openStore, type Store } from '../../../src/store/db.ts'
import { createProviderSnapshot, type ProviderSnapshot } from '../../../src/store/memory/provider-snapshot.ts'
import { WORKSPACE_SERVICE_SCOPES } from '../../../src/store/scopes.ts'
import { SLOW_START_MS } from '../../../src/store/testing.ts'
import { dumpTables } from '../../conformance/management/dump.ts'
import { type FakeVault, startFakeVault } from '../../support/fake-vault.ts'
import { API_KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts'
import { type PrivateDatabase, privateDatabase } from '../../support/services.ts'
import { eventually } from '../../support/start-process.ts'
import { COMPLETION } from '../logins/support.ts'
import { CANARY, startReader, type TestReader } from './support.ts'

const MINUTE = 60_000

describe('a provider whose key is in a Vault', () => {
  let database: PrivateDatabase
  let store: Store
  let vault: FakeVault
  let upstream: MockServer
  let reader: TestReader
  let fixture: Fixture
  let providers: ProviderSnapshot
  let gateway: TestGateway
  let passedMs = 0
  const metrics = createMetricRegistry()
  const said: string[] = []

  beforeAll(async () => {
    database = await privateDatabase()
    store = await openStore({ dataDir: '', databaseUrl: database.url })
    vault = startFakeVault()
    vault.tokens.add(`hvs.${CANARY}-token`)
    upstream = await startMockServer({ answer: () => jsonPlan(200, COMPLETION) })
    reader = startReader()
    const secretMeans = () => ({ settings: { environment: [], folders: [], machineLogin: true }, trusts: () => true })
    fixture = await createFixture(store, (deps) => [
      ...integrationsRoutes(deps),
      ...secretReferencesRoutes({ ...deps, secretMeans }),
    ])
    const { secretBox, organisationId, blue, deps } = fixture
    providers = await createProviderSnapshot(store)
    const stored = createStoredProviders({
      snapshot: providers,
      secretBox,
      references: createSecretReferences({
        ...{ snapshot: providers, secretBox, metrics, sealedField: sealedAuthField },
        read: (source) => reader.read(source),
        clock: { monotonicMs: () => performance.now() + passedMs },
        log: { warn: (message, fields) => void said.push(`${message} ${JSON.stringify(fields)}`) },
      }),
      running: () => ({ providers: deps.providers(), checkCustomHost: deps.checkCustomHost }),
      now: Date.now,
    })
    const principal = {
      ...{ keyId: 'a-key', keyName: 'a key', kind: 'workspace-service' as const },
      ...{ organisationId, workspaceId: blue, scopes: new Set(WORKSPACE_SERVICE_SCOPES) },
    }
    gateway = await startTestGateway({
      deps: { stored },
      keys: { find: (key) => (key === API_KEY ? { principal } : undefined) },
    })
  }, SLOW_START_MS)
  afterAll(async () => {
    await gateway?.close()
    reader?.close()
    await Promise.all([upstream?.close(), vault?.stop(), providers?.close()])
    await store?.close()
    await database?.drop()
  })

  const manage = async (method: string, path: string, body?: unknown): Promise<void> => {
    const answer = await fixture.call('admin', method, path, body)
    said.push(JSON.stringify(answer))
    expect(answer).toMatchObject({ status: 200 })
  }
  const chat = async (config: object = { provider: '@from-vault' }) => {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}`, 'x-gateway-config': JSON.stringify(config) },
      body: JSON.stringify({ model: 'mock', messages: [{ role: 'user', content: 'Hello' }] }),
    })
    const text = await response.text()
    said.push(text)
    return { status: response.status, text, key: upstream.requests.at(-1)?.headers.get('authorization') }
  }
  const reads = (): number => vault.requests.filter((line) => line.startsWith('GET /v1/secret/data/')).length
  const put = (key: string): void => void vault.secrets.set('secret/openai', { key: `${key}-${CANARY}` })
  const staleSeconds = (): unknown =>
    metrics.collect().find(({ info }) => info.name === 'weir.secrets.stale.seconds')?.points[0]?.value

  test(
    'is called with it, and nothing of it stays behind',
    async () => {
      put('one')
      await manage('POST', '/secret-references', {
        ...{ name: 'Vault', slug: 'vault', manager_type: 'hashicorp_vault', secret_path: 'secret/openai' },
        auth_config: { vault_auth_type: 'token', vault_addr: vault.url, vault_token: `hvs.${CANARY}-token` },
        allowed_workspaces: [fixture.blue],
      })
      await manage('POST', '/integrations', {
        ...{
          name: 'From a vault',
          ai_provider_id: 'openai',
          workspace_id: fixture.blue,
          default_provider_slug: 'from-vault',
        },
        configurations: { custom_host: `${upstream.url}/v1` },
        secret_mappings: [{ target_field: 'key', secret_reference_id: 'vault', secret_key: 'key' }],
      })
      expect(await eventually(async () => (await chat()).status === 200, 5_000)).toBe(true)
      const calls = await Promise.all(Array.from({ length: 100 }, () => chat()))
      expect(new Set(calls.map(({ status, key }) => `${status} ${key}`))).toEqual(new Set([`200 Bearer one-${CANARY}`]))
      expect(reads()).toBe(1)

      // Rotated: used within five minutes, and the first call after those waits for it.
      put('two')
      passedMs += 3 * MINUTE
      expect((await chat()).key).toBe(`Bearer one-${CANARY}`)
      passedMs += 2 * MINUTE
      expect((await chat()).key).toBe(`Bearer two-${CANARY}`)
      expect(reads()).toBe(2)

      await vault.stop()
      passedMs += 55 * MINUTE
      expect(await chat()).toMatchObject({ status: 200, key: `Bearer two-${CANARY}` })
      expect(staleSeconds()).toBeGreaterThan(54 * 60)
      passedMs += 5 * MINUTE
      const gone = await chat()
      expect([gone.status, JSON.parse(gone.text)]).toEqual([
        503,
        {
          error: {
            message: "The secret reference 'vault' cannot be used: its manager does not answer.",
            type: 'upstream_error',
            param: '@from-vault',
            code: 'secret_unavailable',
          },
        },
      ])
      expect(staleSeconds()).toBe(0)
      const fallback = { strategy: { mode: 'fallback' }, targets: [{ provider: '@from-vault' }, { provider: 'mock' }] }
      expect((await chat(fallback)).status).toBe(200)
      const noneElse = { strategy: { mode: 'fallback', on_status_codes: [429] }, targets: fallback.targets }
      expect((await chat(noneElse)).status).toBe(503)

      vault.start()
      passedMs += MINUTE
      expect(await chat()).toMatchObject({ status: 200, key: `Bearer two-${CANARY}` })

      // A changed reference is read anew at once.
      vault.secrets.set('secret/other', { key: `three-${CANARY}` })
      await manage('PUT', '/secret-references/vault', { secret_path: 'secret/other' })
      expect(await eventually(async () => (await chat()).key === `Bearer three-${CANARY}`, 5_000)).toBe(true)

      await manage('PUT', '/secret-references/vault', { allowed_workspaces: [fixture.red] })
      expect(await eventually(async () => (await chat()).status === 503, 5_000)).toBe(true)
      expect((await chat()).text).toContain(
        "The secret reference 'vault' cannot be used: it is not for this workspace.",
      )

      const tables = [...(await dumpTables(store.db))].flatMap(([, rows]) => rows)
      const everything = [...tables, ...said, JSON.stringify([gateway.records, gateway.lines])].join('\n')
      expect(everything).toContain('secret_unavailable')
      expect(everything).not.toContain(CANARY)
      const outcomes = metrics.collect().find(({ info }) => info.name === 'weir.secrets.reads')
      expect(outcomes?.points.map(({ labels }) => labels)).toEqual([
        { manager: 'hashicorp_vault', outcome: 'ok' },
        { manager: 'hashicorp_vault', outcome: 'away' },
      ])
    },
    SLOW_START_MS,
  )
})
