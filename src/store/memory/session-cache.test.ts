import { beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { bootstrap } from '../bootstrap.ts'
import { StoreUnavailable } from '../errors.ts'
import { hashKey } from '../key-material.ts'
import { endSessions, forgetOverSessions, sessionRows } from '../objects/sessions.ts'
import { apiKeys } from '../schema/api-keys.ts'
import { sessions } from '../schema/people.ts'
import { breakable, describeOnBothStores, emptyStore, until } from '../testing.ts'
import type { Store } from '../types.ts'
import { createSessionCache, type SessionCache, type SessionCacheOptions } from './session-cache.ts'

const HOUR_MS = 3_600_000
const IDLE_MS = 12 * HOUR_MS
const START_MS = Date.UTC(2030, 0, 1)
const TOKEN = 'a'.repeat(43)
const OTHER = 'b'.repeat(43)

describeOnBothStores('session cache', (store) => {
  let nowMs: number
  let holder: { readonly organisationId: string; readonly apiKeyId: string }

  beforeEach(async () => {
    nowMs = START_MS
    await store().db.delete(sessions)
    await emptyStore(store())
    await bootstrap(store().db, {})
    const [key] = await store().db.select().from(apiKeys).where(eq(apiKeys.kind, 'organisation-service'))
    if (key === undefined) throw new Error('bootstrap made no key')
    holder = { organisationId: key.organisationId, apiKeyId: key.id }
  })

  const insert = (token: string) =>
    sessionRows.insert(store().db, {
      ...holder,
      tokenHash: hashKey(token),
      lastSeenAt: new Date(START_MS),
      endsAt: new Date(START_MS + 48 * HOUR_MS),
    })

  const withCache = async (
    run: (cache: SessionCache) => Promise<void>,
    from: Store = store(),
    options: Partial<SessionCacheOptions> = {},
  ): Promise<void> => {
    const cache = await createSessionCache(from, {
      ...{ idleMs: () => IDLE_MS, now: () => nowMs, pollIntervalMs: 60_000 },
      ...options,
    })
    try {
      await run(cache)
    } finally {
      await cache.close()
    }
  }

  const seenAt = async (id: string) => {
    const [row] = await store().db.select().from(sessions).where(eq(sessions.id, id))
    return row?.lastSeenAt.getTime()
  }

  test('asks once for a session in use, and not again for one that nobody has', async () => {
    const { id } = await insert(TOKEN)
    const { double, queries } = breakable(store())
    await withCache(async (cache) => {
      const before = queries()
      expect(await cache.find(TOKEN)).toMatchObject({ id, ...holder, userId: null })
      expect(await cache.find(OTHER)).toBeUndefined()
      expect(queries()).toBe(before + 2)
      expect(cache.find(TOKEN)).toMatchObject({ id })
      expect(cache.find(TOKEN)).not.toHaveProperty('tokenHash')
      expect(cache.find(OTHER)).toBeUndefined()
      for (const text of ['', 'x', `${TOKEN}x`, 'ä'.repeat(43)]) expect(cache.find(text)).toBeUndefined()
      expect(queries()).toBe(before + 2)
    }, double)
  })

  test('ends for who ended it and for all others, by a message', async () => {
    const { id } = await insert(TOKEN)
    await insert(OTHER)
    await withCache(async (cache) => {
      await cache.find(TOKEN)
      await cache.find(OTHER)
      expect(await endSessions(store().db, holder, id)).toHaveLength(1)
      await until(async () => (await cache.find(OTHER)) === undefined)
      expect(cache.find(TOKEN)).toMatchObject({ id })
    })
  })

  test('use is written down at most once a minute, and that announces nothing', async () => {
    const { id } = await insert(TOKEN)
    const heard: string[] = []
    const stop = await store().onChange((table) => heard.push(table))
    await withCache(async (cache) => {
      await cache.find(TOKEN)
      nowMs += 59_999
      cache.find(TOKEN)
    })
    expect(await seenAt(id)).toBe(START_MS)
    await withCache(async (cache) => {
      nowMs += 1
      await cache.find(TOKEN)
      nowMs += 10
      cache.find(TOKEN)
    })
    expect(await seenAt(id)).toBe(START_MS + 60_010)
    // What comes later than this message has not come before it.
    await endSessions(store().db, holder)
    await until(async () => heard.includes('sessions'))
    expect(heard).toEqual(['sessions'])
    await stop()
  })

  test('is over when it was not used for too long, and at its end', async () => {
    await insert(TOKEN)
    await withCache(async (cache) => {
      for (let hours = 0; hours < 47; hours += 11) {
        expect(await cache.find(TOKEN)).toBeDefined()
        nowMs += 11 * HOUR_MS
      }
      nowMs = START_MS + 48 * HOUR_MS - 1
      expect(await cache.find(TOKEN)).toBeDefined()
      nowMs += 1
      expect(await cache.find(TOKEN)).toBeUndefined()
    })
    const { id } = await insert(OTHER)
    nowMs = START_MS
    await withCache(async (cache) => {
      await cache.find(OTHER)
      nowMs += IDLE_MS - 1
      // Another process has seen it.
      await store()
        .db.update(sessions)
        .set({ lastSeenAt: new Date(nowMs) })
        .where(eq(sessions.id, id))
      nowMs += IDLE_MS - 1
      expect(await cache.find(OTHER)).toMatchObject({ id })
      nowMs += IDLE_MS
      expect(await cache.find(OTHER)).toBeUndefined()
    })
  })

  test('works on for ten minutes while the database is away, and what is not known then is no answer', async () => {
    await insert(TOKEN)
    let monotonicMs = performance.now()
    const { double, broken } = breakable(store())
    await withCache(
      async (cache) => {
        await cache.find(TOKEN)
        broken.queries = true
        monotonicMs += 599_000
        expect(cache.find(TOKEN)).toBeDefined()
        monotonicMs += 2_000
        expect(Promise.resolve(cache.find(TOKEN))).rejects.toBeInstanceOf(StoreUnavailable)
        expect(Promise.resolve(cache.find(OTHER))).rejects.toBeInstanceOf(StoreUnavailable)
        broken.queries = false
        expect(await cache.find(TOKEN)).toBeDefined()
      },
      double,
      { monotonicMs: () => monotonicMs },
    )
  })

  test('rows of what is over are removed, and of nothing else', async () => {
    const [first, second] = [await insert(TOKEN), await insert(OTHER)]
    await store()
      .db.update(sessions)
      .set({ lastSeenAt: new Date(START_MS + HOUR_MS) })
      .where(eq(sessions.id, second.id))
    const at = (ms: number) => forgetOverSessions(store().db, { now: new Date(START_MS + ms), idleMs: IDLE_MS })
    expect(await at(IDLE_MS - 1)).toBe(0)
    expect(await at(IDLE_MS)).toBe(1)
    expect(await seenAt(first.id)).toBeUndefined()
    expect(await at(IDLE_MS + HOUR_MS)).toBe(1)
  })
})
