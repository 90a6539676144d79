import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { LimitsUnavailable, ManagementForbidden, UnknownProvider } from '../../errors/gateway-error.ts'
import { createApiKey } from '../../store/key-material.ts'
import { apiKeyRows } from '../../store/objects/api-keys.ts'
import { describeOnBothStores } from '../../store/testing.ts'
import { errorOf, type Fixture } from '../integrations/test-support.ts'
import { createFakeLimits, createLimitsFixture, PATH } from './test-support.ts'

const EVALUATE = `${PATH}/evaluate`

describeOnBothStores('a dry run', (store) => {
  const fake = createFakeLimits()
  let our: Fixture
  beforeAll(async () => {
    our = await createLimitsFixture(store(), fake)
  })
  beforeEach(fake.clear)

  const makeKey = async (workspaceId: string | null): Promise<string> => {
    const { publicId, hash, masked } = createApiKey()
    const kind = workspaceId === null ? 'organisation-service' : 'workspace-service'
    const owner = { organisationId: our.organisationId, workspaceId }
    const row = { publicId, hash, maskedKey: masked, name: 'k', kind, ...owner } as const
    return (await apiKeyRows.insert(store().db, { ...row, scopes: [] })).id
  }

  test('passes the call on, and says what the limits said', async () => {
    fake.explanation = {
      allowed: false,
      status: 429,
      targets: [
        {
          target: { provider: 'openai', virtualKey: 'team', model: 'gpt' },
          allowed: false,
          status: 429,
          message: 'Used up.',
          limits: [
            {
              id: 'p',
              name: null,
              owner: 'policy',
              type: 'tokens',
              unit: 'rpm',
              value: 10,
              mode: 'enforce',
              matches: true,
              conditions: [
                { key: 'model', value: ['gpt'], excludes: 'x', actual: 'gpt', holds: true, reason: 'is one of them' },
                { key: 'config', value: '*', actual: null, holds: false, reason: 'is absent' },
              ],
              group: { model: null },
              used: 8,
              remaining: 2,
              weight: 5,
              wouldRefuse: true,
              retryAfterMs: 1_500,
            },
          ],
          budgets: [],
        },
        { target: { provider: 'mock' }, allowed: true, status: 200, limits: [], budgets: [] },
      ],
    }
    const keyId = await makeKey(our.red)
    const call = { body: { model: 'gpt', deep: { own: [1] } }, headers: { 'X-Gateway-Provider': 'openai' } }
    const given = { ...call, workspace_id: 'ws-red', api_key_id: keyId.toUpperCase(), endpoint: 'embeddings' }
    expect(await our.call('admin', 'POST', EVALUATE, given)).toEqual({
      status: 200,
      body: {
        allowed: false,
        status: 429,
        targets: [
          {
            target: { provider: 'openai', virtual_key: 'team', model: 'gpt' },
            allowed: false,
            status: 429,
            message: 'Used up.',
            limits: [
              {
                id: 'p',
                name: null,
                owner: 'policy',
                type: 'tokens',
                unit: 'rpm',
                value: 10,
                mode: 'enforce',
                matches: true,
                conditions: [
                  { key: 'model', value: ['gpt'], excludes: 'x', actual: 'gpt', holds: true, reason: 'is one of them' },
                  { key: 'config', value: '*', actual: null, holds: false, reason: 'is absent' },
                ],
                group: { model: null },
                used: 8,
                remaining: 2,
                weight: 5,
                would_refuse: true,
                retry_after_ms: 1_500,
              },
            ],
            budgets: [],
          },
          { target: { provider: 'mock' }, allowed: true, status: 200, limits: [], budgets: [] },
        ],
      },
    })
    const { organisationId } = our
    expect(fake.asked).toEqual([
      {
        organisationId,
        workspaceId: our.red,
        apiKeyId: keyId,
        headers: { 'x-gateway-provider': 'openai' },
        body: call.body,
        endpoint: 'embeddings',
      },
    ])
    fake.clear()
    expect((await our.call('blue', 'POST', EVALUATE, {})).body).toEqual({ allowed: true, status: 200, targets: [] })
    expect(fake.asked).toEqual([{ organisationId, workspaceId: our.blue, headers: {}, body: {}, endpoint: 'chat' }])
  })

  test('that is refused before its limits says so, and is no failure', async () => {
    fake.failure = new UnknownProvider('There is no provider `x`.', { param: 'x-gateway-provider' })
    expect(await our.call('blue', 'POST', EVALUATE, {})).toEqual({
      status: 200,
      body: {
        allowed: false,
        status: 400,
        targets: [],
        error: {
          message: 'There is no provider `x`.',
          type: 'invalid_request_error',
          param: 'x-gateway-provider',
          code: 'unknown_provider',
        },
      },
    })
    fake.failure = new LimitsUnavailable('The counts are away.')
    expect((await our.call('blue', 'POST', EVALUATE, {})).body).toMatchObject({ allowed: false, status: 503 })
    fake.failure = new ManagementForbidden('Not yours.')
    expect(errorOf(await our.call('blue', 'POST', EVALUATE, {}))).toEqual([403, 'AB03', null])
    fake.failure = new Error('something else')
    expect(errorOf(await our.call('blue', 'POST', EVALUATE, {}))).toEqual([500, 'AB04', null])
  })

  test('is for keys and headers that there can be', async () => {
    const [blue, red, ofOrganisation, gone] = [
      await makeKey(our.blue),
      await makeKey(our.red),
      await makeKey(null),
      await makeKey(our.blue),
    ]
    await apiKeyRows.update(store().db, { id: gone, status: 'revoked' })
    for (const [token, body, expected] of [
      ['blue', { api_key_id: red }, [404, 'AB02', 'api_key_id']],
      ['admin', { api_key_id: red }, [404, 'AB02', 'api_key_id']],
      ['admin', { api_key_id: ofOrganisation }, [404, 'AB02', 'api_key_id']],
      ['blue', { api_key_id: gone }, [404, 'AB02', 'api_key_id']],
      ['blue', { api_key_id: crypto.randomUUID() }, [404, 'AB02', 'api_key_id']],
      ['stranger', { api_key_id: blue, workspace_id: our.blue }, [404, 'AB02', 'workspace_id']],
      ['blue', { workspace_id: our.red }, [403, 'AB03', 'workspace_id']],
      ['blue', { api_key_id: 'x' }, [400, 'AB01', 'api_key_id']],
      ['blue', { headers: { 'no name': 'x' } }, [400, 'AB01', 'headers.no name']],
      ['blue', { headers: { 'x-a': 'line\nline' } }, [400, 'AB01', 'headers.x-a']],
      ['blue', { headers: { 'x-a': 5 } }, [400, 'AB01', 'headers.x-a']],
      ['blue', { body: [] }, [400, 'AB01', 'body']],
      ['blue', { endpoint: 'models' }, [400, 'AB01', 'endpoint']],
      ['blue', { method: 'GET' }, [400, 'AB01', 'method']],
    ] as const) {
      expect(errorOf(await our.call(token, 'POST', EVALUATE, body))).toEqual([...expected])
    }
    expect(fake.asked).toEqual([])
    expect((await our.call('blue', 'POST', EVALUATE, { api_key_id: blue })).status).toBe(200)
  })

  test('needs the scope to read policies', async () => {
    const others = ['create', 'update', 'delete', 'list'].map((verb) => `policies.${verb}`)
    expect(errorOf(await our.call(`blue:${others}`, 'POST', EVALUATE, {}))).toEqual([403, 'AB03', null])
    expect((await our.call('blue:policies.read', 'POST', EVALUATE, {})).status).toBe(200)
  })
})
