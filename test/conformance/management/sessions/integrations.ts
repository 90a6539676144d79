import type { Session } from '../recorder.ts'
import { LISTED_MODEL } from '../routes-under-test.ts'

export const integrations: Session = async ({ get, post, put, delete: remove, as, world }) => {
  const { first, second } = world.ours
  const key = 'sk-of-the-session-0123456789'
  const { slug, id } = await post('/integrations', {
    name: 'OpenAI (team blue)',
    ai_provider_id: 'openai',
    key,
    description: 'made by a test',
    configurations: { openai_organization: 'org-1', custom_headers: { 'x-team': 'blue' } },
    pricing_adjustments: { multiplier: { default: 0.8, image: { default: 1 }, additional_units: { search: 2 } } },
    tags: { team: 'blue', size: 3, old: false },
  })
  await post('/integrations', { name: 'Taken', ai_provider_id: 'openai', key, slug })
  await post('/integrations', {
    name: 'Own',
    ai_provider_id: 'openai',
    key,
    slug: 'own',
    workspace_id: second.slug,
    default_provider_slug: 'own-provider',
  })
  await post('/integrations', {
    name: 'Azure',
    slug: 'azure',
    ai_provider_id: 'azure-openai',
    key,
    configurations: {
      azure_auth_mode: 'default',
      azure_resource_name: 'res',
      azure_deployment_config: [
        { azure_api_version: '2024-02-01', azure_deployment_name: 'd', azure_model_slug: 'm', is_default: true },
      ],
    },
  })
  const bare = { name: 'Bare', ai_provider_id: 'openai' }
  await post('/integrations', { ...bare, ai_provider_id: 'opnai' })
  await post('/integrations', { ...bare, ai_provider_id: 'azure-openai' })
  await post('/integrations', { ...bare, ai_provider_id: 'bedrock', configurations: { aws_auth_type: 'accessKey' } })
  await post('/integrations', { ...bare, configurations: { nonsense: 1, openai_organization: 5 } })
  await post('/integrations', { ...bare, configurations: { custom_headers: { host: 'a' } } })
  await post('/integrations', { ...bare, secret_mappings: [{ target_field: 'key', secret_reference_id: 'none' }] })
  await post('/integrations', {
    ...bare,
    secret_mappings: [{ target_field: 'configurations.nonsense', secret_reference_id: 'none' }],
  })
  await post('/integrations', { ...bare, default_provider_slug: 'a' })
  await post('/integrations', {
    ...bare,
    workspace_id: first.id,
    default_provider_slug: 'a',
    create_default_provider: false,
  })
  await post('/integrations', { ...bare, workspace_id: 'ws-none' })
  await as('service').post('/integrations', { ...bare, slug: 'of-a-service' })
  await as('service').post('/integrations', { ...bare, workspace_id: second.id })

  await get(`/integrations/${slug}`)
  await get(`/integrations/${id}`)
  await get('/integrations/own?workspace_id=ws-second')
  await get(`/integrations/own?workspace_id=${first.id}`)
  await as('service').get(`/integrations/${slug}`)
  await as('service').get('/integrations/of-a-service')

  await get('/integrations')
  await get('/integrations?page_size=1&current_page=1')
  for (const type of ['workspace', 'organisation', 'all']) await get(`/integrations?type=${type}`)
  await get('/integrations?workspace_id=ws-second')
  await as('service').get('/integrations')
  await as('service').get('/integrations?type=organisation')

  await put(`/integrations/${slug}`, { name: 'Renamed', description: '', tags: null, pricing_adjustments: null })
  await put(`/integrations/${slug}`, { configurations: { openai_organization: null, custom_headers: null } })
  await put(`/integrations/${slug}`, { configurations: { custom_host: 'https://models.example' } })
  await put(`/integrations/${slug}`, { key, configurations: { custom_host: 'https://models.example' } })
  await put(`/integrations/${slug}`, {})
  await as('service').put(`/integrations/${slug}`, { name: 'Not mine' })
  await get(`/integrations/${slug}`)

  const custom = { slug: 'own/model', enabled: true, is_custom: true, base_model_slug: LISTED_MODEL }
  await get(`/integrations/${slug}/models`)
  await put(`/integrations/${slug}/models`, {
    models: [
      {
        ...custom,
        configurations: { custom_host: 'https://models.example', custom_headers: { 'x-team': 'blue' } },
        pricing_config: {
          type: 'static',
          pay_as_you_go: { request_token: { price: 0.1 }, response_token: { price: 0.2 } },
        },
      },
      { slug: LISTED_MODEL, enabled: false },
    ],
    allow_all_models: false,
  })
  await put(`/integrations/${slug}/models`, { models: [custom, custom] })
  await put(`/integrations/${slug}/models`, {
    models: [{ ...custom, configurations: { custom_headers: { host: 'a' } } }],
  })
  await put(`/integrations/${slug}/models`, { models: [{ slug: custom.slug, enabled: false, pricing_config: null }] })
  await get(`/integrations/${slug}/models`)
  await remove(`/integrations/${slug}/models?slugs=${LISTED_MODEL}`)
  await remove(`/integrations/${slug}/models?slugs=own/model,none`)
  await remove(`/integrations/${slug}/models?slugs=,`)
  await remove(`/integrations/${slug}/models?slugs=own/model`)

  await get(`/integrations/${slug}/workspaces`)
  await get('/integrations/own/workspaces')
  await put(`/integrations/${slug}/workspaces`, {
    workspaces: [
      {
        id: second.slug,
        enabled: true,
        usage_limits: [{ type: 'cost', credit_limit: 10 }],
        rate_limits: [{ type: 'requests', unit: 'rpm', value: 60 }],
        reset_usage: true,
        default_provider_slug: 'given',
      },
    ],
  })
  await put(`/integrations/${slug}/workspaces`, {
    workspaces: [{ id: second.id, enabled: false, usage_limits: null }],
    global_workspace_access: { enabled: true, rate_limits: [{ type: 'tokens', unit: 'rpd', value: 5 }] },
  })
  await put(`/integrations/${slug}/workspaces`, { override_existing_workspace_access: true })
  await put(`/integrations/${slug}/workspaces`, { global_workspace_access: null })
  await put(`/integrations/${slug}/workspaces`, { workspaces: [{ id: 'ws-none', enabled: true }] })
  const twice = { id: second.id, enabled: true }
  await put(`/integrations/${slug}/workspaces`, { workspaces: [twice, twice] })
  await put('/integrations/own/workspaces', { workspaces: [twice] })
  await get(`/integrations/${slug}/workspaces`)
  await get(`/integrations/${slug}`)
  await as('second service').get('/providers')

  await as('service').delete(`/integrations/${slug}`)
  await remove(`/integrations/${slug}`)
  await remove('/integrations/own')
  await get(`/integrations/${slug}`)
}
