import { beforeAll, expect, test } from 'bun:test'
import { expectError, paramOf } from '../../../test/conformance/management/expect-error.ts'
import { createWorld, type World } from '../../../test/conformance/management/world.ts'
import { describeOnBothStores } from '../../store/testing.ts'
import { createFakeBudgets } from '../test-support/fake-budgets.ts'
import { workspacesRoutes } from '../workspaces/routes.ts'
import { organisationSettingsRoutes } from './routes.ts'

const ALL = {
  bodies: 'failed',
  retention_days: 20,
  body_retention_days: 10,
  redact: ['\\b\\d{3}-\\d{2}-\\d{4}\\b'],
  metadata_keys: ['team'],
  body_readers: 'caller',
}

describeOnBothStores('settings of logs', (store) => {
  let world: World
  beforeAll(async () => {
    const deps = { randomId: () => crypto.randomUUID(), now: () => Date.now() }
    world = await createWorld(store(), [
      ...workspacesRoutes({ ...deps, ...createFakeBudgets() }),
      ...organisationSettingsRoutes(),
    ])
  })
  const call = (method: 'GET' | 'PUT', path: string, body?: unknown, token = world.ours.admin) =>
    world.call({ method, path, token, body })
  const paths = () => ['/organisation/settings', `/workspaces/${world.ours.first.slug}`]

  test('are kept as they were given, stay when they are left out, and are cleared by null', async () => {
    for (const path of paths()) {
      expect((await call('GET', path)).body).toMatchObject({ logs: null })
      expect((await call('PUT', path, { logs: ALL })).body).toMatchObject({ logs: ALL })
      expect((await call('PUT', path, { logs: { bodies: 'none' } })).body.logs).toEqual({ bodies: 'none' })
      expect((await call('GET', path)).body.logs).toEqual({ bodies: 'none' })
      expect((await call('PUT', path, { logs: null })).body).toMatchObject({ logs: null })
    }
  })

  test.each([
    ['logs.bodies', { bodies: 'some' }],
    ['logs.retention_days', { retention_days: 0 }],
    ['logs.body_retention_days', { retention_days: 5, body_retention_days: 6 }],
    ['logs.redact[1]', { redact: ['a', '(b'] }],
    ['logs.redact[0]', { redact: ['b*'] }],
    ['logs.redact[0]', { redact: ['(a)\\1'] }],
    ['logs.redact', { redact: ['(?:ab){400}'] }],
    ['logs.metadata_keys', { metadata_keys: ['a', 'a'] }],
    ['logs.body_readers', { body_readers: 'nobody' }],
    ['logs.other', { other: 1 }],
  ])('a wrong %s is refused and named', async (param, logs) => {
    for (const path of paths()) {
      const answer = await call('PUT', path, { logs })
      expectError(answer, 'management_invalid')
      expect(paramOf(answer)).toBe(param)
    }
  })

  test('those of the organisation are for its own keys', async () => {
    const { first } = world.ours
    for (const method of ['GET', 'PUT'] as const) {
      expect(
        (await call(method, '/organisation/settings', method === 'PUT' ? { logs: {} } : undefined, first.serviceKey))
          .status,
      ).toBe(403)
    }
    await call('PUT', '/organisation/settings', { logs: ALL }, world.theirs.admin)
    expect((await call('GET', '/organisation/settings')).body).toMatchObject({ logs: null })
  })
})
