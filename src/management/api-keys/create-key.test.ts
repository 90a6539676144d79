import { beforeAll, describe, expect, test } from 'bun:test'
import { listAudit } from '../../store/objects/audit-log.ts'
import { configRows } from '../../store/objects/configs.ts'
import { describeOnBothStores } from '../../store/testing.ts'
import { refusal, type Scene, setScene } from './test-support.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

describeOnBothStores('creating API keys', (store) => {
  let scene: Scene
  beforeAll(async () => {
    scene = await setScene(store())
  })

  const inFuture = (ms: number) => scene.inFuture(ms)
  const create: Scene['create'] = (...given) => scene.create(...given)
  const read: Scene['read'] = (id) => scene.read(id)
  const owners: Scene['owners'] = (key) => scene.owners(key)

  describe('creating', () => {
    test('shows the key once, and masked from then on', async () => {
      const { admin, send } = scene
      const { status, body } = await send(admin, 'POST', '/api-keys/service', {
        name: 'first',
        scopes: ['completions.write'],
      })
      expect(status).toBe(200)
      expect(body).toEqual({
        id: expect.stringMatching(UUID),
        key: expect.stringMatching(/^weir_/),
        object: 'api-key',
      })
      const key = String(body.key)
      const shown = await read(String(body.id))
      expect(shown.key).toBe(`${key.slice(0, 3)}*****${key.slice(-3)}`)
      expect(await owners(key)).toEqual([String(body.id)])
      const { rows } = await listAudit(store().db, { organisationId: scene.organisationId }, { offset: 0, limit: 100 })
      expect(JSON.stringify([shown, rows])).not.toContain(key.slice(5))
    })

    test('keeps every field', async () => {
      await configRows.create(store().db, {
        id: crypto.randomUUID(),
        organisationId: scene.organisationId,
        workspaceId: scene.otherWorkspaceId,
        slug: 'pc-1',
        name: 'one',
        isDefault: false,
        content: { config: {}, secrets: [] },
        by: 'somebody',
      })
      const expiresAt = inFuture(60_000)
      const { userId } = scene
      const settings = {
        description: 'for the tests',
        rate_limits: [{ type: 'requests', unit: 'rps', value: 0 }],
        usage_limits: {
          type: 'cost',
          credit_limit: 10,
          alert_threshold: 5,
          periodic_reset: 'weekly',
          enforcement: 'soft',
        },
        defaults: { metadata: { team: 'blue' }, config_id: 'pc-1', allow_config_override: false },
        alert_emails: ['someone@example.com'],
        rotation_policy: { rotation_period: 'monthly', key_transition_period_ms: 3_600_000 },
        logs: { bodies: 'failed' },
      }
      const { id } = await create(
        {
          ...settings,
          expires_at: expiresAt,
          user_id: userId,
          workspace_id: 'ws-other',
          organisation_id: scene.organisationId,
          scopes: ['completions.write', 'logs.view', 'completions.write'],
        },
        '/api-keys/workspace/user',
      )
      expect(await read(id)).toEqual({
        id,
        key: expect.stringMatching(/^.{3}\*{5}.{3}$/),
        name: 'a key',
        ...settings,
        usage_limits: {
          ...settings.usage_limits,
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          enforcement: 'soft',
          next_usage_reset_at: expect.stringMatching(/T00:00:00.000Z$/),
          status: 'active',
          current_usage: 0,
          is_threshold_alerts_sent: false,
          is_exhausted_alerts_sent: false,
        },
        last_reset_at: null,
        next_usage_reset_at: expect.stringMatching(/T00:00:00.000Z$/),
        rotation_policy: { ...settings.rotation_policy, next_rotation_at: expect.stringMatching(/Z$/) },
        rotated_key_expires_at: null,
        type: 'workspace-user',
        organisation_id: scene.organisationId,
        workspace_id: scene.otherWorkspaceId,
        user_id: userId,
        status: 'active',
        created_at: expect.stringMatching(/Z$/),
        last_updated_at: expect.stringMatching(/Z$/),
        creation_mode: 'api',
        reset_usage: false,
        scopes: ['completions.write', 'logs.view'],
        expires_at: expiresAt,
        key_transition_expires_at: null,
        object: 'api-key',
      })
    })

    test('fills the defaults of what is absent', async () => {
      const { id } = await create({ defaults: { config_id: null }, usage_limits: null })
      expect(await read(id)).toMatchObject({
        type: 'workspace-service',
        workspace_id: scene.workspaceId,
        user_id: null,
        description: null,
        rate_limits: [],
        usage_limits: null,
        defaults: { allow_config_override: true },
        alert_emails: [],
        expires_at: null,
        rotation_policy: null,
      })
      expect(await read((await create()).id)).toMatchObject({ defaults: null })
    })

    test('makes each kind at its path', async () => {
      const kinds = [
        ['/api-keys/service', 'workspace-service', {}],
        ['/api-keys/workspace/service', 'workspace-service', {}],
        ['/api-keys/user', 'workspace-user', { user_id: scene.userId }],
        ['/api-keys/organisation/service', 'organisation-service', { scopes: ['workspaces.create'] }],
      ] as const
      for (const [path, type, changes] of kinds) {
        const { id } = await create(changes, path)
        expect(await read(id)).toMatchObject({
          type,
          workspace_id: type === 'organisation-service' ? null : scene.workspaceId,
        })
      }
    })

    test('goes to the workspace of the caller, and to no other', async () => {
      const { neighbour, send } = scene
      const body = { name: 'x', scopes: ['completions.write'] }
      const made = await send(neighbour, 'POST', '/api-keys/service', body)
      expect(await read(String(made.body.id))).toMatchObject({ workspace_id: scene.otherWorkspaceId })
      for (const workspaceId of [scene.workspaceId, scene.workspaceSlug, 'ws-nowhere']) {
        const answer = await send(neighbour, 'POST', '/api-keys/service', { ...body, workspace_id: workspaceId })
        expect(refusal(answer)).toEqual([403, 'AB03', 'workspace_id'])
      }
      expect((await send(neighbour, 'POST', '/api-keys/service', { ...body, workspace_id: 'ws-other' })).status).toBe(
        200,
      )
    })

    const now = Date.now()
    const wrong: readonly (readonly [string, Record<string, unknown>, readonly unknown[], string?])[] = [
      ['an unknown workspace', { workspace_id: 'ws-nowhere' }, [404, 'AB02', 'workspace_id']],
      ['another organisation', { organisation_id: crypto.randomUUID() }, [403, 'AB03', 'organisation_id']],
      ['no name', { name: undefined }, [400, 'AB01', 'name']],
      ['an empty name', { name: '' }, [400, 'AB01', 'name']],
      ['a long name', { name: 'x'.repeat(256) }, [400, 'AB01', 'name']],
      ['a name that cannot be stored', { name: 'a\0b' }, [400, 'AB01', 'name']],
      ['an unknown field', { nam: 'x' }, [400, 'AB01', 'nam']],
      ['no scopes', { scopes: [] }, [400, 'AB01', 'scopes']],
      ['an unknown scope', { scopes: ['completions.write', 'completions.rite'] }, [400, 'AB01', 'scopes[1]']],
      ['a scope of another kind', { scopes: ['workspaces.create'] }, [400, 'AB01', 'scopes[0]']],
      ['a scope that is a number', { scopes: [5] }, [400, 'AB01', 'scopes[0]']],
      ['an expiry in the past', { expires_at: new Date(now - 1_000).toISOString() }, [400, 'AB01', 'expires_at']],
      ['an expiry on 31 February', { expires_at: '2099-02-31T00:00:00Z' }, [400, 'AB01', 'expires_at']],
      ['an expiry without an offset', { expires_at: '2099-01-01T00:00:00' }, [400, 'AB01', 'expires_at']],
      [
        'a unit that no key has',
        { rate_limits: [{ type: 'requests', unit: 'tpd', value: 1 }] },
        [400, 'AB01', 'rate_limits[0].unit'],
      ],
      [
        'a negative limit',
        { rate_limits: [{ type: 'requests', unit: 'rpm', value: -1 }] },
        [400, 'AB01', 'rate_limits[0].value'],
      ],
      [
        'too small a budget',
        { usage_limits: { type: 'tokens', credit_limit: 99 } },
        [400, 'AB01', 'usage_limits.credit_limit'],
      ],
      [
        'two resets',
        { usage_limits: { type: 'cost', credit_limit: 1, periodic_reset: 'weekly', periodic_reset_days: 3 } },
        [400, 'AB01', 'usage_limits.periodic_reset_days'],
      ],
      ['metadata that is a list', { defaults: { metadata: [] } }, [400, 'AB01', 'defaults.metadata']],
      ['metadata with a number', { defaults: { metadata: { team: 5 } } }, [400, 'AB01', 'defaults.metadata.team']],
      ['an address that is none', { alert_emails: ['someone'] }, [400, 'AB01', 'alert_emails[0]']],
      ['a user that is no id', { user_id: 'me' }, [400, 'AB01', 'user_id'], '/api-keys/user'],
      ['no user', {}, [400, 'AB01', 'user_id'], '/api-keys/user'],
      ['a user of a service', { user_id: crypto.randomUUID() }, [400, 'AB01', 'user_id']],
      [
        'a workspace of an organisation key',
        { workspace_id: 'ws-default' },
        [400, 'AB01', 'workspace_id'],
        '/api-keys/organisation/service',
      ],
      ['a model scope for an organisation', {}, [400, 'AB01', 'scopes[0]'], '/api-keys/organisation/service'],
      ['a policy that says nothing', { rotation_policy: {} }, [400, 'AB01', 'rotation_policy']],
      [
        'a policy that says two things',
        { rotation_policy: { rotation_period: 'weekly', next_rotation_at: '2099-01-01T00:00:00Z' } },
        [400, 'AB01', 'rotation_policy'],
      ],
      [
        'a rotation in the past',
        { rotation_policy: { next_rotation_at: '2020-01-01T00:00:00Z' } },
        [400, 'AB01', 'rotation_policy.next_rotation_at'],
      ],
      [
        'too short a transition',
        { rotation_policy: { rotation_period: 'weekly', key_transition_period_ms: 1_799_999 } },
        [400, 'AB01', 'rotation_policy.key_transition_period_ms'],
      ],
      [
        'a transition as long as the period',
        { rotation_policy: { rotation_period_days: 1, key_transition_period_ms: 86_400_000 } },
        [400, 'AB01', 'rotation_policy.key_transition_period_ms'],
      ],
    ]
    test.each(wrong)('refuses %s, and stores nothing', async (_, changes, expected, path = '/api-keys/service') => {
      const { admin, organisationId, send } = scene
      const count = async () => (await send(admin, 'GET', '/api-keys?page_size=1')).body.total
      const before = [await count(), (await listAudit(store().db, { organisationId }, { offset: 0, limit: 1 })).total]
      const answer = await send(admin, 'POST', path, { name: 'x', scopes: ['completions.write'], ...changes })
      expect(refusal(answer)).toEqual([...expected])
      expect(answer.body).toMatchObject({ success: false, data: { errorCode: expected[1] } })
      const after = [await count(), (await listAudit(store().db, { organisationId }, { offset: 0, limit: 1 })).total]
      expect(after).toEqual(before)
    })
  })

  describe('giving scopes', () => {
    const body = (...scopes: string[]) => ({ name: 'x', scopes })

    test('nobody gives what they do not have', async () => {
      const { service, send } = scene
      const weak = { ...service, scopes: new Set(['workspace_service_api_keys.create', 'logs.view']) }
      expect((await send(weak, 'POST', '/api-keys/service', body('logs.view'))).status).toBe(200)
      const answer = await send(weak, 'POST', '/api-keys/service', body('logs.view', 'completions.write'))
      expect(refusal(answer)).toEqual([403, 'AB03', 'scopes'])
    })

    test('a key of the organisation gives what only keys of a workspace have, and else only its own', async () => {
      const { admin, send } = scene
      const weak = { ...admin, scopes: new Set(['workspace_service_api_keys.create']) }
      expect((await send(weak, 'POST', '/api-keys/service', body('completions.write', 'logs.write'))).status).toBe(200)
      expect(refusal(await send(weak, 'POST', '/api-keys/service', body('configs.read')))[0]).toBe(403)
    })

    test('an update may keep what the caller lacks, and add nothing of it', async () => {
      const { service, send } = scene
      const { id } = await create({ scopes: ['completions.write', 'logs.view'] })
      const weak = { ...service, scopes: new Set(['workspace_service_api_keys.update', 'logs.list']) }
      const put = (...scopes: string[]) => send(weak, 'PUT', `/api-keys/${id}`, { scopes })
      expect((await put('completions.write', 'logs.list')).status).toBe(200)
      expect(refusal(await put('completions.write', 'logs.view'))).toEqual([403, 'AB03', 'scopes'])
      expect(await read(id)).toMatchObject({ scopes: ['completions.write', 'logs.list'] })
    })

    test('a rotation gives no power over a stronger key', async () => {
      const { service, send } = scene
      const { id } = await create({ scopes: ['completions.write'] })
      const weak = { ...service, scopes: new Set(['workspace_service_api_keys.rotate']) }
      expect(refusal(await send(weak, 'POST', `/api-keys/${id}/rotate`))).toEqual([403, 'AB03', 'scopes'])
    })
  })
})
