import type { Session } from '../recorder.ts'
import { LISTED_MODEL } from '../routes-under-test.ts'

const KEY = 'sk-of-the-session-0123456789'

export const providers: Session = async ({ get, post, put, delete: remove, as, world }) => {
  const { first, second } = world.ours
  const integration = async (slug: string, workspace: string) =>
    post('/integrations', {
      name: slug,
      slug,
      ai_provider_id: 'openai',
      key: KEY,
      workspace_id: workspace,
      create_default_provider: false,
    })
  await integration('ours', first.id)
  await integration('neighbours', second.id)
  const { slug, id } = await post('/providers', {
    name: 'Team blue',
    integration_id: 'ours',
    note: 'made by a test',
    usage_limits: { type: 'cost', credit_limit: 10 },
    rate_limits: [{ type: 'requests', unit: 'rpm', value: 60 }],
    expires_at: '2090-01-01T00:00:00Z',
  })
  await post('/providers', { name: 'Named', integration_id: 'ours', slug: 'named' })
  await post('/providers', { name: 'Named', integration_id: 'ours', slug: 'named' })
  await post('/providers', { name: 'Wrong', integration_id: 'neighbours' })
  await post('/providers', { name: 'Wrong', integration_id: 'ours', expires_at: '2001-01-01T00:00:00Z' })
  await post('/providers', { name: 'Wrong', integration_id: 'ours', usage_limits: { type: 'tokens', credit_limit: 1 } })
  await post('/providers', { name: 'Wrong', integration_id: 'ours', workspace_id: 'ws-none' })
  await post('/providers', { name: 'There', integration_id: 'neighbours', workspace_id: second.id, slug: 'there' })
  await as('service').post('/providers', { name: 'There', integration_id: 'neighbours', workspace_id: second.id })

  await get(`/providers/${slug}`)
  await get(`/providers/${id}`)
  await get('/providers/there?workspace_id=ws-second')
  await as('second service').get(`/providers/${slug}`)
  await get('/providers')
  await get('/providers?page_size=1&current_page=1')
  await get('/providers?workspace_id=ws-second')
  await as('user').get('/providers')

  await put(`/providers/${slug}`, { name: 'Renamed', note: null, usage_limits: null, rate_limits: null })
  await put(`/providers/${slug}`, { expires_at: null, reset_usage: true, workspace_id: first.slug })
  await put(`/providers/${slug}`, { expires_at: '2001-01-01T00:00:00Z' })
  await put(`/providers/${slug}`, {})
  await put('/providers/there', { note: 'by the body', workspace_id: second.id })
  await get(`/providers/${slug}`)

  await put('/integrations/ours/models', {
    models: [
      { slug: 'own/model', enabled: true, is_custom: true },
      { slug: 'off', enabled: false, is_custom: true },
    ],
  })
  for (const model of [
    `@${slug}/own/model`,
    `@${slug}/${LISTED_MODEL}`,
    `@${slug}/off`,
    LISTED_MODEL,
    'none',
    '@openai/none',
  ]) {
    await get(`/models/${encodeURIComponent(model)}`)
  }
  await as('second service').get(`/models/${encodeURIComponent(`@${slug}/own/model`)}`)
  await remove(`/models/${encodeURIComponent(`@${slug}/own/model`)}`)
  await remove(`/models/${encodeURIComponent(`@${slug}/own/model`)}`)
  await remove(`/models/${encodeURIComponent(`@${slug}/${LISTED_MODEL}`)}`)

  await remove(`/providers/${slug}`)
  await remove(`/providers/${slug}`)
  await remove('/providers/there?workspace_id=ws-second')
}

export const virtualKeys: Session = async ({ get, post, put, delete: remove, as, world }) => {
  const { first, second } = world.ours
  const { data } = await post('/virtual-keys', {
    name: 'Team blue',
    provider: 'openai',
    key: KEY,
    note: 'made by a test',
    usage_limits: { type: 'cost', credit_limit: 10 },
    rate_limits: [{ type: 'requests', unit: 'rpm', value: 60 }],
    expires_at: '2090-01-01T00:00:00Z',
    custom_host: 'https://models.example',
  })
  const { slug } = data as { readonly slug: string }
  const azure = { name: 'Azure', provider: 'azure-openai', key: KEY, resourceName: 'res' }
  const version = '2024-02-01'
  await post('/virtual-keys', { ...azure, slug: 'azure', deploymentName: 'd', apiVersion: version })
  await post('/virtual-keys', {
    ...azure,
    slug: 'azure-2',
    deploymentConfig: [
      { apiVersion: version, deploymentName: 'a' },
      { apiVersion: version, deploymentName: 'b', alias: 'c' },
    ],
  })
  await post('/virtual-keys', azure)
  await post('/virtual-keys', { ...azure, deploymentName: 'd' })
  await post('/virtual-keys', { ...azure, apiVersion: version })
  await post('/virtual-keys', {
    ...azure,
    apiVersion: version,
    deploymentConfig: [{ apiVersion: version, deploymentName: 'a' }],
  })
  await post('/virtual-keys', { ...azure, provider: 'openai' })
  await post('/virtual-keys', { ...azure, resourceName: undefined })
  const bare = { name: 'Bare', provider: 'openai', key: KEY }
  await post('/virtual-keys', { ...bare, provider: 'opnai' })
  await post('/virtual-keys', { ...bare, slug })
  await post('/virtual-keys', { ...bare, secret_mappings: [{ target_field: 'key', secret_reference_id: 'none' }] })
  await post('/virtual-keys', { ...bare, slug: 'there', workspace_id: second.slug })
  await as('service').post('/virtual-keys', { ...bare, workspace_id: second.slug })

  await get(`/virtual-keys/${slug}`)
  await get('/virtual-keys/azure')
  await get('/virtual-keys/azure-2')
  await get(`/virtual-keys/there?workspace_id=${second.id}`)
  await as('second service').get(`/virtual-keys/${slug}`)
  await get('/virtual-keys')
  await get('/virtual-keys?page_size=1&current_page=1')
  await as('user').get('/virtual-keys')

  await put(`/virtual-keys/${slug}`, { name: 'Renamed', note: null, usage_limits: null, rate_limits: null })
  await put(`/virtual-keys/${slug}`, { key: 'sk-another-of-the-session-0123', expires_at: null, reset_usage: true })
  await put(`/virtual-keys/${slug}`, { custom_host: null, workspace_id: first.id })
  await put(`/virtual-keys/${slug}`, { custom_host: 'https://others.example' })
  await put('/virtual-keys/azure', { deploymentName: 'e', apiVersion: version })
  await put(`/virtual-keys/${slug}`, {})
  await get(`/virtual-keys/${slug}`)
  const { slug: shared } = await post('/integrations', { name: 'Shared', ai_provider_id: 'openai', key: KEY })
  await put(`/integrations/${shared}/workspaces`, { workspaces: [{ id: first.id, enabled: true }] })
  await put(`/virtual-keys/${shared}`, { key: KEY })
  await put(`/virtual-keys/${shared}`, { note: 'of the organisation' })

  await remove(`/virtual-keys/${slug}`)
  await remove(`/virtual-keys/${slug}`)
  await remove(`/virtual-keys/${shared}`)
  await get('/integrations')
}
