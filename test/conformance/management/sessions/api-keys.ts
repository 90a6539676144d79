import type { Session } from '../recorder.ts'
import { rotatedKey } from '../samples.ts'

export const apiKeys: Session = async ({ get, post, put, delete: remove, as, world }) => {
  const { second, organisationId, userId } = world.ours
  const settings = {
    name: 'Service',
    description: 'made by a test',
    scopes: ['logs.view', 'configs.read', 'logs.view'],
    rate_limits: [{ type: 'tokens', unit: 'rps', value: 5 }],
    usage_limits: { type: 'tokens', credit_limit: 1000 },
    defaults: { metadata: { team: 'blue' }, allow_config_override: false },
    alert_emails: ['somebody@example.com'],
    expires_at: '2090-01-01T00:00:00Z',
    rotation_policy: { rotation_period: 'monthly', key_transition_period_ms: 3_600_000 },
  }
  const { id } = await post('/api-keys/service', settings)
  await post('/api-keys/workspace/service', { ...settings, workspace_id: second.slug })
  const { id: user } = await post('/api-keys/user', { name: 'User', scopes: ['logs.view'], user_id: userId })
  const { id: organisation } = await post('/api-keys/organisation/service', {
    name: 'Organisation',
    scopes: ['logs.view'],
    organisation_id: organisationId,
    type: 'organisation',
    'sub-type': 'service',
  })
  const bare = { name: 'Bare', scopes: ['logs.view'] }
  await post('/api-keys/service', { ...bare, type: 'organisation' })
  await post('/api-keys/service', { ...bare, 'sub-type': 'user' })
  await post('/api-keys/service', { ...bare, scopes: ['logs.vew'] })
  await post('/api-keys/service', { ...bare, scopes: ['workspaces.create'] })
  await post('/api-keys/service', { ...bare, organisation_id: world.theirs.organisationId })
  await post('/api-keys/service', { ...bare, workspace_id: 'ws-none' })
  await post('/api-keys/service', { ...bare, expires_at: '2001-01-01T00:00:00Z' })
  await post('/api-keys/service', { ...bare, expires_at: '2091-02-30T00:00:00Z' })
  await post('/api-keys/service', { ...bare, rotation_policy: {} })
  await post('/api-keys/service', {
    ...bare,
    rotation_policy: { rotation_period: 'weekly', key_transition_period_ms: 604_800_000 },
  })
  await post('/api-keys/service', { ...bare, usage_limits: { type: 'tokens', credit_limit: 1 } })
  await post('/api-keys/service', { ...bare, defaults: { config_id: 'pc-none' } })
  await post('/api-keys/organisation/service', { ...bare, defaults: { config_id: 'pc-none' } })
  const config = await post('/configs', { name: 'Main', config: { provider: 'openai' } })
  const { id: withConfig } = await post('/api-keys/service', { ...bare, defaults: { config_id: config.slug } })
  await as('service').post('/api-keys/service', { ...bare, workspace_id: second.id })
  await as('service').post('/api-keys/organisation/service', bare)

  await get(`/api-keys/${id}`)
  await get(`/api-keys/${id}?include_usage=true`)
  await get(`/api-keys/${id}?workspace_id=ws-second`)
  await get(`/api-keys/${organisation}?include_usage=TRUE`)
  await as('service').get(`/api-keys/${user}`)
  await as('second service').get(`/api-keys/${id}`)

  await get('/api-keys')
  await get('/api-keys/service?page_size=2&current_page=1')
  await get('/api-keys/user')
  await get('/api-keys?status=exhausted')
  await get('/api-keys?workspace_id=ws-second')
  await as('user').get('/api-keys')
  await as('service').get('/api-keys?workspace_id=ws-second')

  await put(`/api-keys/${id}`, { name: 'Renamed', description: null, rate_limits: null, usage_limits: null })
  await put(`/api-keys/${id}`, { expires_at: null, rotation_policy: { rotation_period_days: 3 }, alert_emails: null })
  await put(`/api-keys/${id}`, {
    rotation_policy: { next_rotation_at: '2090-01-01T00:00:00+02:00' },
    reset_usage: true,
  })
  await put(`/api-keys/${id}`, { scopes: ['configs.read'], defaults: { config_id: config.slug } })
  await put(`/api-keys/${id}`, { id: organisation, name: 'Another' })
  await put(`/api-keys/${id}`, { scopes: ['nonsense'] })
  await put(`/api-keys/${withConfig}`, { defaults: null })
  await put(`/api-keys/${id}`, {})
  await get(`/api-keys/${id}`)

  await post(`/api-keys/${id}/rotate`)
  await post(`/api-keys/${id}/rotate`, { key_transition_period_ms: 1_800_000 })
  await post(`/api-keys/${id}/rotate`, { key_transition_period_ms: 1 })
  await get(`/api-keys/${id}`)

  const { id: rotated } = (await rotatedKey(world)).params
  await get(`/api-keys/${rotated}`)
  await post(`/api-keys/${rotated}/rotated-key`, { key_transition_period_ms: 1_800_000 })
  await post(`/api-keys/${rotated}/rotated-key`)
  await post(`/api-keys/${rotated}/rotated-key`, {})

  await remove(`/api-keys/${id}`)
  await remove(`/api-keys/${id}`)
  await put(`/api-keys/${id}`, { name: 'gone' })
  await remove(`/api-keys/${organisation}`)
  await get('/api-keys?page_size=100')
}
