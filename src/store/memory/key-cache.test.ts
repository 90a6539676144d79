import { beforeEach, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { bootstrap } from '../bootstrap.ts'
import type { Store } from '../db.ts'
import { StoreUnavailable } from '../errors.ts'
import { createApiKey, describeKey } from '../key-material.ts'
import { apiKeyRows, findApiKeyByPublicId, rotateApiKey } from '../objects/api-keys.ts'
import { workspaceRows } from '../objects/workspaces.ts'
import { apiKeys } from '../schema/api-keys.ts'
import { workspaces } from '../schema/tenancy.ts'
import { breakable, describeOnBothStores, emptyStore, rejection, until } from '../testing.ts'
import { createKeyCache, type KeyCache, type KeyCacheOptions } from './key-cache.ts'

describeOnBothStores('key cache', (store) => {
  const made = { adminKey: '', apiKey: '' }

  beforeEach(async () => {
    await emptyStore(store())
    Object.assign(made, (await bootstrap(store().db, {})).created)
  })

  /** Runs the test with a cache that refreshes at once and does not poll, unless told to. */
  const withCache = async (
    run: (cache: KeyCache) => Promise<void>,
    options: KeyCacheOptions = {},
    from: Store = store(),
  ): Promise<void> => {
    const cache = await createKeyCache(from, { debounceMs: 1, pollIntervalMs: 60_000, ...options })
    try {
      await run(cache)
    } finally {
      await cache.close()
    }
  }

  const idOf = async (key: string): Promise<string> =>
    (await findApiKeyByPublicId(store().db, describeKey(key).publicId))?.record.id ?? ''
  const setStatus = async (key: string, status: 'revoked' | 'exhausted') =>
    apiKeyRows.update(store().db, { id: await idOf(key), status })
  const insert = async (key: string) => {
    const { publicId, hash, masked } = describeKey(key)
    const [record] = await store().db.select().from(apiKeys).where(eq(apiKeys.kind, 'workspace-service'))
    if (record === undefined) throw new Error('bootstrap made no key')
    const { kind, organisationId, workspaceId, scopes } = record
    const template = { name: 'late', kind, organisationId, workspaceId, scopes }
    return apiKeyRows.insert(store().db, { ...template, publicId, hash, maskedKey: masked })
  }

  test('finds a stored key by asking once, then at once', async () => {
    const { double, queries } = breakable(store())
    await withCache(
      async (cache) => {
        const before = queries()
        const [first, second] = [cache.find(made.apiKey), cache.find(made.apiKey)]
        expect(first).toBeInstanceOf(Promise)
        expect(await first).toMatchObject({
          kind: 'workspace-service',
          workspace: { slug: 'ws-default', status: 'active' },
        })
        expect(await second).toBe(await first)
        expect(queries()).toBe(before + 1)
        expect(cache.find(made.apiKey)).toBe(await first)
        expect(await first).not.toHaveProperty('hash')
        expect(await first).not.toHaveProperty('previousHash')
        expect(Object.isFrozen(await first)).toBe(true)
        expect(await cache.find(made.adminKey)).toMatchObject({ kind: 'organisation-service', workspace: null })
      },
      {},
      double,
    )
  })

  test('does not find what is only like a stored key, and remembers that for a while', async () => {
    const { double, queries } = breakable(store())
    let nowMs = 0
    const sameId = made.apiKey.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
    await withCache(
      async (cache) => {
        for (const key of [sameId, `${made.apiKey} `, 'x'.repeat(40)]) {
          expect(await cache.find(key)).toBeUndefined()
          const before = queries()
          expect(cache.find(key)).toBeUndefined()
          nowMs += 5_000
          expect(await cache.find(key)).toBeUndefined()
          expect(queries()).toBe(before + 1)
        }
        for (const key of ['', 'short', 'x'.repeat(1_000_000)]) expect(cache.find(key)).toBeUndefined()
      },
      { monotonicMs: () => nowMs },
      double,
    )
  })

  test('forgets that a key was unknown when keys change', async () => {
    const { key } = createApiKey()
    await withCache(async (cache) => {
      expect(await cache.find(key)).toBeUndefined()
      await insert(key)
      await until(async () => (await cache.find(key)) !== undefined)
    })
  })

  test('follows changes of keys and of their workspaces, whoever made them', async () => {
    await withCache(async (cache) => {
      await cache.find(made.apiKey)
      await cache.find(made.adminKey)
      const { version } = cache
      await setStatus(made.adminKey, 'exhausted')
      await until(async () => (await cache.find(made.adminKey))?.status === 'exhausted')
      expect(cache.version).toBeGreaterThan(version)
      const workspace = (await cache.find(made.apiKey))?.workspace
      await workspaceRows.update(store().db, { id: workspace?.id ?? '', status: 'archived' })
      await until(async () => (await cache.find(made.apiKey))?.workspace?.status === 'archived')
      // By hand, which moves no time of change.
      await store().db.execute(sql`update api_keys set name = 'by hand' where id = ${await idOf(made.apiKey)}`)
      await until(async () => (await cache.find(made.apiKey))?.name === 'by hand')
      await setStatus(made.apiKey, 'revoked')
      await until(async () => (await cache.find(made.apiKey)) === undefined)
      await store()
        .db.delete(apiKeys)
        .where(eq(apiKeys.id, await idOf(made.adminKey)))
      await until(async () => (await cache.find(made.adminKey)) === undefined)
    })
  })

  test('keeps the same record while nothing about the key changes', async () => {
    await withCache(async (cache) => {
      const record = await cache.find(made.apiKey)
      const { version } = cache
      await setStatus(made.adminKey, 'exhausted')
      await until(() => cache.version > version)
      expect(cache.find(made.apiKey)).toBe(record)
    })
  })

  test('takes both secrets of a rotated key until the former one ends', async () => {
    let nowMs = Date.now()
    await withCache(
      async (cache) => {
        await cache.find(made.apiKey)
        const next = createApiKey()
        const previousExpiresAt = new Date(nowMs + 60_000)
        await rotateApiKey(store().db, { id: await idOf(made.apiKey), next, previousExpiresAt })
        await until(async () => (await cache.find(made.apiKey))?.previousExpiresAt != null)
        expect((await cache.find(next.key))?.id).toBe((await cache.find(made.apiKey))?.id ?? '')
        nowMs += 60_000
        expect(await cache.find(made.apiKey)).toBeUndefined()
        expect(await cache.find(next.key)).toBeDefined()
      },
      { now: () => nowMs },
    )
  })

  test('does not take the former secret of a key once it has ended, nor a revoked key by either', async () => {
    await withCache(async (cache) => {
      const id = await idOf(made.apiKey)
      const [second, third] = [createApiKey(), createApiKey()]
      await rotateApiKey(store().db, { id, next: second, previousExpiresAt: new Date() })
      await until(async () => (await cache.find(made.apiKey)) === undefined)
      await rotateApiKey(store().db, { id, next: third, previousExpiresAt: new Date(Date.now() + 60_000) })
      await until(async () => (await cache.find(third.key)) !== undefined)
      expect((await cache.find(second.key))?.id).toBe(id)
      await apiKeyRows.update(store().db, { id, status: 'revoked' })
      await until(
        async () => (await cache.find(third.key)) === undefined && (await cache.find(second.key)) === undefined,
      )
    })
  })

  test('sees by polling what no message told of', async () => {
    const { double, broken } = breakable(store())
    broken.listening = true
    const errors: unknown[] = []
    await withCache(
      async (cache) => {
        await cache.find(made.apiKey)
        await setStatus(made.apiKey, 'revoked')
        broken.listening = false
        await until(async () => (await cache.find(made.apiKey)) === undefined)
        expect(errors[0]).toBeInstanceOf(StoreUnavailable)
      },
      { pollIntervalMs: 10, onError: (error) => errors.push(error) },
      double,
    )
  })

  test('keeps cached keys while the database is away, refuses to judge others, and catches up', async () => {
    const { double, broken } = breakable(store())
    const errors: unknown[] = []
    await withCache(
      async (cache) => {
        await cache.find(made.apiKey)
        broken.queries = true
        // What was being read when it broke is through by then.
        await until(() => errors.length > 2)
        await setStatus(made.apiKey, 'revoked')
        await until(() => errors.length > 5)
        expect(cache.find(made.apiKey)).toMatchObject({ status: 'active' })
        expect(await rejection((async () => cache.find(made.adminKey))())).toBeInstanceOf(StoreUnavailable)
        broken.queries = false
        expect(await cache.find(made.adminKey)).toBeDefined()
        await until(async () => (await cache.find(made.apiKey)) === undefined)
      },
      { pollIntervalMs: 10, onError: (error) => errors.push(error) },
      double,
    )
  })

  test('keeps them for ten minutes, and no longer', async () => {
    const { double, broken } = breakable(store())
    let awayMs = 0
    await withCache(
      async (cache) => {
        await cache.find(made.apiKey)
        broken.queries = true
        awayMs = 599_000
        expect(cache.find(made.apiKey)).toMatchObject({ status: 'active' })
        awayMs = 601_000
        expect(await rejection((async () => cache.find(made.apiKey))())).toBeInstanceOf(StoreUnavailable)
        broken.queries = false
        expect(await cache.find(made.apiKey)).toMatchObject({ status: 'active' })
        expect(cache.find(made.apiKey)).toMatchObject({ status: 'active' })
      },
      { monotonicMs: () => performance.now() + awayMs },
      double,
    )
  })

  test('holds no more entries than it may', async () => {
    const keys = Array.from({ length: 6 }, () => createApiKey().key)
    for (const key of keys) await insert(key)
    await withCache(
      async (cache) => {
        for (const key of keys) await cache.find(key)
        const atOnce = keys.filter((key) => !(cache.find(key) instanceof Promise))
        expect(atOnce.length).toBeLessThanOrEqual(4)
        expect(atOnce).toContain(keys[5] ?? '')
      },
      { maximumEntries: 4 },
    )
  })

  test('turns away more look-ups than it may run, and never hangs on one', async () => {
    const { double, broken } = breakable(store())
    await withCache(
      async (cache) => {
        broken.answers = true
        const [first, second] = [cache.find(made.apiKey), cache.find(made.adminKey)]
        expect(() => cache.find('x'.repeat(40))).toThrow(StoreUnavailable)
        for (const lookup of [first, second]) {
          expect(await rejection(Promise.resolve(lookup))).toBeInstanceOf(StoreUnavailable)
        }
        broken.answers = false
        expect(await cache.find(made.apiKey)).toBeDefined()
      },
      { maximumLookups: 2, lookupTimeoutMs: 500 },
      double,
    )
  })

  test('finds both of two keys that share a public id, one as its former', async () => {
    await withCache(async (cache) => {
      const id = await idOf(made.apiKey)
      const former = describeKey(made.apiKey)
      await rotateApiKey(store().db, { id, next: createApiKey(), previousExpiresAt: new Date(Date.now() + 60_000) })
      const other = made.apiKey.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
      const { id: otherId } = await insert(other)
      expect(describeKey(other).publicId).toBe(former.publicId)
      expect((await cache.find(made.apiKey))?.id).toBe(id)
      expect((await cache.find(other))?.id).toBe(otherId)
    })
  })

  test('outlives the deletion of a workspace', async () => {
    await withCache(async (cache) => {
      await cache.find(made.apiKey)
      await store().db.transaction(async (transaction) => {
        await transaction.delete(apiKeys).where(eq(apiKeys.kind, 'workspace-service'))
        await transaction.delete(workspaces)
      })
      await until(async () => (await cache.find(made.apiKey)) === undefined)
    })
  })

  describe('a database that is away from the start', () => {
    test('is an error', async () => {
      const { double, broken } = breakable(store())
      broken.queries = true
      expect(await rejection(createKeyCache(double))).toBeInstanceOf(StoreUnavailable)
    })
  })
})
