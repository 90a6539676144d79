import { describe, expect, test } from 'bun:test'
import {
  ExpiredApiKey,
  InvalidApiKey,
  ManagementForbidden,
  ManagementUnauthorized,
  ScopeMissing,
} from '../../errors/gateway-error.ts'
import { MasterKey } from '../../secrets/master-key.ts'
import { createApiKey } from '../../store/key-material.ts'
import type { LiveApiKey } from '../../store/memory/live-keys.ts'
import { createAccessTokens } from './access-tokens.ts'
import { createActors, type NamedWorkspace } from './actors.ts'
import type { ExternalToken } from './jwt.ts'
import { keyRecord, manualClock, ORGANISATION_ID, WORKSPACE_ID } from './test-support.ts'

const ID = '0198c5d2-0000-7000-8000-000000000001'
const FOREIGN = 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln'

const setUp = (changes: Partial<LiveApiKey> = {}, external?: Partial<ExternalToken> | Error) => {
  const clock = manualClock()
  const { key } = createApiKey()
  let record: LiveApiKey | undefined = keyRecord({ id: ID, ...changes })
  const tokens = createAccessTokens({
    masterKeys: { current: new MasterKey(new Uint8Array(32).fill(1)) },
    clock,
    randomId: () => crypto.randomUUID(),
  })
  const token: ExternalToken = {
    organisationId: ORGANISATION_ID,
    workspace: 'ws-default',
    scopes: new Set(['completions.write']),
    userId: 'someone@example.com',
    expiresAtMs: clock.now() + 60_000,
    ...(external instanceof Error ? {} : external),
  }
  let row: NamedWorkspace = { id: WORKSPACE_ID, defaults: { metadata: { plan: 'free', team: 'all' } } }
  const actors = createActors({
    keys: { find: (text) => (text === key ? record : undefined) },
    keysById: { find: (id) => (id === ID ? record : undefined) },
    tokens,
    jwt: {
      verify: (text) => {
        if (external instanceof Error) throw external
        return text === FOREIGN ? token : undefined
      },
    },
    workspaces: {
      find: (organisationId, reference) =>
        organisationId === ORGANISATION_ID && reference === 'ws-default' ? row : undefined,
    },
    clock,
  })
  return {
    actors,
    clock,
    key,
    tokens,
    setRecord: (next: LiveApiKey | undefined) => {
      record = next
    },
    setWorkspace: (changes: Partial<NamedWorkspace>) => {
      row = { ...row, ...changes }
    },
  }
}

describe('a key', () => {
  test('stands for its record, at once and always as the same object', () => {
    const { actors, key } = setUp({ defaults: { configId: 'pc-1' } })
    const found = actors.findPrincipal(key)
    expect(found).toEqual({
      principal: {
        keyId: ID,
        keyName: 'a key',
        kind: 'workspace-service',
        organisationId: ORGANISATION_ID,
        workspaceId: WORKSPACE_ID,
        scopes: new Set(['completions.write', 'logs.view']),
      },
      defaults: { configId: 'pc-1' },
    })
    expect(actors.findPrincipal(key)).toBe(found)
  })

  test('that is unknown or revoked stands for nobody', async () => {
    const { actors, key, setRecord } = setUp()
    expect(actors.findPrincipal(`${key}x`)).toBeUndefined()
    setRecord(keyRecord({ id: ID, status: 'revoked' }))
    expect(actors.findPrincipal(key)).toBeUndefined()
    expect(await actors.find(key)).toBeUndefined()
  })

  test('that has expired is told apart on the data plane, and is nobody to the management', async () => {
    const expired = setUp({ expiresAt: new Date(Date.UTC(2030, 0, 1)) })
    expect(expired.actors.findPrincipal(expired.key)).toMatchObject({ expiresAtMs: expired.clock.now() })
    expect(await expired.actors.find(expired.key)).toBeUndefined()
    const stored = setUp({ status: 'expired', expiresAt: new Date(Date.UTC(2040, 0, 1)) })
    expect(stored.actors.findPrincipal(stored.key)).toMatchObject({ expiresAtMs: 0 })
  })

  test('is an actor', async () => {
    const { actors, key } = setUp({ kind: 'workspace-user', userId: 'u-1' })
    expect(await actors.find(key)).toEqual({
      kind: 'workspace-user',
      id: ID,
      name: 'a key',
      organisationId: ORGANISATION_ID,
      workspaceId: WORKSPACE_ID,
      userId: 'u-1',
      scopes: new Set(['completions.write', 'logs.view']),
    })
  })
})

describe('the workspace of a key', () => {
  const workspace = {
    id: WORKSPACE_ID,
    slug: 'ws-default',
    name: 'default',
    status: 'active' as const,
    defaults: { metadata: { plan: 'free', team: 'all' } },
    usageLimits: null,
    rateLimits: null,
  }

  test('lends it defaults; of the metadata those of the workspace win', () => {
    const { actors, key, setRecord } = setUp({ workspace })
    expect(actors.findPrincipal(key)).toMatchObject({ defaults: workspace.defaults })
    setRecord(
      keyRecord({ id: ID, workspace, defaults: { configId: 'pc-1', metadata: { team: 'blue', color: 'blue' } } }),
    )
    expect(actors.findPrincipal(key)).toMatchObject({
      defaults: { configId: 'pc-1', metadata: { plan: 'free', team: 'all', color: 'blue' } },
    })
  })

  test('and the key have budgets, which travel with each of its calls as they were made once', () => {
    const budget = { type: 'cost' as const, creditLimit: 3 }
    const { actors, key } = setUp({ workspace: { ...workspace, usageLimits: [budget] }, usageLimits: budget })
    const found = actors.findPrincipal(key)
    expect(found).toMatchObject({
      budgets: [
        { owner: 'api_key', id: ID, budgets: [{ type: 'cost', limit: 3 }] },
        { owner: 'workspace', id: WORKSPACE_ID, budgets: [{ type: 'cost', limit: 3 }] },
      ],
    })
    expect(actors.findPrincipal(key)).toBe(found)
    const without = setUp({ workspace })
    expect(without.actors.findPrincipal(without.key)).not.toHaveProperty('budgets')
  })

  test('stops it when it is archived', async () => {
    const { actors, key } = setUp({ workspace: { ...workspace, status: 'archived' } })
    expect(() => actors.findPrincipal(key)).toThrow(ScopeMissing)
    expect(async () => await actors.find(key)).toThrow(ManagementForbidden)
  })
})

describe('an access token', () => {
  test('stands for its key until it expires, at once after the first time', async () => {
    const { actors, tokens, clock } = setUp()
    const token = await tokens.issue({ keyId: ID })
    const expected = { principal: { keyId: ID }, expiresAtMs: clock.now() + 900_000 }
    expect(await actors.findPrincipal(token)).toMatchObject(expected)
    const found = actors.findPrincipal(token)
    expect(found).toMatchObject(expected)
    expect(actors.findPrincipal(token)).toBe(found)
    clock.advance(900_000)
    expect(await actors.findPrincipal(token)).toBeUndefined()
  })

  test('may what it was narrowed to, while its key may', async () => {
    const { actors, tokens, setRecord } = setUp()
    const token = await tokens.issue({ keyId: ID, scopes: ['logs.view', 'completions.write'] })
    setRecord(keyRecord({ id: ID, scopes: ['logs.view', 'logs.list'] }))
    expect(await actors.findPrincipal(token)).toMatchObject({ principal: { scopes: new Set(['logs.view']) } })
    setRecord(keyRecord({ id: ID, scopes: [] }))
    expect(actors.findPrincipal(token)).toMatchObject({ principal: { scopes: new Set() } })
  })

  test('dies with its key', async () => {
    const { actors, tokens, setRecord, clock } = setUp({ expiresAt: new Date(Date.UTC(2030, 0, 1) + 1_000) })
    const token = await tokens.issue({ keyId: ID })
    expect(await actors.findPrincipal(token)).toMatchObject({ expiresAtMs: clock.now() + 1_000 })
    setRecord(undefined)
    expect(actors.findPrincipal(token)).toBeUndefined()
    setRecord(keyRecord({ id: ID, status: 'revoked' }))
    expect(actors.findPrincipal(token)).toBeUndefined()
  })
})

describe('a foreign token', () => {
  test('works like the key of a user of its workspace', async () => {
    const { actors, clock } = setUp({}, { defaults: { metadata: { team: 'blue' } } })
    const found = actors.findPrincipal(FOREIGN)
    expect(found).toEqual({
      principal: {
        keyId: 'someone@example.com',
        keyName: 'someone@example.com',
        kind: 'workspace-user',
        organisationId: ORGANISATION_ID,
        workspaceId: WORKSPACE_ID,
        userId: 'someone@example.com',
        isForeign: true,
        scopes: new Set(['completions.write']),
      },
      expiresAtMs: clock.now() + 60_000,
      isIssued: true,
      defaults: { metadata: { plan: 'free', team: 'all' } },
    })
    expect(actors.findPrincipal(FOREIGN)).toBe(found)
    expect(await actors.find(FOREIGN)).toMatchObject({ id: 'someone@example.com', kind: 'workspace-user' })
  })

  test('meets the budget of its workspace as it is now', () => {
    const { actors, setWorkspace } = setUp()
    expect(actors.findPrincipal(FOREIGN)).not.toHaveProperty('budgets')
    setWorkspace({ usageLimits: [{ type: 'tokens', creditLimit: 100 }] })
    expect(actors.findPrincipal(FOREIGN)).toMatchObject({
      budgets: [{ owner: 'workspace', id: WORKSPACE_ID, budgets: [{ type: 'tokens', limit: 100 }] }],
    })
  })

  test('brings limits of its own, which count for its subject', () => {
    const rateLimits = [{ type: 'requests' as const, unit: 'rps' as const, value: 2 }]
    const { actors } = setUp({}, { usageLimits: [{ type: 'cost', creditLimit: 5 }], rateLimits })
    expect(actors.findPrincipal(FOREIGN)).toMatchObject({
      limits: [{ owner: 'api_key', id: 'someone@example.com', limits: rateLimits }],
      budgets: [{ owner: 'api_key', id: 'someone@example.com', budgets: [{ type: 'cost', limit: 5 }] }],
    })
  })

  test('with limits that cannot be read is refused with 401 on both planes', async () => {
    const { actors } = setUp({}, new InvalidApiKey('The token has a claim that is not valid: `rate_limits`.'))
    expect(() => actors.findPrincipal(FOREIGN)).toThrow(InvalidApiKey)
    expect(async () => await actors.find(FOREIGN)).toThrow(ManagementUnauthorized)
  })

  test('without a workspace that exists is refused with 403 on both planes', async () => {
    for (const external of [{ workspace: 'ws-gone' }, { organisationId: WORKSPACE_ID }]) {
      const { actors } = setUp({}, external)
      expect(() => actors.findPrincipal(FOREIGN)).toThrow(ScopeMissing)
      expect(async () => await actors.find(FOREIGN)).toThrow(ManagementForbidden)
    }
  })

  test('that is unknown, expired or not wanted is refused with 401', async () => {
    const { actors } = setUp()
    expect(actors.findPrincipal(`${FOREIGN}x`)).toBeUndefined()
    const expired = setUp({}, new ExpiredApiKey('The token has expired.'))
    expect(() => expired.actors.findPrincipal(FOREIGN)).toThrow(ExpiredApiKey)
    expect(async () => await expired.actors.find(FOREIGN)).toThrow(ManagementUnauthorized)
    const { key, tokens, clock } = setUp()
    const none = { find: () => undefined }
    const without = createActors({ keys: none, keysById: none, tokens, clock })
    expect(await without.findPrincipal(FOREIGN)).toBeUndefined()
    expect(without.findPrincipal(key)).toBeUndefined()
  })
})
