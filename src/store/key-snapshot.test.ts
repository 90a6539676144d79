import { beforeEach, describe, expect, test } from 'bun:test'
import { findApiKeyByPublicId, updateApiKey } from './api-keys.ts'
import { bootstrap } from './bootstrap.ts'
import type { Store } from './db.ts'
import { StoreUnavailable } from './errors.ts'
import { describeKey } from './key-material.ts'
import { createKeySnapshot } from './key-snapshot.ts'
import { describeOnBothStores, emptyStore, rejection, until } from './testing.ts'

/** A store of which the tests can cut off either part. */
const breakable = (store: Store) => {
  const broken = { queries: false, listening: false }
  const unavailable = () => new StoreUnavailable('cut off by the test')
  const double: Store = {
    ...store,
    get db() {
      if (broken.queries) throw unavailable()
      return store.db
    },
    onChange: (listener) => (broken.listening ? Promise.reject(unavailable()) : store.onChange(listener)),
  }
  return { double, broken }
}

describeOnBothStores('key snapshot', (store) => {
  const made = { adminKey: '', apiKey: '' }

  beforeEach(async () => {
    await emptyStore(store())
    Object.assign(made, (await bootstrap(store().db, {})).created)
  })

  const setStatus = async (key: string, status: 'revoked' | 'exhausted') => {
    const stored = await findApiKeyByPublicId(store().db, describeKey(key).publicId)
    await updateApiKey(store().db, { id: stored?.record.id ?? '', status })
  }

  test('finds stored keys, without their hash and unchangeable', async () => {
    const snapshot = await createKeySnapshot(store())
    const record = snapshot.find(made.apiKey)
    expect(record).toMatchObject({ kind: 'workspace-service', status: 'active' })
    expect(record).not.toHaveProperty('hash')
    expect(Object.isFrozen(record)).toBe(true)
    expect(snapshot.find(made.adminKey)?.kind).toBe('organisation-service')
    await snapshot.close()
  })

  test('does not find what is only like a stored key', async () => {
    const snapshot = await createKeySnapshot(store())
    const sameId = made.apiKey.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
    for (const key of [sameId, `${made.apiKey} `, '', 'short', 'x'.repeat(40), 'x'.repeat(1_000_000)]) {
      expect(snapshot.find(key)).toBeUndefined()
    }
    await snapshot.close()
  })

  test('follows changes, and its version moves with them', async () => {
    const snapshot = await createKeySnapshot(store(), { debounceMs: 1, pollIntervalMs: 60_000 })
    const { version } = snapshot
    await bootstrap(store().db, { apiKey: 'a-preset-key-of-the-operator-000001' })
    await until(() => snapshot.find('a-preset-key-of-the-operator-000001') !== undefined)
    expect(snapshot.version).toBeGreaterThan(version)
    await setStatus(made.apiKey, 'revoked')
    await until(() => snapshot.find(made.apiKey) === undefined)
    await setStatus(made.adminKey, 'exhausted')
    await until(() => snapshot.find(made.adminKey)?.status === 'exhausted')
    await snapshot.close()
  })

  test('sees by polling what no message told of', async () => {
    const { double, broken } = breakable(store())
    broken.listening = true
    const errors: unknown[] = []
    const snapshot = await createKeySnapshot(double, { pollIntervalMs: 10, onError: (error) => errors.push(error) })
    await setStatus(made.apiKey, 'revoked')
    broken.listening = false
    await until(() => snapshot.find(made.apiKey) === undefined)
    expect(errors[0]).toBeInstanceOf(StoreUnavailable)
    await snapshot.close()
  })

  test('keeps the last keys while the database is away, and catches up', async () => {
    const { double, broken } = breakable(store())
    const errors: unknown[] = []
    const snapshot = await createKeySnapshot(double, {
      pollIntervalMs: 10,
      debounceMs: 1,
      onError: (error) => errors.push(error),
    })
    broken.queries = true
    await setStatus(made.apiKey, 'revoked')
    await until(() => errors.length > 2)
    expect(snapshot.find(made.apiKey)?.status).toBe('active')
    broken.queries = false
    await until(() => snapshot.find(made.apiKey) === undefined)
    await snapshot.close()
  })

  describe('a database that is away from the start', () => {
    test('is an error', async () => {
      const { double, broken } = breakable(store())
      broken.queries = true
      expect(await rejection(createKeySnapshot(double))).toBeInstanceOf(StoreUnavailable)
    })
  })
})
