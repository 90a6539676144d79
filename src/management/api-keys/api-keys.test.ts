import { beforeAll, describe, expect, test } from 'bun:test'
import { apiKeyRows } from '../../store/objects/api-keys.ts'
import { listAudit, verifyAuditChain } from '../../store/objects/audit-log.ts'
import { describeOnBothStores } from '../../store/testing.ts'
import { refusal, type Scene, setScene } from './test-support.ts'

const HALF_HOUR_MS = 1_800_000

describeOnBothStores('API key routes', (store) => {
  let scene: Scene
  beforeAll(async () => {
    scene = await setScene(store())
  })

  const inFuture = (ms: number) => scene.inFuture(ms)
  const create: Scene['create'] = (...given) => scene.create(...given)
  const read: Scene['read'] = (id) => scene.read(id)
  const owners: Scene['owners'] = (key) => scene.owners(key)

  test('what its limits have counted is shown when it is asked for', async () => {
    const { admin, send } = scene
    const { id } = await create({ rate_limits: [{ type: 'requests', unit: 'rpm', value: 60 }] })
    const shown = async (query: string) => (await send(admin, 'GET', `/api-keys/${id}${query}`)).body
    expect(await shown('?include_usage=true')).toMatchObject({
      rate_limit_usage: [{ type: 'requests', unit: 'rpm', value: 60, used: 1, remaining: 59 }],
    })
    for (const query of ['', '?include_usage=false']) expect(await shown(query)).not.toHaveProperty('rate_limit_usage')
    expect(refusal(await send(admin, 'GET', `/api-keys/${id}?include_usage=perhaps`)).slice(0, 2)).toEqual([
      400,
      'AB01',
    ])
    const ofOrganisation = await create({ scopes: ['workspaces.create'] }, '/api-keys/organisation/service')
    const { body } = await send(admin, 'GET', `/api-keys/${ofOrganisation.id}?include_usage=true`)
    expect(body).toMatchObject({ rate_limit_usage: [] })
  })

  test('is read in the workspace that the call names', async () => {
    const { admin, workspaceSlug, send } = scene
    const { id } = await create()
    expect((await send(admin, 'GET', `/api-keys/${id}?workspace_id=${workspaceSlug}`)).status).toBe(200)
    expect(refusal(await send(admin, 'GET', `/api-keys/${id}?workspace_id=ws-other`)).slice(0, 2)).toEqual([
      404,
      'AB08',
    ])
  })

  test('the body may say again what kind the path says', async () => {
    const { admin, send } = scene
    const body = { name: 'x', scopes: ['logs.view'], type: 'workspace', 'sub-type': 'service' }
    expect((await send(admin, 'POST', '/api-keys/workspace/service', body)).status).toBe(200)
    for (const other of [{ type: 'organisation' }, { 'sub-type': 'user' }, { type: 'team' }]) {
      const refused = await send(admin, 'POST', '/api-keys/workspace/service', { ...body, ...other })
      expect(refusal(refused)).toMatchObject([400, 'AB01', Object.keys(other)[0]])
    }
  })

  describe('who may', () => {
    test('the scope is that of the kind of the key', async () => {
      const { service, send } = scene
      const ofUser = await create({ user_id: scene.userId }, '/api-keys/user')
      const ofService = await create()
      for (const [verb, method, suffix] of [
        ['read', 'GET', ''],
        ['update', 'PUT', ''],
        ['rotate', 'POST', '/rotate'],
        ['delete', 'DELETE', ''],
      ] as const) {
        const scopes = [`workspace_user_api_keys.${verb}`, 'completions.write', 'logs.view']
        const caller = { ...service, scopes: new Set(scopes) }
        const body = method === 'PUT' ? { description: 'x' } : undefined
        expect(refusal(await send(caller, method, `/api-keys/${ofService.id}${suffix}`, body))[0]).toBe(403)
        expect((await send(caller, method, `/api-keys/${ofUser.id}${suffix}`, body)).status).toBe(200)
      }
    })

    test('keys of users manage no keys', async () => {
      const { user, send } = scene
      const { id } = await create()
      const calls = [
        ['GET', '/api-keys'],
        ['GET', `/api-keys/${id}`],
        ['POST', '/api-keys/service', { name: 'x', scopes: ['logs.view'] }],
        ['DELETE', `/api-keys/${id}`],
      ] as const
      for (const [method, path, body] of calls) {
        expect(refusal(await send(user, method, path, body)).slice(0, 2)).toEqual([403, 'AB03'])
      }
    })

    test('keys of others are not there', async () => {
      const { neighbour, stranger, service, send } = scene
      const { id } = await create()
      const admin = await create({ scopes: ['workspaces.create'] }, '/api-keys/organisation/service')
      for (const [caller, target] of [
        [neighbour, id],
        [stranger, id],
        [service, admin.id],
        [service, crypto.randomUUID()],
        [service, 'ws-default'],
      ] as const) {
        expect(refusal(await send(caller, 'GET', `/api-keys/${target}`))).toEqual([404, 'AB08', null])
        expect(refusal(await send(caller, 'PUT', `/api-keys/${target}`, { name: 'x' }))).toEqual([404, 'AB08', null])
        expect(refusal(await send(caller, 'POST', `/api-keys/${target}/rotate`))).toEqual([404, 'AB08', null])
        expect(refusal(await send(caller, 'DELETE', `/api-keys/${target}`))).toEqual([404, 'AB08', null])
      }
      expect(await read(id)).toMatchObject({ name: 'a key', status: 'active' })
    })
  })

  describe('updating', () => {
    test('changes what is given, clears what is null, keeps the rest', async () => {
      const { id, key } = await create({
        description: 'old',
        expires_at: inFuture(60_000),
        alert_emails: ['a@b.example'],
      })
      const { admin, send } = scene
      const changes = { name: 'new', description: null, expires_at: null, defaults: { metadata: { a: 'b' } } }
      expect(await send(admin, 'PUT', `/api-keys/${id}`, changes)).toEqual({ status: 200, body: {} })
      expect(await read(id)).toMatchObject({
        name: 'new',
        description: null,
        expires_at: null,
        defaults: { metadata: { a: 'b' }, allow_config_override: true },
        alert_emails: ['a@b.example'],
        scopes: ['completions.write'],
      })
      expect(await owners(key)).toEqual([id])
    })

    test('may say in the body what the path says, and nothing else', async () => {
      const { id } = await create()
      const { admin, send } = scene
      expect(await send(admin, 'PUT', `/api-keys/${id}`, { id, name: 'twice' })).toEqual({ status: 200, body: {} })
      const other = await send(admin, 'PUT', `/api-keys/${id}`, { id: crypto.randomUUID(), name: 'other' })
      expect(refusal(other)).toEqual([400, 'AB01', 'id'])
      expect(await read(id)).toMatchObject({ name: 'twice' })
    })

    test('can neither move a key nor change its kind', async () => {
      const { id } = await create()
      const { admin, send } = scene
      for (const field of ['type', 'user_id', 'workspace_id', 'organisation_id', 'status', 'key', '__proto__']) {
        const answer = await send(admin, 'PUT', `/api-keys/${id}`, `{"${field}":"x"}`)
        expect(refusal(answer)).toEqual([400, 'AB01', field])
      }
    })

    test('makes an exhausted key active again, when asked to', async () => {
      const { id } = await create()
      const { admin, send } = scene
      await apiKeyRows.update(store().db, { id, status: 'exhausted' })
      await send(admin, 'PUT', `/api-keys/${id}`, { reset_usage: false })
      expect(await read(id)).toMatchObject({ status: 'exhausted' })
      await send(admin, 'PUT', `/api-keys/${id}`, { reset_usage: true })
      expect(await read(id)).toMatchObject({ status: 'active' })
    })
  })

  describe('rotating', () => {
    test('gives a new secret beside the old one, once at a time', async () => {
      const { id, key } = await create()
      const { admin, send } = scene
      const { status, body } = await send(admin, 'POST', `/api-keys/${id}/rotate`)
      expect(status).toBe(200)
      const until = inFuture(HALF_HOUR_MS)
      expect(body).toEqual({ id, key: expect.stringMatching(/^weir_/), key_transition_expires_at: until })
      expect(body.key).not.toBe(key)
      expect([await owners(key), await owners(String(body.key))]).toEqual([[id], [id]])
      expect(await read(id)).toMatchObject({ key_transition_expires_at: until, status: 'active' })
      expect(refusal(await send(admin, 'POST', `/api-keys/${id}/rotate`, {}))).toEqual([409, 'AB07', null])
      expect(await owners(key)).toEqual([id])
    })

    test('takes its time of transition from the call, else from the policy', async () => {
      const policy = { rotation_policy: { rotation_period: 'weekly', key_transition_period_ms: 7_200_000 } }
      const { admin, send } = scene
      const rotate = async (body: unknown) =>
        (await send(admin, 'POST', `/api-keys/${(await create(policy)).id}/rotate`, body)).body
      expect(await rotate({})).toMatchObject({ key_transition_expires_at: inFuture(7_200_000) })
      expect(await rotate({ key_transition_period_ms: 3_600_000 })).toMatchObject({
        key_transition_expires_at: inFuture(3_600_000),
      })
      const answer = await send(admin, 'POST', `/api-keys/${(await create()).id}/rotate`, {
        key_transition_period_ms: HALF_HOUR_MS - 1,
      })
      expect(refusal(answer)).toEqual([400, 'AB01', 'key_transition_period_ms'])
    })

    test('leaves keys of the environment alone', async () => {
      const { id } = await create()
      await apiKeyRows.update(store().db, { id, preset: 'api' })
      const answer = await scene.send(scene.admin, 'POST', `/api-keys/${id}/rotate`)
      expect(refusal(answer)).toEqual([409, 'AB07', null])
      expect(JSON.stringify(answer.body)).toContain('environment')
    })
  })

  test('deleting ends a key for good, with both secrets', async () => {
    const { admin, send } = scene
    const { id, key } = await create({ name: 'to go' })
    const rotated = await send(admin, 'POST', `/api-keys/${id}/rotate`)
    expect(await send(admin, 'DELETE', `/api-keys/${id}`)).toEqual({ status: 200, body: {} })
    expect([await owners(key), await owners(String(rotated.body.key))]).toEqual([[], []])
    for (const [method, path, body] of [
      ['GET', `/api-keys/${id}`],
      ['DELETE', `/api-keys/${id}`],
      ['PUT', `/api-keys/${id}`, { name: 'x' }],
      ['POST', `/api-keys/${id}/rotate`],
    ] as const) {
      expect(refusal(await send(admin, method, path, body))).toEqual([404, 'AB08', null])
    }
    const { body } = await send(admin, 'GET', '/api-keys?page_size=1000')
    expect((body.data as { id: string }[]).some((row) => row.id === id)).toBe(false)
  })

  test('no other change brings back a key that is being deleted', async () => {
    const { admin, send } = scene
    for (let round = 0; round < 10; round++) {
      const { id, key } = await create()
      await apiKeyRows.update(store().db, { id, status: 'exhausted' })
      const [changed, deleted] = await Promise.all([
        send(admin, 'PUT', `/api-keys/${id}`, { reset_usage: true }),
        send(admin, 'DELETE', `/api-keys/${id}`),
      ])
      expect([200, 404]).toContain(changed.status)
      expect(deleted.status).toBe(200)
      expect(await owners(key)).toEqual([])
    }
  })

  describe('listing', () => {
    const ids = ({ body }: { readonly body: Record<string, unknown> }): string[] =>
      (body.data as { readonly id: string }[]).map(({ id }) => id)

    test('gives pages in a stable order, with the total', async () => {
      const made: string[] = []
      for (let index = 0; index < 5; index++) made.push((await create({ workspace_id: 'ws-other' })).id)
      const { neighbour, send } = scene
      const whole = await send(neighbour, 'GET', '/api-keys')
      expect(whole.body).toMatchObject({ object: 'list', total: ids(whole).length })
      const pages: string[] = []
      for (let page = 0; page < Math.ceil(ids(whole).length / 2); page++) {
        pages.push(...ids(await send(neighbour, 'GET', `/api-keys?page_size=2&current_page=${page}`)))
      }
      expect(pages).toEqual(ids(whole))
      expect(pages.slice(-5)).toEqual(made)
      expect(ids(await send(neighbour, 'GET', '/api-keys?page_size=2&current_page=999'))).toEqual([])
    })

    test('splits by kind, and shows only the kinds that the caller may list', async () => {
      const { admin, service, send } = scene
      await create()
      await create({ user_id: scene.userId }, '/api-keys/user')
      await create({ scopes: ['workspaces.create'] }, '/api-keys/organisation/service')
      const types = async (caller: typeof admin, path: string) => {
        const { body } = await send(caller, 'GET', path)
        return [...new Set((body.data as { readonly type: string }[]).map(({ type }) => type))].sort()
      }
      const all = ['organisation-service', 'workspace-service', 'workspace-user']
      expect(await types(admin, '/api-keys?page_size=1000')).toEqual(all)
      expect(await types(admin, '/api-keys/service?page_size=1000')).toEqual(all.slice(0, 2))
      expect(await types(admin, '/api-keys/user?page_size=1000')).toEqual(all.slice(2))
      expect(await types(service, '/api-keys?page_size=1000')).toEqual(all.slice(1))
      const onlyUsers = { ...service, scopes: new Set(['workspace_user_api_keys.list']) }
      expect(await types(onlyUsers, '/api-keys?page_size=1000')).toEqual(all.slice(2))
      expect(refusal(await send(onlyUsers, 'GET', '/api-keys/service'))).toEqual([403, 'AB03', null])
    })

    test('filters by workspace and status', async () => {
      const { admin, service, send, clock } = scene
      const { id } = await create({ expires_at: inFuture(3_600_000), workspace_id: 'ws-other' })
      const exhausted = await create({ workspace_id: 'ws-other' })
      await apiKeyRows.update(store().db, { id: exhausted.id, status: 'exhausted' })
      const list = (query: string) => send(admin, 'GET', `/api-keys?workspace_id=ws-other&page_size=1000&${query}`)
      expect(ids(await list('status=exhausted'))).toEqual([exhausted.id])
      expect(ids(await list('status=active'))).toContain(id)
      expect(ids(await list('status=active'))).not.toContain(exhausted.id)
      // Which keys are past their time the database tells by its own clock.
      await apiKeyRows.update(store().db, { id, expiresAt: new Date(clock.now() - 1_000) })
      expect(ids(await list('status=expired'))).toEqual([id])
      expect(await read(id)).toMatchObject({ status: 'expired' })
      expect(ids(await list('status=active'))).not.toContain(id)
      expect(refusal(await send(admin, 'GET', '/api-keys?workspace_id=ws-nowhere'))).toEqual([
        404,
        'AB02',
        'workspace_id',
      ])
      expect(refusal(await send(service, 'GET', '/api-keys?workspace_id=ws-other'))).toEqual([
        403,
        'AB03',
        'workspace_id',
      ])
    })

    test('shows nothing of others', async () => {
      const { stranger, send } = scene
      expect((await send(stranger, 'GET', '/api-keys')).body).toEqual({ object: 'list', total: 0, data: [] })
    })

    test.each([
      ['page_size=0', 'page_size'],
      ['page_size=1001', 'page_size'],
      ['page_size=two', 'page_size'],
      ['current_page=-1', 'current_page'],
      ['status=revoked', 'status'],
      ['sort=name', 'sort'],
    ])('refuses ?%s', async (query, field) => {
      expect(refusal(await scene.send(scene.admin, 'GET', `/api-keys?${query}`))).toEqual([400, 'AB01', field])
    })
  })

  test('each change is in the audit log once, with the object before and after', async () => {
    const { admin, send, organisationId } = scene
    const { id } = await create({ name: 'audited' })
    await send(admin, 'PUT', `/api-keys/${id}`, { name: 'renamed' })
    await send(admin, 'POST', `/api-keys/${id}/rotate`)
    await send(admin, 'DELETE', `/api-keys/${id}`)
    const { rows } = await listAudit(store().db, { organisationId, objectId: id }, { offset: 0, limit: 10 })
    const log = rows.map(({ action, before, after }) => [action, before?.name, after?.name]).reverse()
    expect(log).toEqual([
      ['api_keys.create', undefined, 'audited'],
      ['api_keys.update', 'audited', 'renamed'],
      ['api_keys.rotate', 'renamed', 'renamed'],
      ['api_keys.delete', 'renamed', undefined],
    ])
    expect(rows[0]).toMatchObject({
      workspaceId: scene.workspaceId,
      actorKind: 'organisation-service',
      actorId: admin.id,
      objectKind: 'api_key',
      sourceAddress: '192.0.2.1',
    })
    expect(await verifyAuditChain(store().db, organisationId)).toBeUndefined()
  })
})
