import type { Session } from '../recorder.ts'

export const workspaces: Session = async ({ get, post, put, delete: remove, as, world }) => {
  const { first } = world.ours
  await get('/workspaces')
  const { slug, id } = await post('/workspaces', {
    name: 'Équipe bleue',
    description: 'made by a test',
    defaults: { metadata: { team: 'blue' } },
    usage_limits: [{ type: 'cost', credit_limit: 10, alert_threshold: 8, periodic_reset: 'monthly' }],
    rate_limits: [
      { type: 'requests', unit: 'rpm', value: 60 },
      { type: 'tokens', unit: 'rpd', value: 0 },
    ],
  })
  const { slug: bare } = await post('/workspaces', { name: 'Bare', description: null, defaults: null })
  await post('/workspaces', { name: 'Wrong', defaults: { config_id: 'pc-none' } })
  await post('/workspaces', { name: 'Wrong', usage_limits: [{ type: 'tokens', credit_limit: 99 }] })
  await post('/workspaces', { name: 'Wrong', usage_limits: [{ credit_limit: 10, alert_threshold: 11 }] })
  await post('/workspaces', {
    name: 'Wrong',
    usage_limits: [{ credit_limit: 10, periodic_reset: 'weekly', periodic_reset_days: 3 }],
  })
  await post('/workspaces', {
    name: 'Wrong',
    usage_limits: [{ credit_limit: 10, next_usage_reset_at: '2091-02-31T00:00:00Z' }],
  })
  const twice = { type: 'requests', unit: 'rpm', value: 1 }
  await post('/workspaces', { name: 'Wrong', rate_limits: [twice, twice] })
  await as('service').post('/workspaces', { name: 'Not mine to make' })

  await get(`/workspaces/${slug}`)
  await get(`/workspaces/${id}`)
  await as('service').get(`/workspaces/${first.slug}`)
  await as('service').get(`/workspaces/${slug}`)
  await as('their admin').get(`/workspaces/${id}`)

  await get('/workspaces?name=BLEUE')
  await get('/workspaces?exact_name=Bare')
  await get('/workspaces?exact_name=bare')
  await get('/workspaces?status=archived')
  await get('/workspaces?page_size=1&current_page=1')
  await as('user').get('/workspaces')

  await put(`/workspaces/${slug}`, { name: 'Team blue', usage_limits: null, defaults: null })
  await put(`/workspaces/${slug}`, { rate_limits: [], description: null })
  await put(`/workspaces/${slug}`, {})
  await put(`/workspaces/${slug}`, { defaults: { config_id: 'pc-none' } })
  const config = await post('/configs', { name: 'Main', config: { provider: 'openai' }, workspace_id: slug })
  await put(`/workspaces/${slug}`, { defaults: { config_id: config.slug, metadata: { team: 'blue' } } })
  await put(`/workspaces/${slug}`, { name: 'Team blue 2' })
  await put(`/workspaces/${slug}`, { defaults: { config_id: null } })

  await remove(`/workspaces/${slug}`, { name: 'another', force_delete: false })
  await remove(`/workspaces/${slug}`, { name: 'Team blue 2' })
  await remove(`/workspaces/${slug}`, { name: 'Team blue 2', workspace_id: bare })
  await remove(`/workspaces/${slug}`, { name: 'Team blue 2', workspace_id: 'ws-none' })
  await remove(`/workspaces/${slug}`, { name: 'Team blue 2', workspace_id: slug, force_delete: true })
  await remove(`/workspaces/${bare}`, { name: 'Bare' })
  await remove(`/workspaces/${first.slug}`, { name: first.slug, force_delete: true })
  await get(`/workspaces/${slug}`)
}
