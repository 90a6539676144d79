import type { Session } from '../recorder.ts'

export const deployments: Session = async ({ get, post, put, delete: remove, as, world }) => {
  const { first, second, organisationId } = world.ours
  await get('/deployments')
  const { id } = await post('/deployments', {
    name: 'Frankfurt',
    slug: 'frankfurt',
    is_default: 1,
    deployment_config: { region: 'eu-central-1' },
    auth_settings: {
      gateway_base_url: 'https://frankfurt.example.com/v1',
      workspaces_allowed: [first.slug],
      jwt_subs_allowed: ['somebody'],
      jwt_sub_workspace_mapping: { somebody: first.slug },
      is_playground_proxy_allowed: true,
    },
    tags: { region: 'eu', size: 3 },
    organisation_id: organisationId,
  })
  await post('/deployments', { name: 'Again', slug: 'frankfurt' })
  await post('/deployments', { name: 'Second default', slug: 'second-default', is_default: 1 })
  await post('/deployments', { name: 'Theirs', organisation_id: world.theirs.organisationId })
  await post('/deployments', { name: 'Elsewhere', auth_settings: { workspaces_allowed: ['ws-none'] } })
  await post('/deployments', { name: 'Elsewhere', auth_settings: { workspaces_allowed: [world.theirs.first.id] } })
  await post('/deployments', {
    name: 'Both',
    auth_settings: { allow_all_workspaces: 1, workspaces_allowed: [first.slug] },
  })
  await as('service').post('/deployments', { name: 'Of a workspace' })
  const virginia = await post('/deployments', {
    name: 'Virginia',
    slug: 'virginia',
    type: 'non_production',
    auth_settings: { allow_all_workspaces: true },
  })

  await get(`/deployments/${id}`)
  await get(`/deployments/${id}?include_credentials=false`)
  await get('/deployments/frankfurt')
  await get('/deployments/self')
  await as('their admin').get(`/deployments/${id}`)

  await get('/deployments?page_size=1')
  await get('/deployments?type=non_production')
  await get('/deployments?search=FRANK')
  await get(`/deployments?workspace_slug=${second.slug}`)
  await get(`/deployments?workspace_slug=${second.slug}&workspace_slug=${first.slug}`)
  await get('/deployments?workspace_slug=ws-none')
  await get('/deployments?tags[region]=eu&tags[size]=3')
  await get('/deployments?tags=region')
  await get(`/deployments?tags=${encodeURIComponent('{"region":"us"}')}`)
  await get('/deployments?tags=%7B')
  await get('/deployments?tags[region]=eu&tags[region]=us')

  await put(`/deployments/${id}`, { auth_settings: { workspaces_allowed: [second.slug], jwt_subs_allowed: ['other'] } })
  await get(`/deployments/${id}`)
  await put(`/deployments/${id}`, {
    override_existing: true,
    auth_settings: { workspaces_allowed: [first.id], jwt_subs_allowed: [], gateway_base_url: null },
  })
  await put(`/deployments/${id}`, { auth_settings: { remove_workspaces_allowed: [first.slug] } })
  await get(`/deployments/${id}`)
  await put(`/deployments/${id}`, { auth_settings: { remove_workspaces_allowed: ['ws-none'] } })
  await put(`/deployments/${id}`, { rotate_auth: true, name: 'Frankfurt am Main', tags: null })
  await put(`/deployments/${virginia.id}`, { is_default: 1 })
  await put(`/deployments/${virginia.id}`, { status: 'archived', is_default: 1 })
  await put(`/deployments/${virginia.id}`, {})

  await get(`/deployments/${id}/ping`)
  await put(`/deployments/${id}`, { auth_settings: { gateway_base_url: 'https://frankfurt.example.com' } })
  await get(`/deployments/${id}/ping`)

  await remove(`/deployments/${id}`)
  await remove(`/deployments/${id}`)
  await get(`/deployments/${id}/ping`)
  await get('/deployments?status=archived')
  await put(`/deployments/${id}`, { status: 'active' })
  await get('/deployments?status=active')
}
