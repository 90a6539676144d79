import { describe, expect, test } from 'bun:test'
import type { ApiKeyRecord } from '../store/api-keys.ts'
import type { KeySnapshot } from '../store/key-snapshot.ts'
import { createKeyDirectory } from './key-directory.ts'

const KEY = 'a-stored-key-0123456789abcdef0123'
const AT = new Date('2026-01-02T03:04:05Z')

const record = (overrides: Partial<ApiKeyRecord> = {}): ApiKeyRecord => ({
  id: 'key-1',
  publicId: 'public-1',
  maskedKey: 'a-s*****123',
  name: 'Default',
  description: null,
  kind: 'workspace-service',
  organisationId: 'organisation-1',
  workspaceId: 'workspace-1',
  userId: null,
  scopes: ['completions.write', 'logs.list'],
  defaults: null,
  rateLimits: null,
  usageLimits: null,
  status: 'active',
  preset: null,
  expiresAt: null,
  createdAt: AT,
  lastUpdatedAt: AT,
  ...overrides,
})

const directoryOf = (stored: ApiKeyRecord) => {
  const snapshot: KeySnapshot = {
    find: (key) => (key === KEY ? stored : undefined),
    version: 1,
    close: () => Promise.resolve(),
  }
  return createKeyDirectory(() => snapshot)
}

describe('the stored keys as the chain sees them', () => {
  test('a key of a workspace', () => {
    expect(directoryOf(record()).find(KEY)).toEqual({
      principal: {
        keyId: 'key-1',
        keyName: 'Default',
        kind: 'workspace-service',
        organisationId: 'organisation-1',
        workspaceId: 'workspace-1',
        scopes: new Set(['completions.write', 'logs.list']),
      },
    })
  })

  test('a key of an organisation has no workspace, one of a user has its user', () => {
    const organisation = directoryOf(record({ kind: 'organisation-service', workspaceId: null })).find(KEY)
    expect(organisation?.principal).not.toHaveProperty('workspaceId')
    const user = directoryOf(record({ kind: 'workspace-user', userId: 'user-1' })).find(KEY)
    expect(user?.principal).toMatchObject({ kind: 'workspace-user', userId: 'user-1' })
  })

  test('a time of expiry is milliseconds; a key that was marked expired has long been so', () => {
    expect(directoryOf(record({ expiresAt: AT })).find(KEY)?.expiresAtMs).toBe(AT.getTime())
    expect(directoryOf(record({ status: 'expired', expiresAt: new Date(8.64e15) })).find(KEY)?.expiresAtMs).toBe(0)
  })

  test('a revoked key, an unknown one, and any key before the first read are nobody’s', () => {
    expect(directoryOf(record({ status: 'revoked' })).find(KEY)).toBeUndefined()
    expect(directoryOf(record()).find('another-key')).toBeUndefined()
    expect(createKeyDirectory(() => undefined).find(KEY)).toBeUndefined()
  })

  test('an entry is made once for a record', () => {
    const directory = directoryOf(record())
    const first = directory.find(KEY)
    expect(first).toBeDefined()
    expect(directory.find(KEY) === first).toBe(true)
  })
})
