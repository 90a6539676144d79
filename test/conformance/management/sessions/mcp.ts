import type { Session } from '../recorder.ts'

const HEADERS = { authorization: 'Bearer a secret of a test' }

export const mcpIntegrations: Session = async ({ get, post, put, delete: remove, as, world }) => {
  const path = '/mcp-integrations'
  await get(path)
  const { id } = await post(path, {
    name: 'Tools',
    slug: 'tools',
    url: 'https://tools.example.com/mcp',
    auth_type: 'headers',
    transport: 'http',
    configurations: {
      custom_headers: HEADERS,
      oauth_metadata: { client_id: 'weir', client_secret: 'a long enough secret' },
    },
  })
  await get(`${path}/${id}`)
  await post(path, { name: 'Again', slug: 'tools', url: 'https://a.example', auth_type: 'none', transport: 'sse' })
  await post(path, { name: 'No headers', url: 'https://a.example', auth_type: 'headers', transport: 'http' })
  await post(path, {
    name: 'No account',
    url: 'https://a.example',
    auth_type: 'oauth_client_credentials',
    transport: 'http',
  })
  await post(path, { name: 'Not a URL', url: 'tools', auth_type: 'none', transport: 'http' })
  await post(path, {
    name: 'Nonsense',
    url: 'https://a.example',
    auth_type: 'none',
    transport: 'http',
    configurations: { forward_headers: ['bad name'], nonsense: true, jwt_validation: { algorithms: ['none'] } },
  })
  await post(path, {
    name: 'Two issuers',
    url: 'https://a.example',
    auth_type: 'none',
    transport: 'http',
    configurations: {
      jwt_validation: { jwksUri: 'https://a.example/keys', introspectEndpoint: 'https://a.example/ask' },
    },
  })
  await as('service').post(path, {
    name: 'Own',
    slug: 'own',
    url: 'https://own.example',
    auth_type: 'none',
    transport: 'http',
  })
  await as('second service').get(`${path}/own`)
  await as('their admin').get(`${path}/${id}`)
  await get(`${path}?type=organisation`)
  await get(`${path}?search=OWN&page_size=1`)

  await get(`${path}/tools/metadata`)
  await post(`${path}/tools/test`)
  await post(`${path}/tools/sync`)
  await get(`${path}/tools/metadata`)
  await get(`${path}/tools/capabilities`)
  await put(`${path}/tools/capabilities`, { capabilities: [{ name: 'echo', type: 'tool', enabled: false }] })
  await get(`${path}/tools/capabilities?type=tool&page_size=1`)
  await put(`${path}/tools/capabilities`, { capabilities: [{ name: 'none', type: 'tool', enabled: false }] })
  await put(`${path}/tools/capabilities`, { capabilities: [] })

  await get(`${path}/tools/workspaces`)
  await put(`${path}/tools/workspaces`, {
    workspaces: [{ id: world.ours.second.slug, enabled: true }],
    global_workspace_access: { enabled: false },
  })
  await get(`${path}/tools/workspaces?version=2`)
  await put(`${path}/tools/workspaces`, { workspaces: [{ id: 'ws-none', enabled: true }] })
  await put(`${path}/own/workspaces`, { workspaces: [] })
  await as('second service').get(`${path}/tools`)

  await put(`${path}/tools`, { description: 'of everybody', configurations: { timeout_ms: 1000 } })
  await put(`${path}/tools`, { url: 'https://elsewhere.example/mcp' })
  await put(`${path}/tools`, {
    url: 'https://elsewhere.example/mcp',
    configurations: { headers: HEADERS, oauth_metadata: null },
  })
  await put(`${path}/tools`, { configurations: { headers: null } })
  await put(`${path}/tools`, {})
  await get(`${path}/tools`)
  await remove(`${path}/own`)
  await remove(`${path}/own`)
}

export const mcpServers: Session = async ({ get, post, put, delete: remove, as, world }) => {
  const tools = {
    name: 'Tools',
    slug: 'shared',
    url: 'https://tools.example.com/mcp',
    auth_type: 'none',
    transport: 'http',
  }
  await post('/mcp-integrations', tools)
  await post('/mcp-servers', { name: 'Not given', mcp_integration_id: 'shared' })
  await put('/mcp-integrations/shared/workspaces', { workspaces: [], global_workspace_access: { enabled: true } })
  await post('/mcp-integrations/shared/sync')
  const { id } = await post('/mcp-servers', { name: 'Shared', slug: 'shared', mcp_integration_id: 'shared' })
  await post('/mcp-servers', { name: 'Again', slug: 'shared', mcp_integration_id: 'shared' })
  await post('/mcp-servers', { name: 'Short', slug: 'ab', mcp_integration_id: 'shared' })
  await as('service').post('/mcp-servers', { name: 'Named by itself', mcp_integration_id: 'shared' })
  const registry = '/v0.1/servers'
  await get(`${registry}?limit=1`)
  await get(`${registry}?search=nothing-of-the-kind`)
  await get(`${registry}?version=9.9.9&updated_since=2020-01-01T00:00:00Z`)
  await get(`${registry}?cursor=nonsense`)
  await get(`${registry}?limit=0`)
  await as('second service').get(registry)
  await get('/.well-known/jwks.json')
  await get('/mcp-servers?search=shared')
  await get(`/mcp-servers?id=${id}`)
  await get('/mcp-servers?id=nonsense')
  await get(`/mcp-servers/${id}`)
  await as('user').get('/mcp-servers/shared')
  await as('second service').get(`/mcp-servers/${id}`)
  await as('their admin').get(`/mcp-servers/${id}`)
  await put('/mcp-servers/shared', { description: 'for everybody' })
  await put('/mcp-servers/shared', {})
  await post('/mcp-servers/shared/test')
  await get('/mcp-servers/shared/metadata')
  await get('/mcp-servers/shared/capabilities')
  await put('/mcp-servers/shared/capabilities', { capabilities: [{ name: 'echo', type: 'tool', enabled: false }] })
  await put('/mcp-integrations/shared/capabilities', { capabilities: [{ name: 'echo', type: 'tool', enabled: false }] })
  await put('/mcp-servers/shared/capabilities', { capabilities: [{ name: 'echo', type: 'tool', enabled: true }] })
  await get('/mcp-servers/shared/capabilities')
  await get('/mcp-servers/shared/user-access')
  await put('/mcp-servers/shared/user-access', { default_user_access: 'deny' })
  await put('/mcp-servers/shared/user-access', { user_access: [{ user_id: world.ours.organisationId, enabled: true }] })
  await put('/mcp-servers/shared/user-access', {})
  await get('/mcp-servers/shared/connections')
  await remove('/mcp-servers/shared/connections')
  await remove(`/mcp-servers/shared/connections?user_id=${id}`)
  await remove('/mcp-integrations/shared')
  await remove('/mcp-servers/shared')
  await get('/mcp-servers/shared')
}
