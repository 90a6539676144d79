import { beforeAll, expect, test } from 'bun:test'
import { expectError, paramOf } from '../../../test/conformance/management/expect-error.ts'
import { createWorld, SOURCE_ADDRESS, type World } from '../../../test/conformance/management/world.ts'
import { appendAudit } from '../../store/objects/audit-log.ts'
import { describeOnBothStores } from '../../store/testing.ts'
import { createFakeBudgets } from '../test-support/fake-budgets.ts'
import { workspacesRoutes } from '../workspaces/routes.ts'
import { auditLogsRoutes } from './routes.ts'

const ALWAYS = 'start_time=2020-01-01T00:00:00Z&end_time=2100-01-01T00:00:00%2B02:00'

interface Answer {
  readonly object: string
  readonly total: number
  readonly records: readonly Readonly<Record<string, unknown>>[]
}

describeOnBothStores('audit logs', (store) => {
  let world: World
  let workspace: { readonly id: string; readonly slug: string }
  let requestId: string

  beforeAll(async () => {
    const routes = [
      ...workspacesRoutes({ ...createFakeBudgets(), randomId: () => crypto.randomUUID(), now: () => Date.now() }),
      ...auditLogsRoutes(),
    ]
    world = await createWorld(store(), routes)
    const token = world.ours.admin
    const made = await world.call({ method: 'POST', path: '/workspaces', token, body: { name: 'one' } })
    workspace = made.body as typeof workspace
    requestId = made.headers.get('x-gateway-request-id') ?? ''
    const path = `/workspaces/${workspace.slug}`
    await world.call({ method: 'PUT', path, token, body: { name: 'two' }, root: '/admin/v2' })
    await world.call({ method: 'DELETE', path, token, body: { name: 'two' } })
    await appendAudit(world.db, {
      organisationId: world.ours.organisationId,
      actorKind: 'cli',
      actorId: 'cli',
      actorName: 'weir',
      action: 'api_keys.create',
      objectKind: 'api_key',
      objectId: 'some key',
    })
    const other = {
      method: 'POST',
      path: '/workspaces',
      token: world.theirs.admin,
      body: { name: 'not ours' },
    } as const
    await world.call(other)
  })

  const list = async (query: string, token = world.ours.admin) =>
    world.call({ method: 'GET', path: `/audit-logs?${query}`, token })
  const actions = async (query: string) => {
    const answer = (await list(`${ALWAYS}&${query}`)).body as unknown as Answer
    expect(answer.total).toBeGreaterThanOrEqual(answer.records.length)
    return answer.records.map(({ action }) => action)
  }

  test('shows who changed what, the newest first, and nothing of another organisation', async () => {
    const answer = (await list(ALWAYS)).body as unknown as Answer
    expect(answer).toMatchObject({ object: 'list', total: 4 })
    const [cli, deleted, updated, created] = answer.records
    expect(cli).toMatchObject({ user_type: 'cli', user_name: 'weir', method: null, uri: null, client_ip: null })
    expect(created).toMatchObject({
      action: 'workspaces.create',
      resource_type: 'workspace',
      resource_id: workspace.id,
      workspace_id: workspace.id,
      organisation_id: world.ours.organisationId,
      user_type: 'api_key',
      user_name: 'a key of the kind organisation-service',
      method: 'POST',
      uri: '/v2/workspaces',
      request_id: requestId,
      client_ip: SOURCE_ADDRESS,
      country: null,
      response_status_code: 200,
      before: null,
      after: { ...workspace },
      previous_hash: '0'.repeat(64),
    })
    expect(updated).toMatchObject({
      action: 'workspaces.update',
      before: { name: 'one' },
      after: { name: 'two' },
      previous_hash: created?.hash,
    })
    expect(deleted).toMatchObject({
      action: 'workspaces.delete',
      before: { name: 'two', deleted: { api_keys: 0, providers: 0, integrations: 0, configs: 0 } },
      after: null,
    })
  })

  test('finds by every filter', async () => {
    const [all, created] = [await actions(''), ['workspaces.create']]
    expect(all).toHaveLength(4)
    expect(await actions('method=POST')).toEqual(created)
    expect(await actions('uri=/v2/workspaces')).toEqual(created)
    expect(await actions(`request_id=${requestId}`)).toEqual(created)
    expect(await actions('action=workspaces.create')).toEqual(created)
    expect(await actions('resource_type=workspace')).toHaveLength(3)
    expect(await actions(`workspace_id=${workspace.id}`)).toHaveLength(3)
    expect(await actions(`workspace_id=${world.ours.second.slug}`)).toEqual([])
    expect(await actions(`client_ip=${SOURCE_ADDRESS}`)).toHaveLength(3)
    expect(await actions('user_type=api_key')).toHaveLength(3)
    expect(await actions('user_type=user')).toEqual([])
    expect(await actions('user_id=cli')).toEqual(['api_keys.create'])
    expect(await actions('response_status_code=200')).toEqual(all)
    expect(await actions('response_status_code=404')).toEqual([])
    expect(await actions('country=NL')).toEqual([])
    expect(await actions('page_size=1&current_page=3')).toEqual(created)
    expect(await actions('page_size=1&current_page=4')).toEqual([])
    expect(await actions(`organisation_id=${world.theirs.organisationId}`)).toEqual(all)
  })

  test('a time may be any that can be written', async () => {
    const total = async (query: string) => (await list(query)).body.total
    expect(await total('start_time=2020-01-01T00:00:00Z&end_time=2020-01-02T00:00:00Z')).toBe(0)
    expect(await total('start_time=0000-01-01T00:00:00Z&end_time=9999-12-31T23:59:59.999999999-23:59')).toBe(4)
    expect(await total('start_time=0000-01-01T00:00:00Z&end_time=1000-12-31T23:59:59Z')).toBe(0)
  })

  test.each([
    ['start_time', 'end_time=2030-01-01T00:00:00Z'],
    ['end_time', 'start_time=2030-01-01T00:00:00Z'],
    ['start_time', 'start_time=2030-01-01&end_time=2030-01-02T00:00:00Z'],
    ['start_time', 'start_time=2030-02-30T00:00:00Z&end_time=2030-03-02T00:00:00Z'],
    ['end_time', 'start_time=2030-01-01T00:00:00Z&end_time=2030-01-01T00:00:00Z'],
    ['page_size', `${ALWAYS}&page_size=101`],
    ['method', `${ALWAYS}&method=GET`],
    ['user_type', `${ALWAYS}&user_type=cli`],
    ['response_status_code', `${ALWAYS}&response_status_code=2000`],
    ['colour', `${ALWAYS}&colour=blue`],
  ])('names %s when the query is %s', async (param, query) => {
    const answer = await list(query)
    expectError(answer, 'management_invalid')
    expect(paramOf(answer)).toBe(param)
  })

  test('an unknown workspace is a reference that leads nowhere', async () => {
    const answer = await list(`${ALWAYS}&workspace_id=ws-none`)
    expectError(answer, 'management_reference')
    expect(paramOf(answer)).toBe('workspace_id')
  })

  test('is for keys of the organisation', async () => {
    expectError(await list(ALWAYS, world.ours.first.serviceKey), 'management_forbidden')
  })
})
