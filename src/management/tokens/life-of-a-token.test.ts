import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type PrivateDatabase, privateDatabase } from '../../../test/support/services.ts'
import { MasterKey } from '../../secrets/master-key.ts'
import { openStore, type Store } from '../../store/db.ts'
import { StoreUnavailable } from '../../store/errors.ts'
import { createApiKey } from '../../store/key-material.ts'
import { createKeyCache } from '../../store/memory/key-cache.ts'
import { apiKeyRows } from '../../store/objects/api-keys.ts'
import { createOrganisation } from '../../store/objects/tenancy.ts'
import { createWorkspace, workspaceRows } from '../../store/objects/workspaces.ts'
import { describeOnBothStores, SLOW_START_MS, until } from '../../store/testing.ts'
import { createAccessTokens } from './access-tokens.ts'
import { createActors } from './actors.ts'
import { createKeysById } from './keys-by-id.ts'
import { createOAuthHandler } from './oauth-handler.ts'
import { manualClock, silentLog } from './test-support.ts'
import { createWorkspaceDirectory } from './workspace-directory.ts'

/** Until every process knows, on a busy machine: less than a look that no message asks for. */
const SPREAD_MS = 4_000

/** All that one process has of tokens. */
const openProcess = async (store: Store) => {
  const clock = { now: () => Date.now() }
  const keys = await createKeyCache(store)
  const keysById = await createKeysById(store)
  const tokens = createAccessTokens({
    masterKeys: { current: new MasterKey(new Uint8Array(32).fill(7)) },
    clock,
    randomId: () => crypto.randomUUID(),
  })
  const actors = createActors({ keys, keysById, tokens, clock })
  const exchange = createOAuthHandler({ keys, tokens, clock, log: silentLog })
  return {
    actors,
    async token(id: string, key: string): Promise<string> {
      const response = await exchange(
        new Request('http://weir.test/oauth/token', {
          method: 'POST',
          body: new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: key }),
        }),
      )
      const { access_token: token } = (await response.json()) as { access_token: string }
      return token
    },
    async close(): Promise<void> {
      await keys.close()
      await keysById.close()
    },
  }
}

const storeKey = async ({
  db,
}: Store): Promise<{ readonly id: string; readonly key: string; readonly workspaceId: string }> => {
  const { id: organisationId } = await createOrganisation(db, { name: 'tokens' })
  const { id: workspaceId } = await createWorkspace(db, { organisationId, name: 'tokens', slug: 'ws-tokens' })
  const { key, publicId, hash, masked } = createApiKey()
  const { id } = await apiKeyRows.insert(db, {
    publicId,
    hash,
    maskedKey: masked,
    name: 'a key',
    kind: 'workspace-service',
    organisationId,
    workspaceId,
    scopes: ['completions.write'],
  })
  return { id, key, workspaceId }
}

describeOnBothStores('an access token', (store) => {
  test('works until its key is revoked, and then no longer', async () => {
    const process = await openProcess(store())
    try {
      const { id, key } = await storeKey(store())
      const token = await process.token(id, key)
      expect(await process.actors.find(token)).toMatchObject({ id, kind: 'workspace-service' })
      // From memory.
      expect(process.actors.findPrincipal(token)).toMatchObject({ principal: { keyId: id } })
      await apiKeyRows.update(store().db, { id, scopes: ['logs.view'] })
      await until(async () => (await process.actors.find(token))?.scopes.has('logs.view') === true)
      const revokedAtMs = performance.now()
      await apiKeyRows.update(store().db, { id, status: 'revoked' })
      await until(async () => (await process.actors.find(token)) === undefined)
      expect(performance.now() - revokedAtMs).toBeLessThan(SPREAD_MS)
    } finally {
      await process.close()
    }
  })

  test('of a workspace that is archived works no more', async () => {
    const process = await openProcess(store())
    try {
      const { id, key, workspaceId } = await storeKey(store())
      const token = await process.token(id, key)
      await process.actors.find(token)
      await workspaceRows.update(store().db, { id: workspaceId, status: 'archived' })
      const isRefused = async () => {
        try {
          await process.actors.find(token)
          return false
        } catch {
          return true
        }
      }
      await until(isRefused)
    } finally {
      await process.close()
    }
  })

  test('lives on what is known while the database is away, for ten minutes', async () => {
    const { id } = await storeKey(store())
    const clock = manualClock()
    let isAway = false
    const { db, ...rest } = store()
    const shaky: Store = {
      ...rest,
      get db() {
        if (isAway) throw new StoreUnavailable('away')
        return db
      },
    }
    const startedAtMs = performance.now()
    const keys = await createKeysById(shaky, {
      monotonicMs: () => startedAtMs + clock.monotonicMs(),
      pollIntervalMs: 600_000,
    })
    try {
      expect(await keys.find(id)).toMatchObject({ id })
      isAway = true
      clock.advance(599_000)
      expect(keys.find(id)).toMatchObject({ id })
      clock.advance(2_000)
      expect(async () => await keys.find(id)).toThrow(StoreUnavailable)
      expect(async () => await keys.find(crypto.randomUUID())).toThrow(StoreUnavailable)
      isAway = false
      expect(await keys.find(id)).toMatchObject({ id })
      expect(await keys.find(crypto.randomUUID())).toBeUndefined()
    } finally {
      await keys.close()
    }
  })

  test('workspaces are found by id and slug while they are active', async () => {
    const directory = await createWorkspaceDirectory(store())
    try {
      const { id: organisationId } = await createOrganisation(store().db, { name: 'directory' })
      const { id } = await createWorkspace(store().db, { organisationId, name: 'x', slug: 'ws-x' })
      await until(() => directory.find(organisationId, 'ws-x')?.id === id)
      expect(directory.find(organisationId, id)?.id).toBe(id)
      expect(directory.find(crypto.randomUUID(), 'ws-x')).toBeUndefined()
      await workspaceRows.update(store().db, { id, status: 'archived' })
      await until(() => directory.find(organisationId, 'ws-x') === undefined)
    } finally {
      await directory.close()
    }
  })
})

describe('two processes on one Postgres', () => {
  let database: PrivateDatabase
  let stores: readonly Store[] = []

  beforeAll(async () => {
    database = await privateDatabase()
    const open = () => openStore({ databaseUrl: database.url, dataDir: '' })
    stores = [await open(), await open()]
  }, SLOW_START_MS)
  afterAll(async () => {
    for (const store of stores) await store.close()
    await database.drop()
  }, SLOW_START_MS)

  test('accept the tokens of each other, and drop them together', async () => {
    const [first, second] = await Promise.all(stores.map(openProcess))
    const [store] = stores
    if (first === undefined || second === undefined || store === undefined) throw new Error('two were opened')
    try {
      const { id, key } = await storeKey(store)
      const token = await first.token(id, key)
      expect(await second.actors.find(token)).toMatchObject({ id })
      const revokedAtMs = performance.now()
      await apiKeyRows.update(store.db, { id, status: 'revoked' })
      for (const { actors } of [first, second]) await until(async () => (await actors.find(token)) === undefined)
      expect(performance.now() - revokedAtMs).toBeLessThan(SPREAD_MS)
    } finally {
      await first.close()
      await second.close()
    }
  })
})
